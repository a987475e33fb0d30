// What happened, in deals and tricks: for the log, and for the tables of past deals.

import type { AnyScene, Entry } from "./scene";
import type { Event } from "./wording";

export type Numbered = { event: Event; number: number };
/** A trick, or another part of a deal: its events, and the cards laid to it in order. */
export type Part = { trick: number; events: Numbered[]; cards: { seat: number; code: string }[]; taker: number };
/** A deal: its number (0 for what came before the first), its parts, and what each side gained in it. */
export type Deal = { number: number; parts: Part[]; gains: number[]; over: boolean };

const BEGINS = ["deal"]; // the kinds of entries that begin a deal, where a game does not say so

/** Whether an event begins a deal. */
export const beginsDeal = (event: Event, scene: AnyScene) =>
  ((scene.begins as string[] | undefined) ?? BEGINS).includes(event.entry[0] as string);

/**
 * The events in deals; `before` deals begin earlier, where the first events are no longer known. Of the last of these a
 * part may be there: it is left out, or, where nothing else is there, shown without numbers of tricks, which nobody knows.
 */
export function dealsOf(events: Numbered[], scene: AnyScene, sides: number, before = 0): Deal[] {
  const closing: string[] = scene.closing ?? [];
  const deals: Deal[] = [];
  let at: Deal | undefined;
  for (const numbered of events) {
    const entry = numbered.event.entry as Entry;
    const [kind] = entry;
    const begins = beginsDeal(numbered.event, scene);
    if (!at || begins) {
      const number = (deals.at(-1)?.number ?? before) + (begins ? 1 : 0);
      at = { number, parts: [part()], gains: Array<number>(sides).fill(0), over: false };
      deals.push(at);
    }
    add(at, numbered, entry, scene);
    for (const [side, points] of scene.gains?.(entry) ?? []) at.gains[side] = (at.gains[side] ?? 0) + points;
    at.over ||= closing.includes(kind);
  }
  const cut = before > 0 && deals[0]?.number === before;
  if (!cut || deals.length > 1) return cut ? deals.slice(1) : deals;
  return deals.map((deal) => ({ ...deal, parts: deal.parts.map((part) => ({ ...part, trick: 0 })) }));
}

/** The end of the deals, with about so many events at most: whole parts go, so that what stays keeps its number. */
export function endOf(deals: Deal[], most: number): Deal[] {
  let room = most;
  const kept: Deal[] = [];
  for (const deal of deals.toReversed()) {
    const parts: Part[] = [];
    for (const part of deal.parts.toReversed()) {
      if (room <= 0) break;
      if (part.events.length) parts.unshift(part);
      room -= part.events.length;
    }
    if (parts.length) kept.unshift({ ...deal, parts });
    if (room <= 0) break;
  }
  return kept;
}

const part = (trick = 0): Part => ({ trick, events: [], cards: [], taker: -1 });

/** Put an event into the part of a deal that it belongs to: a card that is laid after a trick was taken begins another. */
function add(deal: Deal, numbered: Numbered, entry: Entry, scene: AnyScene) {
  const [kind, seat, code] = entry;
  let now = deal.parts.at(-1)!;
  if (scene.tricks && kind === "play") {
    if (!now.trick || now.taker >= 0) deal.parts.push((now = part(now.trick + 1)));
    now.cards.push({ seat: seat as number, code: code as string });
  } else if (scene.tricks && kind === "take") now.taker = seat as number;
  if (numbered.event.says) now.events.push(numbered);
}

/** The moment that decided a sitting: where the winner took the lead for good. */
export type Decided = {
  deal: number; // 0 where there is only one
  first: boolean; // the winner led from the first deal on, or in a single one from the first points on
  trick?: number; // in a single one: where they took the lead, or, where they always led, won most
  points?: number; // won there
  event: Event;
};

/** Where the winner took the lead for good: the deal, and what brought most of it; in a single deal, the very event. */
export function decisive(events: Numbered[], scene: AnyScene, sides: number, winner: number): Decided | null {
  const gains = scene.gains;
  const deals = dealsOf(events, scene, sides).filter(({ parts }) => parts.some((part) => part.events.length));
  if (!gains || !deals.length) return null;
  const named = deals.filter(({ number }) => number);
  const several = named.length > 1;
  const told = (those: Deal[]) => those.flatMap(({ parts }) => parts.flatMap((part) => part.events));
  const counts = (step: { gains: number[] }) => step.gains.some((points) => points !== 0);
  const steps = several
    ? named.map((deal) => ({ deal, gains: deal.gains }))
    : told(deals).map((numbered) => ({ numbered, gains: sumOf(gains(numbered.event.entry as Entry), sides) }));
  const at = leadingFrom(
    steps.map((step) => step.gains),
    winner,
  );
  if (at < 0) return null;
  const tricks = deals.flatMap(({ parts }) => parts.filter(({ trick }) => trick > 0));
  if (!several && scene.games && tricks.length > 1) return ofTricks(tricks, gains, sides, winner);
  const step = steps[at]!;
  if ("numbered" in step) return { deal: 0, first: steps.findIndex(counts) === at, event: step.numbered.event };
  const brought = ({ event }: Numbered) => ahead(sumOf(gains(event.entry as Entry), sides), winner);
  const most = told([step.deal]).toSorted((one, other) => brought(other) - brought(one))[0];
  if (!most || brought(most) <= 0) return null;
  return { deal: step.deal.number, first: at === 0 && step.deal.number === 1, event: most.event };
}

/** The trick in which the winner of a single game took the lead for good; the best one, if the winner always led. */
function ofTricks(
  tricks: Part[],
  gains: NonNullable<AnyScene["gains"]>,
  sides: number,
  winner: number,
): Decided | null {
  const of = ({ event }: Numbered) => sumOf(gains(event.entry as Entry), sides);
  const won = tricks.map(({ events }) =>
    sumOf(
      events.flatMap(({ event }) => gains(event.entry as Entry)),
      sides,
    ),
  );
  const at = leadingFrom(won, winner);
  const first = won.findIndex((sums) => sums.some((points) => points !== 0)) === at;
  const most = won.reduce((best, sums, each) => (ahead(sums, winner) > ahead(won[best]!, winner) ? each : best), 0);
  const found = first ? most : at;
  const brought = tricks[found]?.events.toSorted((one, other) => ahead(of(other), winner) - ahead(of(one), winner))[0];
  if (!brought || ahead(of(brought), winner) <= 0) return null;
  return { deal: 0, first, trick: tricks[found]!.trick, points: won[found]![winner] ?? 0, event: brought.event };
}

function sumOf(gains: [number, number][], sides: number): number[] {
  const sums = Array<number>(sides).fill(0);
  for (const [side, points] of gains) sums[side] = (sums[side] ?? 0) + points;
  return sums;
}

/** By how much a side is ahead of the best of the others. */
const ahead = (sums: number[], winner: number) =>
  (sums[winner] ?? 0) - Math.max(...sums.filter((_, side) => side !== winner));

/** The step after which the winner is ahead until the end; without one, the last that brought the winner something. */
function leadingFrom(steps: number[][], winner: number): number {
  const sums = steps[0]?.map(() => 0) ?? [];
  let from = -1;
  steps.forEach((gains, at) => {
    gains.forEach((points, side) => (sums[side] = (sums[side] ?? 0) + points));
    if (ahead(sums, winner) <= 0) from = -1;
    else if (from < 0) from = at;
  });
  return from >= 0 ? from : steps.findLastIndex((gains) => (gains[winner] ?? 0) > 0);
}
