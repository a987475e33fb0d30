// How the events of Lost Heir are shown: cards come into the trick, the trick goes to its taker, points are added.

import type { Claims, Scene } from "../../lib/scene";
import { sorted } from "./cards";
import type { LostHeirEntry, LostHeirView } from "./wire";

/** The view, and whether the trick on the table was taken: points scored before that are a fine. */
export type Shown = LostHeirView & { taken?: boolean };

const put = <Value>(list: Value[], at: number, value: Value) =>
  list.map((each, place) => (place === at ? value : each));
const add = (list: number[], at: number, more: number) => put(list, at, (list[at] ?? 0) + more);
const zeros = (list: number[]) => list.map(() => 0);

export const scene: Scene<Shown, LostHeirEntry> = {
  shows: {
    dealer: (view, seat) => ({ ...view, dealer: seat }),
    deal: (view) => ({
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
    hand: (view, seat, cards) => (cards && seat === view.seat ? { ...view, hand: cards } : view),
    bid: (view, seat, bid) => ({
      ...view,
      to_act: -1,
      bids: put(view.bids, seat, bid),
      ...(bid > view.bid ? { bid, namer: seat } : {}),
    }),
    trump: (view, seat, suit) => ({ ...view, namer: seat, trump: suit, leader: seat, to_act: -1 }),
    play: (view, seat, card) => ({
      ...view,
      to_act: -1,
      taken: false,
      trick: [...view.trick, [seat, card]],
      hand: view.hand.filter((code) => code !== card),
      hand_sizes: add(view.hand_sizes, seat, -1),
    }),
    take: (view, seat) => ({ ...view, leader: seat, taken: true }),
    score: (view, side, points) =>
      view.taken
        ? {
            ...view,
            points: add(view.points, side, points),
            tricks_left: view.tricks_left - (view.trick.length ? 1 : 0),
            gone: [...view.gone, ...view.trick.map(([, card]) => card)],
            trick: [],
          }
        : { ...view, fines: add(view.fines, side, points) },
    fail: (view, side, points) => ({ ...view, points: add(view.points, side, -points) }),
    total: (view, totals) => ({ ...view, totals, points: zeros(view.points), fines: zeros(view.fines) }),
  },
  hand: (view) => sorted(view.hand, view.trump),
  sorts: true,
  beats: {
    ...{ hand: 90, bid: 420, redeal: 1400, trump: 1100, play: 430, take: 850 },
    ...{ void: 1200, score: 300, fail: 900, total: 3200 },
  },
  reads: ["redeal", "trump", "void", "fail"],
  closing: ["total"],
  tricks: true,
  gains: (entry) =>
    entry[0] === "score" ? [[entry[1], entry[2]]] : entry[0] === "fail" ? [[entry[1], -entry[2]]] : [],
  leaves: (entry) => (entry[0] === "score" ? "taker" : null),
  flies: (entry) => (entry[0] === "hand" ? { what: "card", count: 4, from: "middle", to: `seat ${entry[1]}` } : null),
  sounds: { hand: "card", bid: "card", trump: "card", play: "card", take: "sweep" },
  scores: (view) => view.totals.map((score, side) => ({ score, more: view.points[side] ?? 0 })),
  sign: "13.5 56 33.5 35.5",
  scoring: ["score", "fail", "total"],
};

export const claims: Claims<Shown, LostHeirEntry> = {
  dealer: ["total", "redeal"],
  hand: [],
  hand_sizes: ["deal"],
  bids: [],
  bid: [],
  namer: [],
  trump: [],
  leader: ["total"],
  trick: [],
  tricks_left: ["deal"],
  points: [],
  fines: [],
  totals: [],
  gone: [],
};
