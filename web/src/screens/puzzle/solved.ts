// The puzzles that were solved on this device, by game.

const SOLVED = "parlour puzzles 1";

function read(): Record<string, number[]> {
  try {
    const found = (JSON.parse(localStorage.getItem(SOLVED) ?? "null") ?? {}) as Record<string, unknown>;
    const lists = Object.entries(found).filter(([, list]) => Array.isArray(list)) as [string, unknown[]][];
    return Object.fromEntries(lists.map(([game, list]) => [game, list.filter((each) => typeof each === "number")]));
  } catch {
    return {};
  }
}

export const solvedOf = (game: string): number[] => read()[game] ?? [];

/** A puzzle is solved; all that are. */
export function solve(game: string, number: number): number[] {
  const all = read();
  const solved = [...new Set([...(all[game] ?? []), number])];
  try {
    localStorage.setItem(SOLVED, JSON.stringify({ ...all, [game]: solved }));
  } catch {
    // a device that keeps nothing still solves
  }
  return solved;
}
