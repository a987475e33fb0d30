// What is asked once, over HTTP.

import { words } from "../words";
import type {
  Book,
  Described,
  Lesson,
  Lid,
  Opened,
  Opening,
  Replay,
  Seated,
  Joining as Sitting,
  ErrorBody as Said,
} from "./wire";

/** Why something could not be had, in one sentence. */
export class Trouble extends Error {
  constructor(
    sentence: string,
    readonly status = 0,
    readonly clause = "",
  ) {
    super(sentence);
  }
}

async function ask<Found>(method: string, path: string, body?: unknown, token?: string): Promise<Found> {
  let answer: Response;
  try {
    const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
    answer = await fetch(path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  } catch {
    throw new Trouble(words.connection.unreachable);
  }
  if (answer.status === 204) return undefined as Found;
  const found: unknown = await answer.json().catch(() => null);
  if (!answer.ok || found === null) {
    const said = found as Said | null;
    throw new Trouble(said?.sentence ?? words.connection.unreachable, answer.status, said?.clause);
  }
  return found as Found;
}

/** A table's name as a part of a path. */
const at = (table: string) => `/api/tables/${encodeURIComponent(table)}`;

export const api = {
  games: () => ask<Lid[]>("GET", "/api/games?brief=1"),
  game: (game: string) => ask<Book>("GET", `/api/games/${encodeURIComponent(game)}`),
  tables: () => ask<Described[]>("GET", "/api/tables"),
  open: (opening: Opening) => ask<Opened>("POST", "/api/tables", opening),
  table: (table: string) => ask<Described>("GET", at(table)),
  sit: (table: string, sitting: Sitting) => ask<Seated>("POST", `${at(table)}/seats`, sitting),
  carry: (table: string, code: string, token: string) => ask<Seated>("POST", `${at(table)}/carried`, { code, token }),
  remove: (table: string, token: string) => ask<void>("DELETE", at(table), undefined, token),
  record: (table: string) => ask<Record<string, unknown>>("GET", `${at(table)}/record`),
  replay: (table: string, first: number, seat?: number) =>
    ask<Replay>("GET", `${at(table)}/replay?first=${first}${seat === undefined ? "" : `&seat=${seat}`}`),
  lesson: (game: string) => ask<Lesson>("GET", `/api/lessons/${encodeURIComponent(game)}`),
  recordPath: (table: string) => `${at(table)}/record`,
};
