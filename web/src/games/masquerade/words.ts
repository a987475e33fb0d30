// What the table of masquerade says.

const listed = (things: string[], between = "or") =>
  things.length < 2 ? things.join("") : `${things.slice(0, -1).join(", ")} ${between} ${things.at(-1)}`;

export const masquerade = {
  /** The suits by the first letter of their cards. */
  many: { M: "Masqueraders", R: "Ridottos", I: "Intrigues", D: "Mendicants" } as Record<string, string>,

  stair: "The trick, from the first card up to the last",
  lastStair: "The last trick, from the first card up to the last",
  emptyStair: "Nothing has been led yet",
  led: (suit: string) => `${suit} are led`,
  lastTrick: "Last trick",
  thisTrick: "This trick",
  m1Waits: "Masquerader No. 1 has yet to appear",
  m1Noted: "not yet played in this game",

  /** What points are scored for, by clause; those for taking the trick apart. */
  scored: {
    "MASQ-11": "the trick",
    "MASQ-13": "own card back",
    "MASQ-15": "No. 1 appears",
    "MASQ-16": "next in rank",
    "MASQ-17": "exchange",
  } as Record<string, string>,
  scoredTrick: "the trick",

  out: "sits out",
  wonGame: "won the game",
  games: (won: number, points: number) => `${won} won, ${points} in all`,

  came: "Came to you",
  went: "Went from you",
  from: (name: string) => `from ${name}`,
  to: (name: string) => `to ${name}`,
  justCame: "just received",

  decline: "Exchange nothing",
  prompt: {
    leadAny: "Lead any card.",
    leadBut: (cards: string[]) => `Lead any card but ${listed(cards)}.`,
    leadFew: "Lead one of the lit cards.",
    only: (card: string) => `Only ${card} can be played.`,
    follow: (suit: string) => `Follow with one of your lit ${suit}.`,
    mask: "Play a Masquerader: nothing else will do.",
    either: "Follow suit, or play a Masquerader.",
    exchange: (name: string) => `You can neither follow nor mask: give a card to ${name} in exchange, or keep yours.`,
    return: (name: string, card: string) => `${name} gave you ${card}. Give another card in return.`,
    returnAny: "Give a card in return.",
  },
};
