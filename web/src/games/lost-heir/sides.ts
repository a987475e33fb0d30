// The sides of a sitting: each for oneself, or partners; what they are called and how they are marked.

import type { Play } from "../../lib/play.svelte";
import { lostHeir } from "./words";

export type Side = { name: string; mark: string; mine: boolean; seats: number[] };

const MARKS = ["●", "◆", "▲"];

export function sidesOf(play: Play, players: number, count: number): Side[] {
  return Array.from({ length: count }, (_, side) => {
    const seats = Array.from({ length: players }, (_, seat) => seat).filter((seat) => seat % count === side);
    const name = lostHeir.both(seats.map((seat, at) => play.called(seat, at > 0)));
    return { name, mark: count < players ? (MARKS[side] ?? "") : "", mine: seats.includes(play.seat), seats };
  });
}
