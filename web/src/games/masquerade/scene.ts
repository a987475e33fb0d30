// How the events of a Masquerade are shown: cards climb the stair, go to the seat that takes them, and pass from hand
// to hand.

import type { Claims, Scene } from "../../lib/scene";
import type { MasqueradeEntry, MasqueradeView } from "./wire";

/** A card on its way from one seat to another: its code where it is known, otherwise its back is shown. */
export type Passing = { from: number; to: number; code: string | null };

/** The view, with what is still under way. */
export type Shown = MasqueradeView & { passing?: Passing | null };

function more(counts: number[], seat: number, by: number): number[] {
  return counts.map((count, at) => (at === seat ? count + by : count));
}

/** A card that was on its way has arrived. */
export function settled(view: Shown): Shown {
  const { passing } = view;
  if (!passing) return view;
  const mine = passing.to === view.seat && passing.code !== null;
  return {
    ...view,
    passing: null,
    hand: mine ? [...view.hand, passing.code!] : view.hand,
    hand_sizes: more(view.hand_sizes, passing.to, 1),
  };
}

/** A card leaves one hand for another. */
function passed(before: Shown, from: number, to: number, code: string | null): Shown {
  const view = settled(before);
  return {
    ...view,
    passing: { from, to, code },
    hand: from === view.seat ? view.hand.filter((each) => each !== code) : view.hand,
    hand_sizes: more(view.hand_sizes, from, -1),
  };
}

/** The cards on the stair go to a seat's hand. */
function swept(view: Shown, seat: number): Shown {
  const cards = view.trick.map(([, code]) => code);
  return {
    ...view,
    to_act: -1,
    trick: [],
    hand: seat === view.seat ? [...view.hand, ...cards] : view.hand,
    hand_sizes: more(view.hand_sizes, seat, cards.length),
  };
}

export const scene: Scene<Shown, MasqueradeEntry> = {
  shows: {
    play(before, seat, code) {
      const view = settled(before);
      return {
        ...view,
        to_act: -1,
        leader: view.trick.length ? view.leader : seat,
        trick: [...view.trick, [seat, code]],
        hand: view.hand.filter((each) => each !== code),
        hand_sizes: more(view.hand_sizes, seat, -1),
        m1_was_played: view.m1_was_played || code === "M1",
      };
    },
    give: (view, seat, code, to) => passed(view, seat, to, code),
    return: (view, seat, code, to) => passed(view, seat, to, code),
    draw: (view, seat, from, code) => passed(view, from, seat, code),
    decline: settled,
    skip: (view) => ({ ...settled(view), to_act: -1 }),
    take: (view, seat) => swept(settled(view), seat),
    score(before, seat, points) {
      const view = settled(before);
      return { ...view, points: more(view.points, seat, points) };
    },
    game(before, seat) {
      const view = settled(before);
      return {
        ...view,
        to_act: -1,
        leader: -1,
        last_winner: seat,
        points: view.points.map(() => 0),
        totals: view.totals.map((total, at) => total + view.points[at]!),
        games_won: more(view.games_won, seat, 1),
        m1_was_played: false,
      };
    },
    deal: (view) => ({ ...view, trick: [] }),
    hand: (view, seat, cards) => (seat === view.seat && cards ? { ...view, hand: cards } : view),
  },
  beats: {
    ...{ first: 700, deal: 350, hand: 150, play: 620, give: 560, return: 560, draw: 460 },
    ...{ decline: 600, skip: 600, take: 1000, score: 750, game: 2000 },
  },
  reads: ["score", "skip", "game"],
  concerns: ([kind, seat, ...members], mine) =>
    (kind === "draw" && (seat === mine || members[0] === mine)) ||
    ((kind === "give" || kind === "return") && members[1] === mine),
  hand: (view) => (view.passing?.to === view.seat ? [...view.hand, view.passing.code!] : view.hand),
  closing: ["game"],
  games: true,
  tricks: true,
  gains: (entry) => (entry[0] === "score" ? [[entry[1], entry[2]]] : []),
  leaves: (entry) => (entry[0] === "take" || entry[0] === "draw" ? `seat ${entry[1]}` : null),
  flies: (entry) => (entry[0] === "hand" ? { what: "card", count: 4, from: "stair", to: `seat ${entry[1]}` } : null),
  sounds: { play: "card", give: "card", return: "card", draw: "card", take: "sweep", deal: "sweep", game: "bell" },
  scores: (view) => view.totals.map((total, seat) => ({ score: total + (view.points[seat] ?? 0) })),
  sign: "10 68 46 40",
  scoring: ["score", "game"],
};

export const claims: Claims<Shown, MasqueradeEntry> = {
  hand: ["game"],
  hand_sizes: ["game"],
  trick: ["game"], // a game may end in the middle of a trick
  leader: ["take", "game"],
  points: [],
  totals: [],
  games_won: [],
  last_winner: [],
  m1_was_played: [],
};
