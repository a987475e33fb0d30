// What the table of masquerade says.

export const masquerade = {
  /** The suits by the first letter of their cards. */
  many: { M: "Masqueraders", R: "Ridottos", I: "Intrigues", D: "Mendicants" } as Record<string, string>,

  stair: "The trick, from the first card up to the last",
  lastStair: "The last trick, from the first card up to the last",
  emptyStair: "Nothing has been led yet",
  led: (suit: string) => `${suit} are led`,
  lastTrick: "Last trick",
  thisTrick: "This trick",
  m1Waits: "Harlequin, Masquerader No. 1, is still to come: 5 points",
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
    leadAny: "Lead any card: No. 1 is high, No. 8 low.",
    leadBut: "Lead any card but Masqueraders No. 1 to No. 4. No. 1 is high, No. 8 low.",
    only: (card: string) => `Only ${card} can be played.`,
    follow: (suit: string) => `Follow with one of your lit ${suit}: a lower number is a higher card.`,
    mask: "Play a Masquerader: nothing else will do.",
    either: "Follow suit, or play a Masquerader.",
    exchange: (name: string) => `You can neither follow nor mask: give a card to ${name} in exchange, or keep yours.`,
    return: (name: string, card: string) => `${name} gave you ${card}. Give another card in return.`,
    returnAny: "Give a card in return.",
  },
};
