// What the events tell of a deal: its last trick, where the boys went, and how it ended.

import type { Event, LostHeirEntry } from "../../lib/wire";

export type Trick = { cards: [number, string][]; taker: number };
/** Who took a boy, and what it brought, once that is known; a City card may keep it from counting. */
export type Found = { taker: number; points: number | null; void: boolean };
export type SideStory = {
  tricks: number;
  heir: number;
  wrong: number;
  fines: number;
  failed: boolean;
  gain: number;
  total: number;
};
export type DealStory = { namer: number; bid: number; made: boolean; points: number; sides: SideStory[] };

const entryOf = (event: Event) => event.entry as unknown as LostHeirEntry;
const BOY_SCORES: Record<string, string> = { "HEIR-13": "LH", "HEIR-14": "WB" };

/** The entries since the cards were last dealt. */
export function thisDeal(events: Event[]): LostHeirEntry[] {
  return events.slice(events.findLastIndex((event) => event.entry[0] === "deal") + 1).map(entryOf);
}

/** The tricks of a deal that were taken, in order, and where the boys went with them. */
export function taken(entries: LostHeirEntry[]): { tricks: Trick[]; boys: Record<string, Found> } {
  const tricks: Trick[] = [];
  const boys: Record<string, Found> = {};
  let cards: [number, string][] = [];
  for (const entry of entries) {
    const last = tricks.at(-1);
    if (entry[0] === "play") {
      cards = [...cards, [entry[1], entry[2]]];
    } else if (entry[0] === "take") {
      tricks.push({ cards, taker: entry[1] });
      for (const [, code] of cards)
        if (code === "LH" || code === "WB") boys[code] = { taker: entry[1], points: null, void: false };
      cards = [];
    } else if (entry[0] === "void" && last) {
      boys[entry[1]] = { taker: last.taker, points: null, void: true };
    } else if (entry[0] === "score") {
      const boy = BOY_SCORES[entry[3]];
      if (boy && last) boys[boy] = { taker: last.taker, points: entry[2], void: false };
    }
  }
  return { tricks, boys };
}

/** How the last deal ended, until trumps are named in the next one. */
export function ended(events: Event[]): DealStory | null {
  const close = events.findLastIndex(
    ({ entry }) => entry[0] === "total" || entry[0] === "trump" || entry[0] === "redeal",
  );
  const last = events[close] && entryOf(events[close]);
  if (last?.[0] !== "total") return null;
  const entries = thisDeal(events.slice(0, close));
  const story: DealStory = { namer: -1, bid: 1, made: true, points: 0, sides: [] };
  story.sides = last[1].map((total) => ({ tricks: 0, heir: 0, wrong: 0, fines: 0, failed: false, gain: 0, total }));
  for (const entry of entries) {
    if (entry[0] === "bid") story.bid = Math.max(story.bid, entry[2]);
    else if (entry[0] === "trump") story.namer = entry[1];
    else if (entry[0] === "score") {
      const side = story.sides[entry[1]];
      const what = ({ "HEIR-12": "tricks", "HEIR-13": "heir", "HEIR-14": "wrong", "HEIR-15": "fines" } as const)[
        entry[3]
      ];
      if (!side || !what) continue;
      side[what] += entry[2];
      side.gain += entry[2];
    } else if (entry[0] === "fail") {
      story.made = false;
      const side = story.sides[entry[1]];
      if (side) side.failed = true;
    }
  }
  if (story.namer < 0) return null;
  story.points = story.sides[story.namer % story.sides.length]?.gain ?? 0;
  for (const side of story.sides) if (side.failed) side.gain = side.fines;
  return story;
}
