// What the table of the Masquerade Game says in English.

import type { Grammar } from "../../../words/grammar";

export type Texts = ReturnType<typeof english>;

export default function english({ number }: Grammar) {
  return {
    /** The suits by the first letter of their cards. */
    many: { M: "Masqueraders", R: "Ridottos", I: "Intrigues", D: "Mendicants" },

    stair: "The trick, from the first card up to the last",
    lastStair: "The last trick, from the first card up to the last",
    highest: "the highest card so far",
    emptyStair: "Nothing has been led yet",
    order: "No. 1 is high; Masqueraders beat all.",
    score: ({ points, goal }: { points: number; goal: number }) => `${number(points)} of ${number(goal)}`,
    led: ({ suit }: { suit: string }) => `${suit} are led`,
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
    },
    scoredTrick: "the trick",

    out: "sits out",
    wonGame: "won the game",
    games: ({ won, points }: { won: number; points: number }) => `${number(won)} won, ${number(points)} in all`,

    came: "Came to you",
    went: "Went from you",
    from: ({ name }: { name: string }) => `from ${name}`,
    to: ({ name }: { name: string }) => `to ${name}`,
    justCame: "just received",

    decline: "Exchange nothing",
    prompt: {
      leadAny: "Lead any card: No. 1 is high, No. 8 low.",
      leadBut: "Lead any card but Masqueraders No. 1 to No. 4, which are too high to lead. No. 1 is high, No. 8 low.",
      only: ({ card }: { card: string }) => `Only ${card} can be played.`,
      follow: ({ suit }: { suit: string }) => `Follow with one of your ${suit}: a lower number is a higher card.`,
      mask: "You cannot climb, so play a Masquerader.",
      either: "Follow suit, or play a Masquerader, which beats all other suits.",
      exchange: ({ name }: { name: string }) =>
        `You can neither follow suit nor play a Masquerader: give a card to ${name} in exchange, or keep yours.`,
      return: ({ name, card }: { name: string; card: string }) =>
        `${name} gave you ${card}. Give another card in return.`,
      returnAny: "Give a card in return.",
    },
  };
}
