// What the server told this device of a table's log, and whether what it says now follows from that.

import type { News } from "./wire";

/** How many entries the log had, the head of its chain, and the server's signature under both with its public key. */
export type Told = { number: number; head?: string; signature?: string; key?: string };

/** The server says something else than it told before; `said` is its own sentence about it, if it has one. */
export type Contradiction = { told: Told; now: Told; said: string };

/** What is kept of a table: what was told last, and a contradiction that its person has not closed yet. */
export type Remembered = { told: Told; against?: Contradiction };

/**
 * How news goes on from what was told: `on` as it should, `waits` where nothing is shown yet, `known` where nothing is
 * new, `gap` where something is missing between, `back` to fewer entries, `other` where the same entries are others.
 */
export type Follows = "on" | "waits" | "known" | "gap" | "back" | "other";

export function follows(told: Told | null, news: News): Follows {
  if (news.number === 0) return "waits"; // a spectator who is shown the past only
  if (!told) return news.whole ? "on" : "gap";
  if (news.number < told.number) return "back";
  if (told.head && (!news.head || (news.number === told.number && news.head !== told.head))) return "other";
  if (news.whole || news.since === told.number) return "on";
  return news.number === told.number ? "known" : "gap";
}

/** What news tells of the log. */
export function toldBy(news: News, key: string | undefined): Told {
  const { number, head, signature } = news;
  return { number, ...(head && { head }), ...(signature && { signature }), ...(signature && key && { key }) };
}

const DIGITS = { head: 64, signature: 128, key: 64 };

/** What was told, from anything that is stored; nothing where it is none. */
export function readTold(found: unknown): Told | null {
  const { number, ...rest } = (found ?? {}) as Record<string, unknown>;
  if (!Number.isSafeInteger(number) || (number as number) <= 0) return null;
  const told: Told = { number: number as number };
  for (const [name, digits] of Object.entries(DIGITS) as [keyof typeof DIGITS, number][]) {
    const text = rest[name];
    if (typeof text === "string" && text.length === digits && /^[0-9a-f]*$/.test(text)) told[name] = text;
  }
  return told;
}

/** What is kept of a table, from anything that is stored. */
export function readRemembered(found: unknown): Remembered | null {
  const { told, against } = (found ?? {}) as Record<string, unknown>;
  const read = readTold(told);
  if (!read) return null;
  const { said, ...both } = (against ?? {}) as Record<string, unknown>;
  const [before, now] = [readTold(both["told"]), readTold(both["now"])];
  return before && now
    ? { told: read, against: { told: before, now, said: typeof said === "string" ? said : "" } }
    : { told: read };
}
