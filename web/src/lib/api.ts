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
  ErrorBody,
  Said,
} from "./wire";
import { catalogueOf } from "./catalogues";
import { reach } from "./reach";
import { wordingOf } from "./wording";

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

export async function ask<Found>(method: string, path: string, body?: unknown, token?: string): Promise<Found> {
  let answer: Response;
  try {
    const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
    answer = await reach(path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  } catch {
    throw new Trouble(words.connection.unreachable);
  }
  if (answer.status === 204) return undefined as Found;
  const found: unknown = await answer.json().catch(() => null);
  if (answer.ok && found !== null) return found as Found;
  const { sentence, clause } = (found ?? {}) as Partial<ErrorBody>;
  const said = typeof sentence === "object" ? await inWords(sentence) : sentence;
  // for the server's own words it is asked for again, unless it may have been done
  const again = typeof sentence === "object" && said === undefined && (method === "GET" || answer.status < 500);
  if (again && KEYED.test(path)) return ask(method, path.replace(KEYED, ""), body, token);
  throw new Trouble(said ?? words.connection.unreachable, answer.status, clause);
}

/** Why not, as the catalogue says it, where it does. */
async function inWords(said: Said): Promise<string | undefined> {
  const catalogue = await catalogueOf("").catch(() => undefined);
  return catalogue?.says?.[said.key] === undefined ? undefined : wordingOf(catalogue).say(said);
}

/** A table's name as a part of a path. */
export const at = (table: string) => `/api/tables/${encodeURIComponent(table)}`;
export const KEYS = "words=keys"; // what is answered is worded here
const KEYED = new RegExp(`[?&]${KEYS}`);

export const api = {
  games: () => ask<Lid[]>("GET", "/api/games?brief=1"),
  game: (game: string, brief: boolean) =>
    ask<Book>("GET", `/api/games/${encodeURIComponent(game)}${brief ? "?brief" : ""}`),
  tables: () => ask<Described[]>("GET", "/api/tables"),
  open: (opening: Opening) => ask<Opened>("POST", `/api/tables?${KEYS}`, opening),
  table: (table: string) => ask<Described>("GET", `${at(table)}?${KEYS}`),
  sit: (table: string, sitting: Sitting) => ask<Seated>("POST", `${at(table)}/seats?${KEYS}`, sitting),
  carry: (table: string, code: string, token: string) =>
    ask<Seated>("POST", `${at(table)}/carried?${KEYS}`, { code, token }),
  remove: (table: string, token: string) => ask<void>("DELETE", `${at(table)}?${KEYS}`, undefined, token),
  record: (table: string) => ask<Record<string, unknown>>("GET", `${at(table)}/record`),
  replay: (table: string, first: number, seat?: number, keyed = true) => {
    const called = seat === undefined ? "" : `&seat=${seat}`;
    return ask<Replay>("GET", `${at(table)}/replay?first=${first}${called}${keyed ? `&${KEYS}` : ""}`);
  },
  lesson: (game: string, keyed = true) =>
    ask<Lesson>("GET", `/api/lessons/${encodeURIComponent(game)}${keyed ? `?${KEYS}` : ""}`),
  recordPath: (table: string) => `${at(table)}/record`,
};
