// The sides of a sitting, single players or partners: what they are called and how they are marked.

import type { Play } from "../../lib/play.svelte";
import { lostHeir } from "./words";

export type Side = { name: string; mark: string; mine: boolean; seats: number[] };

const MARKS = ["●", "◆", "▲"];

export function sidesOf(play: Play): Side[] {
  return Array.from({ length: play.sides }, (_, side) => {
    const seats = play.seatsOf(side);
    const name = lostHeir.side({ names: seats.map((seat, at) => play.called(seat, at > 0)) });
    return { name, mark: seats.length > 1 ? (MARKS[side] ?? "") : "", mine: seats.includes(play.seat), seats };
  });
}
