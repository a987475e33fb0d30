// How the events of any game are shown: each is said, and then the table stands as the server says.

import type { Scene } from "../../lib/scene";

/** Fields under which games count what each side has, the first that there is. */
const SCORES = ["scores", "totals", "counters", "points"];

export const scene: Scene = {
  beat: (events) => Math.min(450, 1800 / events),
  leaves: () => null,
  scores: (view) => {
    const found = SCORES.map((name) => view[name]).find(Array.isArray) as number[] | undefined;
    return (found ?? []).map((score) => ({ score }));
  },
};
