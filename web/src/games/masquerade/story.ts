// What the events tell of the trick on the stair and the one before it, of points just scored, and of cards passed on.

import type { Event } from "../../lib/wording";
import type { MasqueradeEntry } from "./wire";

/** Points, and the clause they are scored by; `taking` those for the trick. */
export type Mark = { points: number; clause: string; taking: boolean };

export type Laid = { seat: number; code: string; marks: Mark[] };

/** Cards in playing order, who sat out, and how it ended. */
export type Trick = { laid: Laid[]; out: number[]; end: Event | null };

/** A card that came to one's own hand from another seat, or went there. */
export type Passed = { code: string; seat: number; came: boolean };

/** How high each card of a trick stands: a step above the highest before it; at the foot of the stair if it is lower. */
export function heights(codes: string[], ranks: Record<string, number>): { levels: number[]; highest: number } {
  const levels: number[] = [];
  let highest = -1;
  codes.forEach((code, at) => {
    const climbs = highest < 0 || (ranks[code] ?? 0) > (ranks[codes[highest]!] ?? 0);
    levels.push(climbs && highest >= 0 ? levels[highest]! + 1 : 0);
    if (climbs) highest = at;
  });
  return { levels, highest };
}

export type Story = { now: Trick; before: Trick | null; gains: (Mark & { seat: number })[]; passed: Passed[] };

const ENOUGH = 160; // events, in which the last two tricks surely are

const empty = (): Trick => ({ laid: [], out: [], end: null });

export function story(events: Event[], seat: number): Story {
  const told: Story = { now: empty(), before: null, gains: [], passed: [] };
  for (const event of events.slice(-ENOUGH)) tell(told, event, seat);
  return told;
}

function tell(told: Story, event: Event, own: number) {
  const entry = event.entry as MasqueradeEntry;
  switch (entry[0]) {
    case "play":
      told.now.laid.push({ seat: entry[1], code: entry[2], marks: [] });
      told.gains = [];
      if (entry[1] === own) told.passed = [];
      break;
    case "skip":
      told.now.out.push(entry[1]);
      break;
    case "give":
    case "return":
      if (entry[2] && entry[3] === own) told.passed.push({ code: entry[2], seat: entry[1], came: true });
      else if (entry[2] && entry[1] === own) told.passed.push({ code: entry[2], seat: entry[3], came: false });
      break;
    case "draw":
      if (entry[3] && entry[1] === own) told.passed.push({ code: entry[3], seat: entry[2], came: true });
      else if (entry[3] && entry[2] === own) told.passed.push({ code: entry[3], seat: entry[1], came: false });
      break;
    case "take":
      told.before = { ...told.now, end: event };
      told.now = empty();
      told.passed = [];
      break;
    case "score":
      score(told, entry[1], entry[2], entry[3]);
      break;
    case "game":
      if (told.now.laid.length) told.before = told.now;
      if (told.before) told.before = { ...told.before, end: event };
      told.now = empty();
      told.gains = [];
      break;
    case "deal":
      told.passed = [];
      break;
  }
}

/** Points belong to the card just laid, to the card that took the trick, or to the seat alone. */
function score(told: Story, seat: number, points: number, clause: string) {
  const taking = told.before !== null && told.now.laid.length === 0;
  const mark = { points, clause, taking };
  const last = taking ? told.before!.laid.find((each) => each.seat === seat) : told.now.laid.at(-1);
  const byCard = taking ? clause !== "MASQ-13" : clause !== "MASQ-17";
  if (last && last.seat === seat && byCard) last.marks.push(mark);
  else told.gains.push({ seat, ...mark });
}
