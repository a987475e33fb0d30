// What happened, in deals and tricks: for the log, and for the tables of past deals.

import type { AnyScene, Entry } from "./scene";
import type { Event } from "./wording";

export type Numbered = { event: Event; number: number };
/** A trick, or another part of a deal: its events, and the cards laid to it in order. */
export type Part = { trick: number; events: Numbered[]; cards: { seat: number; code: string }[]; taker: number };
/** A deal: its number (0 for what came before the first), its parts, and what each side gained in it. */
export type Deal = { number: number; parts: Part[]; gains: number[]; over: boolean };

const BEGINS = ["deal"]; // the kinds of entries that begin a deal, where a game does not say so

/** The events in deals; `last` is the number of the last deal, where the first ones are no longer known. */
export function dealsOf(events: Numbered[], scene: AnyScene, sides: number, last?: number): Deal[] {
  const begins: string[] = scene.begins ?? BEGINS;
  const closing: string[] = scene.closing ?? [];
  const deals: Deal[] = [];
  let at: Deal | undefined;
  for (const numbered of events) {
    const entry = numbered.event.entry as Entry;
    const [kind] = entry;
    if (!at || begins.includes(kind)) {
      const number = begins.includes(kind) ? (deals.at(-1)?.number ?? 0) + 1 : 0;
      at = { number, parts: [part()], gains: Array<number>(sides).fill(0), over: false };
      deals.push(at);
    }
    add(at, numbered, entry, scene);
    for (const [side, points] of scene.gains?.(entry) ?? []) at.gains[side] = (at.gains[side] ?? 0) + points;
    at.over ||= closing.includes(kind);
  }
  const shift = last === undefined ? 0 : last - (deals.at(-1)?.number ?? 0);
  return deals.map((deal) => (deal.number ? { ...deal, number: Math.max(1, deal.number + shift) } : deal));
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

/** The moment that decided a sitting: in the deal that brought the winner most, what brought most of it. */
export function decisive(
  events: Numbered[],
  scene: AnyScene,
  sides: number,
  winner: number,
): { deal: number; event: Event } | null {
  const deals = dealsOf(events, scene, sides);
  const lead = ({ gains }: Deal) => (gains[winner] ?? 0) - Math.max(...gains.filter((_, side) => side !== winner));
  const best = deals.toSorted((one, other) => lead(other) - lead(one))[0];
  if (!best || !scene.gains) return null;
  const gained = ({ event }: Numbered) =>
    scene.gains!(event.entry as Entry).reduce((sum, [side, points]) => sum + (side === winner ? points : 0), 0);
  const most = best.parts.flatMap((each) => each.events).toSorted((one, other) => gained(other) - gained(one))[0];
  if (!most || gained(most) <= 0) return null;
  return { deal: deals.filter(({ number }) => number).length > 1 ? best.number : 0, event: most.event };
}
