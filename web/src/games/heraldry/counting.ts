// The groups that one gathers, and the count at the end of a deal.

import type { Taken } from "../../lib/play.svelte";
import type { Scored } from "../../lib/wire";
import { VALUES, type HeraldryEntry, type HeraldryView } from "./wire";

/** The count of a deal, the cards that each seat had won where the events tell them, and the score after it. */
export type Count = {
  scores: { seat: number; points: number; clause: string }[];
  totals: number[];
  won: string[][] | null;
};

/** The cards that each seat won in the last deal of these entries; null where its beginning is not among them. */
export function wonIn(entries: unknown[][], players: number): string[][] | null {
  const begin = entries.findLastIndex(([kind]) => kind === "deal");
  if (begin < 0) return null;
  const won = Array.from({ length: players }, (): string[] => []);
  for (const entry of entries.slice(begin) as HeraldryEntry[]) {
    if (entry[0] === "capture") won[entry[1]]?.push(entry[2], ...entry[3]);
    else if (entry[0] === "sweep") won[entry[1]]?.push(...entry[2]);
  }
  return won;
}

type Scoring = Record<string, string[]>;

/** Whether each card scores by this clause by itself; by other clauses of several cards the numbers are compared. */
const byItself = (points: string, cards: string[]) => cards.length === 1 || /^\d+ /.test(points);

/** The clauses by which the seats are compared: who has won more of some cards. */
export const compared = (scoring: Scoring, rows: Scored[]): string[] =>
  rows
    .filter(({ points, clause }) => scoring[clause] && !byItself(points, scoring[clause]))
    .map(({ clause }) => clause);

/** What each card that scores by itself is worth. */
export function worths(scoring: Scoring, rows: Scored[]): Record<string, number> {
  const worth: Record<string, number> = {};
  for (const { points, clause } of rows) {
    const cards = scoring[clause];
    if (cards && byItself(points, cards))
      for (const code of cards) worth[code] = (worth[code] ?? 0) + Number.parseInt(points, 10);
  }
  return worth;
}

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
