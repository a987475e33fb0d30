// How what happens in Lost Heir is shown: cards come into the trick, the trick goes to its taker, points are added.

import type { Scene } from "../../lib/stage.svelte";
import type { LostHeirView as View } from "../../lib/wire";

const FINE = "HEIR-15"; // a score that comes while the trick still lies

const put = <Value>(list: Value[], at: number, value: Value) =>
  list.map((each, place) => (place === at ? value : each));
const add = (list: number[], at: number, more: number) => put(list, at, (list[at] ?? 0) + more);
const zeros = (list: number[]) => list.map(() => 0);

export const scene: Scene = {
  shows: {
    dealer: (view: View, seat: number): View => ({ ...view, dealer: seat }),
    deal: (view: View): View => ({
      ...view,
      bids: view.bids.map(() => null),
      bid: 0,
      namer: -1,
      trump: null,
      trick: [],
      gone: [],
      points: zeros(view.points),
      fines: zeros(view.fines),
      to_act: -1,
    }),
    hand: (view: View, seat: number, cards: string[] | null): View =>
      cards && seat === view.seat ? { ...view, hand: cards } : view,
    bid: (view: View, seat: number, bid: number): View => ({
      ...view,
      to_act: -1,
      bids: put(view.bids, seat, bid),
      ...(bid > view.bid ? { bid, namer: seat } : {}),
    }),
    trump: (view: View, seat: number, suit: string): View => ({
      ...view,
      namer: seat,
      trump: suit,
      leader: seat,
      to_act: -1,
    }),
    play: (view: View, seat: number, card: string): View => ({
      ...view,
      to_act: -1,
      trick: [...view.trick, [seat, card]],
      hand: view.hand.filter((code) => code !== card),
      hand_sizes: add(view.hand_sizes, seat, -1),
    }),
    take: (view: View, seat: number): View => ({ ...view, leader: seat }),
    score: (view: View, side: number, points: number, clause: string): View =>
      clause === FINE
        ? { ...view, fines: add(view.fines, side, points) }
        : {
            ...view,
            points: add(view.points, side, points),
            tricks_left: view.tricks_left - (view.trick.length ? 1 : 0),
            gone: [...view.gone, ...view.trick.map(([, card]) => card)],
            trick: [],
          },
    fail: (view: View, side: number): View => ({ ...view, points: put(view.points, side, 0) }),
    total: (view: View, totals: number[]): View => ({
      ...view,
      totals,
      points: zeros(view.points),
      fines: zeros(view.fines),
    }),
  },
  beats: {
    hand: 90,
    bid: 420,
    redeal: 1400,
    trump: 1100,
    play: 430,
    take: 850,
    void: 1200,
    score: 300,
    fail: 900,
    total: 1600,
  },
  leaves: ([kind, , , clause]) => (kind === "score" && clause !== FINE ? "taker" : null),
  flies: ([kind, seat]) =>
    kind === "hand" ? { what: "card", count: 4, from: "middle", to: `seat ${seat as number}` } : null,
  sounds: { hand: "card", bid: "card", trump: "card", play: "card", take: "sweep" },
};
