// How what happens at the table of Heraldry is seen: a card comes beside what it takes, and all leave for the taker.

import type { Flight, Scene } from "../../lib/stage.svelte";
import type { HeraldryView } from "../../lib/wire";

const at = <Item>(list: Item[], seat: number, change: (item: Item) => Item): Item[] =>
  list.map((item, number) => (number === seat ? change(item) : item));
const without = (cards: string[], gone: string[]): string[] => cards.filter((code) => !gone.includes(code));

/** What lay ready to be taken is won, and it is nobody's turn until that is said. */
function settled(view: HeraldryView): HeraldryView {
  const taken = view.playing ? [...view.taking, view.playing] : view.taking;
  if (!taken.length) return { ...view, to_act: -1 };
  return {
    ...view,
    to_act: -1,
    playing: null,
    taking: [],
    grouping: [],
    won: at(view.won, view.last_taker, (cards) => [...cards, ...taken]),
  };
}

/** A card leaves a hand. */
function leaving(view: HeraldryView, seat: number, card: string): HeraldryView {
  return {
    ...view,
    to_act: seat,
    hand: without(view.hand, [card]),
    hand_sizes: at(view.hand_sizes, seat, (size) => size - 1),
  };
}

const shows = {
  dealer: (view: HeraldryView, dealer: number): HeraldryView => ({ ...view, dealer }),
  deal: (view: HeraldryView): HeraldryView => ({
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
    last_taker: -1,
  }),
  hand: (view: HeraldryView, seat: number, cards: string[] | null): HeraldryView => {
    const now = settled(view);
    if (!cards) return now;
    return {
      ...now,
      hand: seat === now.seat ? cards : now.hand,
      hand_sizes: at(now.hand_sizes, seat, () => cards.length),
    };
  },
  table: (view: HeraldryView, cards: string[]): HeraldryView => {
    const now = settled(view);
    return { ...now, table: [...now.table, ...cards] };
  },
  capture: (view: HeraldryView, seat: number, card: string, cards: string[]): HeraldryView => {
    const now = leaving(settled(view), seat, card);
    return { ...now, table: without(now.table, cards), playing: card, taking: cards, last_taker: seat };
  },
  discard: (view: HeraldryView, seat: number, card: string): HeraldryView => {
    const now = leaving(settled(view), seat, card);
    return { ...now, table: [...now.table, card] };
  },
  sweep: (view: HeraldryView, seat: number, cards: string[]): HeraldryView => ({
    ...settled(view),
    table: [],
    taking: cards,
    last_taker: seat,
  }),
  score: (view: HeraldryView, seat: number, points: number): HeraldryView => {
    const now = settled(view);
    return { ...now, totals: at(now.totals, seat, (total) => total + points) };
  },
  total: (view: HeraldryView, totals: number[]): HeraldryView => ({ ...settled(view), totals }),
};

export const scene: Scene = {
  shows,
  beats: { deal: 300, hand: 130, table: 600, capture: 1150, discard: 520, sweep: 1300, score: 800, total: 3200 },
  // whatever leaves the table was won
  leaves: () => "taker",
  flies: ([kind, seat, cards]): Flight | null =>
    kind === "hand"
      ? { what: "card", count: (cards as string[] | null)?.length ?? 3, from: "pack", to: `seat ${seat as number}` }
      : null,
  sounds: { hand: "card", table: "card", capture: "card", discard: "card", sweep: "sweep" },
};
