// The results of finished games, kept on this device and nowhere else.

import type { LivePlay } from "./live.svelte";

export type Result = {
  table: string;
  game: string;
  when: number; // in milliseconds since 1970
  players: number;
  bots: string; // the level of the bots, or "" where others played
  score: number;
  place: number;
  of: number;
  won: boolean;
  deal?: number; // the number of a numbered deal
  accuracy?: number; // in percent, once it was reviewed
};

const RESULTS = "parlour results 1";
const MOST = 3000;
const DAY = 86_400_000; // milliseconds

const whole = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

/** Some results without what cannot be one, the latest first. */
export function readable(found: unknown): Result[] {
  if (!Array.isArray(found)) return [];
  const good = (found as (Partial<Result> | null)[]).filter(
    (each): each is Result =>
      [each?.table, each?.game].every((text) => text && typeof text === "string") &&
      typeof each?.bots === "string" &&
      typeof each.won === "boolean" &&
      [each.when, each.players, each.score, each.place, each.of].every(whole) &&
      [each.deal, each.accuracy].every((value) => value === undefined || whole(value)),
  );
  const one = new Map(good.toSorted((one, other) => one.when - other.when).map((each) => [each.table, each]));
  return [...one.values()].reverse().slice(0, MOST);
}

function read(): Result[] {
  try {
    return readable(JSON.parse(localStorage.getItem(RESULTS) ?? "null"));
  } catch {
    return [];
  }
}

class Results {
  all = $state.raw(read());

  /** Keep results beside those that are here; another tab may have kept more. */
  add(more: Result[]) {
    this.#write(readable([...more, ...read(), ...this.all]));
  }

  /** What a review found. */
  judge(table: string, accuracy: number) {
    this.#write(read().map((each) => (each.table === table ? { ...each, accuracy } : each)));
  }

  clear() {
    this.#write([]);
  }

  #write(all: Result[]) {
    this.all = all;
    try {
      localStorage.setItem(RESULTS, JSON.stringify(all));
    } catch {
      // a device that keeps nothing still shows them
    }
  }

  /** A game that is over, as this device's seat came through it; one that was ended early or is known does not count. */
  note(play: LivePlay) {
    const { described, seat, view } = play;
    if (!described || seat < 0 || described.phase !== "over" || described.ended || described.again || !view) return;
    if (this.all.some(({ table }) => table === described.table)) return;
    const scores = (play.stage.scene.scores?.(view, play.book) ?? []).map(({ score }) => score);
    const own = play.side(seat);
    const winners = new Set((described.winners ?? []).map((each) => play.side(each)));
    const won = winners.has(own);
    const ahead = scores.filter((score, side) => !winners.has(side) && score > (scores[own] ?? 0)).length;
    const others = described.seats.filter((_, at) => at !== seat);
    const levels = new Set(others.map(({ bot }) => bot));
    this.add([
      {
        table: described.table,
        game: described.game,
        when: Date.now(),
        players: described.players,
        bots: levels.size === 1 ? [...levels][0]! : "",
        score: scores[own] ?? 0,
        place: won ? 1 : 1 + winners.size + ahead,
        of: Math.max(1, scores.length),
        won,
        ...(described.deal == null ? {} : { deal: described.deal }),
      },
    ]);
  }
}

export const results = new Results();

/** How many of these came in a row, the latest first, that are won. */
export function streak(found: Result[]): number {
  const lost = found.findIndex(({ won }) => !won);
  return lost < 0 ? found.length : lost;
}

/** The longest such row. */
export function longest(found: Result[]): number {
  let [most, now] = [0, 0];
  for (const { won } of found) most = Math.max(most, (now = won ? now + 1 : 0));
  return most;
}

/** The number of a day's deal: its date in Greenwich. */
export const dayNumber = (when = Date.now()) => Number(new Date(when).toISOString().slice(0, 10).replaceAll("-", ""));

/** How many days in a row a deal of the day was played, up to today or yesterday. */
export function daysInARow(found: Result[], now = Date.now()): number {
  const played = new Set(found.map(({ deal }) => deal));
  let at = played.has(dayNumber(now)) ? now : now - DAY;
  let days = 0;
  while (played.has(dayNumber(at))) [days, at] = [days + 1, at - DAY];
  return days;
}
