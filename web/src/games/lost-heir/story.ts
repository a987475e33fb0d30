// What the events tell of a deal: its last trick, where the boys went, and how it ended.

import type { Event } from "../../lib/wording";
import type { LostHeirEntry } from "./wire";

export type Trick = { cards: [number, string][]; taker: number };
/** Who took a boy, and the points for it once they are known; a City card may keep it from counting. */
export type Found = { taker: number; points: number | null; void: boolean };
/** What a side scored in a deal by each clause, what of it was lost with a bid, and its total after the deal. */
export type SideStory = { scores: Record<string, number>; gain: number; failed: boolean; total: number };
/** A deal that is over; `points` are those that the highest bidder's side made. */
export type DealStory = {
  namer: number;
  bid: number;
  made: boolean;
  points: number;
  sides: SideStory[];
  fines: string[]; // the clauses by which fines were paid
  voids: { boy: string; cities: string[] }[]; // the boys that did not count, and the City cards in their trick
  next: boolean; // the next deal has begun
};

const entryOf = (event: Event) => event.entry as unknown as LostHeirEntry;
const CITY_CARDS = ["NY", "PH"];
const BOYS_BY_CLAUSE: Record<string, string> = { "HEIR-13": "LH", "HEIR-14": "WB" }; // the scores that a boy brings

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
        if (Object.values(BOYS_BY_CLAUSE).includes(code)) boys[code] = { taker: entry[1], points: null, void: false };
      cards = [];
    } else if (entry[0] === "void" && last) {
      boys[entry[1]] = { taker: last.taker, points: null, void: true };
    } else if (entry[0] === "score") {
      const boy = BOYS_BY_CLAUSE[entry[3]];
      if (boy && last) boys[boy] = { taker: last.taker, points: entry[2], void: false };
    }
  }
  return { tricks, boys };
}

/** How the last deal ended, until somebody bids in the next one. */
export function ended(events: Event[], sideOf: (seat: number) => number): DealStory | null {
  const close = events.findLastIndex(({ entry }) => ["total", "bid", "trump", "redeal"].includes(entry[0] as string));
  const end = events[close] && entryOf(events[close]);
  if (end?.[0] !== "total") return null;
  const sides = end[1].map((total): SideStory => ({ scores: {}, gain: 0, failed: false, total }));
  const story: DealStory = { namer: -1, bid: 1, made: true, points: 0, sides, fines: [], voids: [], next: false };
  story.next = events.slice(close).some(({ entry }) => entry[0] === "deal");
  let trick: string[] = []; // the cards on the table: a score then is a fine
  let last: string[] = []; // those of the last trick
  for (const entry of thisDeal(events.slice(0, close))) {
    if (entry[0] === "bid") story.bid = Math.max(story.bid, entry[2]);
    else if (entry[0] === "trump") story.namer = entry[1];
    else if (entry[0] === "play") trick.push(entry[2]);
    else if (entry[0] === "take") [last, trick] = [trick, []];
    else if (entry[0] === "void")
      story.voids.push({ boy: entry[1], cities: last.filter((code) => CITY_CARDS.includes(code)) });
    else if (entry[0] === "score") {
      const [, side, points, clause] = entry;
      add(sides[side]!, points, clause);
      if (trick.length && !story.fines.includes(clause)) story.fines.push(clause);
    } else if (entry[0] === "fail") {
      story.points = sides[entry[1]]!.gain;
      Object.assign(sides[entry[1]]!, { failed: true, gain: story.points - entry[2] });
      story.made = false;
    }
  }
  if (story.namer < 0) return null;
  if (story.made) story.points = sides[sideOf(story.namer)]?.gain ?? 0;
  return story;
}

function add(side: SideStory, points: number, clause: string) {
  side.scores[clause] = (side.scores[clause] ?? 0) + points;
  side.gain += points;
}
