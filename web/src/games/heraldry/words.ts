// What the table of Heraldry says.

import { and, plural } from "../../words/grammar";

export const heraldry = {
  // what to do next
  play: "Play a card that wins something.",
  lay: "Nothing you hold can win: lay a card on the table.",
  choose: (card: string, value: number) => `What does the ${card} take? Pick cards that make ${value}.`,
  short: (parts: string, more: number) => `${parts} + … ${more} more`,
  more: (value: number, more: number) => `${more} more to make ${value}.`,
  another: (value: number) => `There is more to take: another ${value}.`,
  content: (value: number) => `Take another ${value}, or leave it at that.`,
  done: "Take these",
  all: "Choose a different card",
  chooseTaker: (cards: string) => `More than one of your cards can take it: choose ${cards}.`,

  // the groups
  beingTaken: "Being taken",
  takesWith: "Taken with",
  group: (number: number) => `Group ${number}`,
  sum: (parts: string, value: number) => `${parts} = ${value}`,
  match: (value: number) => `= ${value}`,
  canTake: (cards: string) => `can take ${cards}`,
  takenBy: (cards: string) => `within reach of ${cards}`,
  and,

  // around the table
  packShort: "in the pack",
  packEmpty: "The pack is dealt out",
  deal: (number: number) => `Deal ${number}`,
  tookLast: "took last",
  look: (name: string, you: boolean, count: number) =>
    `${you ? "You have" : `${name} has`} won ${plural(count, "card", "cards")}${count ? ": look at them" : " so far"}`,
  wonBy: (name: string, you: boolean) => (you ? "What you have won" : `What ${name.replace(/^The /, "the ")} has won`),

  // what counts
  cards: (count: number) => plural(count, "card", "cards"),
  /** What somebody has won of the cards that count, by clause. */
  counted: {
    "HER-10": ({ length }) => plural(length, "Diamond", "Diamonds"),
    "HER-11": ([name]) => `${name}`,
    "HER-12": ([name]) => `${name}`,
    "HER-13": ({ length }) => plural(length, "Crown", "Crowns"),
  } as Record<string, (names: string[]) => string>,
  count: "The count of the deal",
  lastCount: "Last count",
  totals: "The score",
};
