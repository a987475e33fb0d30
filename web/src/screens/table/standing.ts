// How it stands, side by side.

import type { Play } from "../../lib/play.svelte";

/** A side, what it has, and what it has won in this deal that may still be lost. */
export type Standing = { name: string; score: number; more: number };

type Counted = { totals?: number[]; points?: number[]; counters?: number[]; games_won?: number[] };

export function standing(play: Play): Standing[] {
  const { totals = [], points = [], counters, games_won } = (play.view ?? {}) as Counted;
  // the points of a game of Masquerade are won; those of a deal of Lost Heir hang on the bid
  const scores = counters ?? (games_won ? totals.map((total, seat) => total + (points[seat] ?? 0)) : totals);
  return scores.map((score, side) => ({
    name: play.names.flatMap((_, seat) => (seat % scores.length === side ? [play.called(seat)] : [])).join(", "),
    score,
    more: counters || games_won ? 0 : (points[side] ?? 0),
  }));
}
