// The catalogues of what the server says, each fetched when it is first needed: for events in brief, for the rest whole.

import { books } from "./books.svelte";
import { reach } from "./reach";
import type { Catalogue } from "./wording";

const LATE_MILLISECONDS = 10_000; // for a catalogue to come

const here = new Map<string, Catalogue>();
const coming = new Map<string, Promise<Catalogue>>();
const path = (game: string, whole: boolean) =>
  `/api/words${game && `/${encodeURIComponent(game)}`}${whole ? "?" : "?brief&"}`;

/** The catalogue of a game, or of what all games share (""), if it is here already. */
export const catalogueHere = (game: string, whole = false): Catalogue | undefined =>
  here.get(path(game, true)) ?? (whole ? undefined : here.get(path(game, false)));

/** Ask for all of them again when they are needed: a server that was away may be another version. */
export function forgetCatalogues() {
  here.clear();
  coming.clear();
}

/** The same, fetched; what cannot be had now is asked for again the next time. */
export function catalogueOf(game: string, whole = true): Promise<Catalogue> {
  const address = path(game, whole);
  const found = coming.get(address) ?? fetched(game, address);
  coming.set(address, found);
  return found;
}

async function fetched(game: string, address: string): Promise<Catalogue> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), LATE_MILLISECONDS);
  try {
    return await Promise.race([
      asked(game, address, late.signal),
      new Promise<never>((_, reject) => (late.signal.onabort = () => reject(new Error("late")))),
    ]);
  } catch (error) {
    coming.delete(address);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function asked(game: string, address: string, signal: AbortSignal): Promise<Catalogue> {
  const language = document.documentElement.lang.split("-")[0] || "en";
  const answer = await reach(`${address}language=${language}`, { signal });
  if (!answer.ok) throw new Error(answer.statusText);
  const found = (await answer.json()) as Catalogue;
  found.cards ??= (await books.fetched(game)).card_names;
  here.set(address, found);
  return found;
}
