// What the table of Change for a Sovereign says in English.

import type { Grammar } from "../../../words/grammar";

const PENCE = 12; // a shilling

export type Texts = ReturnType<typeof english>;

export default function english({ and, capital, number, plural }: Grammar) {
  const counters = ({ count }: { count: number }) => plural(count, { one: "counter", other: "counters" });

  /** A sum in shillings and pence: "12s 6d", "5s", "6d". */
  function money({ pence }: { pence: number }): string {
    const [shillings, rest] = [Math.floor(pence / PENCE), pence % PENCE];
    return [shillings && `${number(shillings)}s`, rest && `${number(rest)}d`].filter(Boolean).join(" ") || "0s";
  }

  return {
    money,
    value: { sovereign: "£1" },
    worth: { sovereign: "no change" },
    counters,

    game: ({ at, of }: { at: number; of: number }) => `Game ${number(at)} of ${number(of)}`,
    round: ({ at }: { at: number }) => `Round ${number(at)}`,
    drawing: "drawing allowed",
    left: "On the left",
    across: "Across the table",
    right: "On the right",
    toRight: "on your right",
    known: ({ name }: { name: string }) => `What ${name} is known to hold`,

    general: "General pool",
    sovereign: "Sovereign pool",
    penalties: ({ count }: { count: number }) => `${number(count)} of it from penalties`,
    staked: ({ count }: { count: number }) => `staked ${number(count)}`,
    stakedBy: ({ names }: { names: string[] }) =>
      `staked by ${names.length > 1 ? `${number(names.length)} players` : names[0]}`,
    stakedHere: ({ count }: { count: number }) => `${counters({ count })} in the sovereign pool`,
    surplus: "Surplus",
    aside: "Thrown out",
    cards: ({ count }: { count: number }) => (count ? plural(count, { one: "card", other: "cards" }) : "none"),
    thrownByYou: "You threw out",
    lastChange: ({ name }: { name: string }) => `${name} gave change in the last game`,
    took: ({ count }: { count: number }) => `and took ${counters({ count })}`,

    offers: ({ name, you, sum }: { name: string; you: boolean; sum: string }) =>
      `${name} ${you ? "lay" : "lays"} down ${sum}`,
    exactly: "exactly a sovereign",
    wrong: "not a sovereign",
    withSovereign: "the Sovereign does not count as change",
    takes: ({ name, you, isGeneral, count }: { name: string; you: boolean; isGeneral: boolean; count: number }) =>
      `${name} ${you ? "take" : "takes"} the ${isGeneral ? "general" : "sovereign"} pool: ${counters({ count })}.`,
    shows: ({ name, you }: { name: string; you: boolean }) => `${name} ${you ? "show" : "shows"} the sovereign too.`,
    pays: ({ name, you, count }: { name: string; you: boolean; count: number }) =>
      `${name} ${you ? "pay" : "pays"} ${counters({ count })} to the general pool.`,
    swap: ({ names }: { names: string[] }) =>
      capital(`${and(names)} each throw out a card and take one from the surplus.`),
    laid: ({ name }: { name: string }) => `Laid down by ${name}`,

    abacus: "Adding up",
    pick: ({ wanted }: { wanted: string }) => `Make exactly ${wanted}: press coins to add them up.`,
    coinage: "12d (pence) make 1s (a shilling)",
    sumOf: ({ sum, wanted }: { sum: string; wanted: string }) => `${sum} of ${wanted}`,
    short: ({ sum }: { sum: string }) => `${sum} short`,
    over: ({ sum }: { sum: string }) => `${sum} too much`,
    exact: "exact change",
    notSovereign: "the sovereign adds nothing",
    putBack: "Put back",
    hand: "Your coins",
    alike: ({ at, of }: { at: number; of: number }) => `${number(at)} of ${number(of)}`,
    throw: "Throw out",
    throwThis: ({ name }: { name: string }) => `Throw out the ${name.toLowerCase()}`,
    layDown: "Lay down the change",
    offer: ({ sum }: { sum: string }) => `Offer ${sum} as change`,
    leave: "Keep my hand",
    takeSurplus: "Take from the surplus",
    steps: {
      leave: "keep the hand",
      "take surplus": "take from the surplus",
      "take neighbour": "draw from the neighbour",
      "offer done": "lay down the change",
    },
    drawFrom: ({ name }: { name: string }) => `Draw from ${name}`,

    prompts: {
      start: "Give change, throw out a coin, or keep your hand.",
      short: "You cannot give change yet: throw out a coin, or keep your hand.",
      must: "You can give change, so here you must: choose the coins.",
      erred: "Throw out a coin and take another before you offer again, or keep your hand.",
      take: "Now take a card from the surplus.",
      takeEither: ({ name }: { name: string }) => `Take from the surplus, or draw unseen from ${name}.`,
      after: "You can give change now: choose the coins, or keep your hand.",
      afterUnsure: "Give change if you can, or keep your hand.",
      offering: "Choose coins that make 20s to the penny.",
      ready: "Exactly a sovereign: lay it down when you like.",
      offeringAny: "Add coins, or lay the offer down. It must be 20s to the penny.",
    },
  };
}
