// How the sides stand.

import { grammar } from "../../words/catalogue";
import type { Play } from "../../lib/play.svelte";

/** A side by name, its score, and what it has won in this deal that may still be lost. */
export type Standing = { name: string; score: number; more: number };

export function standing(play: Play): Standing[] {
  const found = (play.view && play.stage.scene.scores?.(play.view, play.book)) ?? [];
  return found.map(({ score, more = 0 }, side) => {
    const names = play.seatsOf(side).map((seat) => play.called(seat));
    return { name: grammar.row(names), score, more };
  });
}
