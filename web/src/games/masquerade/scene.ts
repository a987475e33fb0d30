// How the events of a Masquerade are shown: cards climb the stair, go up to who takes them, and pass from hand to hand.

import type { Scene } from "../../lib/stage.svelte";
import type { MasqueradeView } from "../../lib/wire";

/** A card on its way from one seat to another: its face where it is known, else its back. */
export type Passing = { from: number; to: number; code: string | null };

/** The view, as it stands while something is still under way. */
export type Shown = MasqueradeView & { passing?: Passing | null };

const SUITS = "MRID";

/** By suit, then by number. */
export function sorted(cards: string[]): string[] {
  const rank = (code: string) => SUITS.indexOf(code.charAt(0)) * 10 + Number(code.slice(1));
  return cards.toSorted((one, other) => rank(one) - rank(other));
}

function more(counts: number[], seat: number, by: number): number[] {
  return counts.map((count, at) => (at === seat ? count + by : count));
}

/** A card that was on its way has come. */
function settled(view: Shown): Shown {
  const { passing } = view;
  if (!passing) return view;
  const mine = passing.to === view.seat && passing.code !== null;
  return {
    ...view,
    passing: null,
    hand: mine ? sorted([...view.hand, passing.code!]) : view.hand,
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

const left = (view: Shown, seat: number) => (seat + 1) % view.players;
const right = (view: Shown, seat: number) => (seat + view.players - 1) % view.players;

export const scene: Scene = {
  shows: {
    play(before: Shown, seat: number, code: string): Shown {
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
    give: (view: Shown, seat: number, code: string | null) => passed(view, seat, left(view, seat), code),
    return: (view: Shown, seat: number, code: string | null) => passed(view, seat, right(view, seat), code),
    draw: (view: Shown, seat: number, from: number, code: string | null) => passed(view, from, seat, code),
    decline: settled,
    skip: (view: Shown) => ({ ...settled(view), to_act: -1 }),
    take(before: Shown, seat: number): Shown {
      const view = settled(before);
      const cards = view.trick.map(([, code]) => code);
      return {
        ...view,
        to_act: -1,
        trick: [],
        hand: seat === view.seat ? sorted([...view.hand, ...cards]) : view.hand,
        hand_sizes: more(view.hand_sizes, seat, cards.length),
      };
    },
    score(before: Shown, seat: number, points: number): Shown {
      const view = settled(before);
      return { ...view, points: more(view.points, seat, points) };
    },
    game(before: Shown, seat: number): Shown {
      const view = settled(before);
      return {
        ...view,
        to_act: -1,
        dealer: seat,
        leader: -1,
        last_winner: seat,
        points: view.points.map(() => 0),
        totals: view.totals.map((total, at) => total + view.points[at]!),
        games_won: more(view.games_won, seat, 1),
        m1_was_played: false,
      };
    },
    deal: (view: Shown) => ({ ...view, trick: [] }),
    hand(view: Shown, seat: number, cards: string[] | null): Shown {
      return seat === view.seat && cards ? { ...view, hand: sorted(cards) } : view;
    },
  },
  beats: {
    first: 700,
    deal: 350,
    hand: 150,
    play: 620,
    give: 560,
    return: 560,
    draw: 460,
    decline: 600,
    skip: 600,
    take: 1000,
    score: 750,
    game: 2000,
  },
  leaves(entry) {
    if (entry[0] === "take" || entry[0] === "draw") return `seat ${String(entry[1])}`;
    return null;
  },
  flies(entry) {
    return entry[0] === "hand" ? { what: "card", count: 4, from: "stair", to: `seat ${String(entry[1])}` } : null;
  },
  sounds: { play: "card", give: "card", return: "card", draw: "card", take: "sweep", deal: "sweep", game: "bell" },
};
