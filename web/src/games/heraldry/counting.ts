// The groups that one gathers, and the count at the end of a deal.

import type { Taken } from "../../lib/play.svelte";
import { VALUES, type HeraldryView } from "./wire";

/** The count of a deal, and the score after it. */
export type Count = { scores: { seat: number; points: number; clause: string }[]; totals: number[] };

/** Cards that make up a value together; where they are `alone`, each does so by itself. */
export type Group = { cards: string[]; sum: number; whole: boolean; alone: boolean };

/** What the steps of a move have gathered: first what comes of itself, then group by group. */
export function gathered([first, ...picks]: Taken<HeraldryView>[]): Group[] {
  const { taking = [] } = first?.view ?? {};
  const groups: Group[] = taking.length ? [{ cards: taking, sum: 0, whole: true, alone: true }] : [];
  let begins = true;
  for (const { step, view } of picks) {
    if (begins) groups.push({ cards: [], sum: 0, whole: false, alone: false });
    const [group, code] = [groups.at(-1)!, step.split(" ")[1]!];
    group.cards.push(code);
    group.sum += VALUES[code] ?? 0;
    group.whole = begins = !view.grouping.length;
    group.alone = group.whole && group.cards.length === 1;
  }
  return groups;
}
