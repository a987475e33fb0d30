// What the table of sovereign says, and the money it counts in: twelve pence a shilling, twenty shillings a sovereign.

import { VALUES } from "./wire";

/** A sovereign, in pence. */
export const WANTED = 20 * 12;

/** A sum in shillings and pence: "12s 6d", "5s", "6d". */
export function money(pence: number): string {
  const [shillings, rest] = [Math.floor(pence / 12), pence % 12];
  return [shillings && `${shillings}s`, rest && `${rest}d`].filter(Boolean).join(" ") || "0s";
}

/** A number with a real minus sign: counters staked are owed. */
export const signed = (count: number) => String(count).replace("-", "−");

const counted = (count: number) => `${signed(count)} ${Math.abs(count) === 1 ? "counter" : "counters"}`;

export const sovereign = {
  value: (code: string) => (code === "SOV" ? "£1" : money(VALUES[code] ?? 0)),
  worth: (code: string) => (code === "SOV" ? "no change" : money(VALUES[code] ?? 0)),
  counters: counted,

  game: (at: number, of: number) => `Game ${at} of ${of}`,
  round: (at: number) => `Round ${at}`,
  drawing: "drawing allowed",
  left: "At the left",
  across: "Across the table",
  right: "At the right",
  toRight: "at your right",
  known: (name: string) => `What ${name} is known to hold`,

  general: "General pool",
  sovereign: "Sovereign pool",
  penalties: (count: number) => `${count} of it from penalties`,
  stakedBy: (names: string[]) => `staked by ${names.length > 1 ? `${names.length} players` : names[0]}`,
  stakedHere: (count: number) => `${counted(count)} in the sovereign pool`,
  surplus: "Surplus",
  aside: "Thrown out",
  cards: (count: number) => (count ? `${count} ${count === 1 ? "card" : "cards"}` : "none"),
  thrownByYou: "You threw out",
  lastChange: (name: string) => `${name} gave change in the last game`,
  took: (counters: number) => `and took ${counted(counters)}`,

  offers: (name: string, you: boolean, sum: string) => `${name} ${you ? "lay" : "lays"} down ${sum}`,
  exactly: "exactly a sovereign",
  wrong: "not a sovereign",
  withSovereign: "the sovereign card is no part of change",
  takes: (name: string, you: boolean, pool: string, count: number) =>
    `${name} ${you ? "take" : "takes"} the ${pool} pool: ${counted(count)}.`,
  shows: (name: string, you: boolean) => `${name} ${you ? "show" : "shows"} the sovereign too.`,
  pays: (name: string, you: boolean, count: number) =>
    `${name} ${you ? "pay" : "pays"} ${counted(count)} to the general pool.`,
  laid: (name: string) => `Laid down by ${name}`,

  abacus: "Adding up",
  pick: "Press coins to add them up.",
  sumOf: (sum: string) => `${sum} of 20s`,
  wanting: (sum: string) => `${sum} short`,
  over: (sum: string) => `${sum} too much`,
  exact: "exact change",
  notSovereign: "the sovereign adds nothing",
  putBack: "Put back",
  hand: "Your coins",
  throw: "Throw out",
  throwThis: (name: string) => `Throw out the ${name.toLowerCase()}`,
  layDown: "Lay down the change",
  offer: (sum: string) => `Offer ${sum} as change`,
  leave: "Keep my hand",
  takeSurplus: "Take from the surplus",
  drawFrom: (name: string) => `Draw from ${name}`,

  prompts: {
    start: "Give change, throw out a coin, or keep your hand.",
    short: "You cannot give change yet: throw out a coin, or keep your hand.",
    must: "You can give change, so here you must: choose the coins.",
    erred: "Throw out a coin and take another before you offer again, or keep your hand.",
    take: "Now take a card from the surplus.",
    takeEither: (name: string) => `Take from the surplus, or draw unseen from ${name}.`,
    after: "You can give change now: choose the coins, or keep your hand.",
    afterUnsure: "Give change if you can, or keep your hand.",
    offering: "Choose coins that make 20s to the penny.",
    ready: "Exactly a sovereign: lay it down when you like.",
    offeringAny: "Add coins, or lay the offer down. It must be 20s to the penny.",
  },
};
