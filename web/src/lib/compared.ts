// Whether the figures of a hint tell the steps apart that were compared.

import type { HintLine } from "./wire";

/** `alike` where people read the same figures, `unsure` where they differ by less than simulated play can tell. */
export type Told = "alike" | "unsure" | "apart";

export function compared(hints: HintLine[], figures: (hint: HintLine) => string): Told {
  const [best, ...others] = hints;
  if (!best) return "apart";
  if (others.every((other) => figures(other) === figures(best))) return "alike";
  return others.every((other) => isNear(best, other)) ? "unsure" : "apart";
}

function isNear(one: HintLine, other: HintLine): boolean {
  const score = (one.score_within ?? 0) + (other.score_within ?? 0);
  const win = (one.win_within ?? 0) + (other.win_within ?? 0);
  return Math.abs(one.score - other.score) <= score && Math.abs(one.win - other.win) <= win;
}
