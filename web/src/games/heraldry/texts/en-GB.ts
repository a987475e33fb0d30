// What the table of Heraldry says in English.

import type { Grammar } from "../../../words/grammar";

export type Texts = ReturnType<typeof english>;

export default function english({ and, number, or, plural }: Grammar) {
  const cards = ({ count }: { count: number }) => plural(count, { one: "card", other: "cards" });
  return {
    // what to do next
    play: "Every card you hold can take: play one.",
    must: "You can take, so you must: play a card that can.",
    lay: "None of your cards can take: lay one on the table.",
    freely: "Take with a card, or lay any card on the table.",
    orLay: "Take these, or lay your card on the table?",
    chooseOrLay: ({ value }: { value: number }) =>
      `Pick cards that make ${number(value)}, or lay your card on the table.`,
    choose: ({ card, value }: { card: string; value: number }) =>
      `What does the ${card} take? Pick cards that make ${number(value)}.`,
    short: ({ parts, more }: { parts: string; more: number }) => `${parts} + … ${number(more)} more`,
    more: ({ value, more }: { value: number; more: number }) => `${number(more)} more to make ${number(value)}.`,
    another: ({ value }: { value: number }) => `There is more to take: another ${number(value)}.`,
    content: ({ value }: { value: number }) => `Take another ${number(value)}, or only these.`,
    done: "Take these",
    down: "Lay it down",
    steps: { "take done": "take no more", lay: "lay it down" },
    all: "Choose a different card",
    chooseTaker: ({ cards }: { cards: string[] }) => `More than one of your cards can take it: choose ${or(cards)}.`,

    // the groups
    beingTaken: "Being taken",
    takesWith: "Taken with",
    group: ({ number: group }: { number: number }) => `Group ${number(group)}`,
    sum: ({ parts, value }: { parts: string; value: number }) => `${parts} = ${number(value)}`,
    match: ({ value }: { value: number }) => `= ${number(value)}`,
    counts: ({ points }: { points: number }) => `counts ${plural(points, { one: "point", other: "points" })}`,
    canTake: ({ cards }: { cards: string[] }) => `can take ${and(cards)}`,
    takesAtOnce: ({ cards }: { cards: string[] }) => `takes ${and(cards)} at once`,
    takenBy: ({ cards }: { cards: string[] }) => `within reach of ${and(cards)}`,

    // around the table
    packShort: "in the pack",
    packEmpty: "The pack is empty",
    deal: ({ number: deal }: { number: number }) => `Deal ${number(deal)}`,
    tookLast: "took last",
    look: ({ name, you, count }: { name: string; you: boolean; count: number }) =>
      `${you ? "You have" : `${name} has`} won ${cards({ count })}${count ? ": look at them" : " so far"}`,
    wonBy: ({ name, you }: { name: string; you: boolean }) =>
      you ? "What you have won" : `What ${name.replace(/^The /, "the ")} has won`,

    // what counts
    cards,
    /** What somebody has won of the cards that count, by clause. */
    counted: {
      "HER-10": ({ names }: { names: string[] }) => plural(names.length, { one: "Diamond", other: "Diamonds" }),
      "HER-11": ({ names }: { names: string[] }) => `${names[0]}`,
      "HER-12": ({ names }: { names: string[] }) => `${names[0]}`,
      "HER-13": ({ names }: { names: string[] }) => plural(names.length, { one: "Crown", other: "Crowns" }),
    },
    sweeps: ({ count }: { count: number }) => plural(count, { one: "sweep", other: "sweeps" }),
    nobody: "nobody",
    quantity: ({ name, count }: { name: string; count: number }) => `${name} ${number(count)}`,
    count: "The count of the deal",
    lastCount: "Last count",
    totals: "The score",
  };
}
