// How the events of Heraldry are shown: a card comes beside what it takes, and all of them leave for the taker.

import type { Claims, Scene } from "../../lib/scene";
import type { HeraldryEntry, HeraldryView } from "./wire";

const at = <Item>(list: Item[], seat: number, change: (item: Item) => Item): Item[] =>
  list.map((item, number) => (number === seat ? change(item) : item));
const without = (cards: string[], gone: string[]): string[] => cards.filter((code) => !gone.includes(code));

/** Cards that lay ready to be taken are won, and it is nobody's turn until the server says whose. */
export function settled(view: HeraldryView): HeraldryView {
  const taken = view.playing ? [...view.taking, view.playing] : view.taking;
  if (!taken.length) return { ...view, to_act: -1 };
  const won = at(view.won, view.last_taker, (cards) => [...cards, ...taken]);
  return { ...view, to_act: -1, playing: null, taking: [], grouping: [], won };
}

/** A card leaves a hand. */
function leaving(view: HeraldryView, seat: number, card: string): HeraldryView {
  return {
    ...view,
    to_act: -1,
    hand: without(view.hand, [card]),
    hand_sizes: at(view.hand_sizes, seat, (size) => size - 1),
  };
}

const shows: Scene<HeraldryView, HeraldryEntry>["shows"] = {
  dealer: (view, dealer) => ({ ...view, dealer }),
  deal: (view) => ({
    ...view,
    to_act: -1,
    deal: view.deal + 1,
    hand: [],
    hand_sizes: view.hand_sizes.map(() => 0),
    table: [],
    playing: null,
    taking: [],
    grouping: [],
    won: view.won.map(() => []),
    sweeps: view.sweeps.map(() => 0),
    last_taker: -1,
  }),
  hand: (view, seat, cards) => {
    const now = settled(view);
    if (!cards) return now;
    const sizes = at(now.hand_sizes, seat, () => cards.length);
    return { ...now, hand: seat === now.seat ? cards : now.hand, hand_sizes: sizes };
  },
  table: (view, cards) => {
    const now = settled(view);
    return { ...now, table: [...now.table, ...cards] };
  },
  capture: (view, seat, card, cards) => {
    const now = leaving(settled(view), seat, card);
    return { ...now, table: without(now.table, cards), playing: card, taking: cards, last_taker: seat };
  },
  discard: (view, seat, card) => {
    const now = leaving(settled(view), seat, card);
    return { ...now, table: [...now.table, card] };
  },
  sweep: (view, seat, cards) => ({ ...settled(view), table: [], taking: cards, last_taker: seat }),
  score: (view, seat, points) => {
    const now = settled(view);
    return { ...now, totals: at(now.totals, seat, (total) => total + points) };
  },
  total: (view, totals) => ({ ...settled(view), totals }),
};

export const scene: Scene<HeraldryView, HeraldryEntry> = {
  shows,
  beats: { deal: 300, hand: 130, table: 600, capture: 1150, discard: 520, sweep: 1300, score: 800, total: 3200 },
  reads: ["capture", "sweep", "score"],
  closing: ["total"],
  gains: (entry) => (entry[0] === "score" ? [[entry[1], entry[2]]] : []),
  leaves: () => "taker", // every card that leaves the table was won
  flies: (entry) =>
    entry[0] === "hand" ? { what: "card", count: entry[2]?.length ?? 3, from: "pack", to: `seat ${entry[1]}` } : null,
  sounds: { hand: "card", table: "card", capture: "card", discard: "card", sweep: "sweep" },
  scores: (view) => view.totals.map((score) => ({ score })),
  sign: "13 58 30 32",
  scoring: ["score", "total"],
};

export const claims: Claims<HeraldryView, HeraldryEntry> = {
  dealer: ["total"],
  deal: [],
  hand: [],
  hand_sizes: ["hand"],
  table: [],
  playing: [],
  taking: [],
  grouping: [],
  won: [],
  last_taker: [],
  sweeps: ["capture"], // which count only under twelfth: sweep
  totals: [],
};
