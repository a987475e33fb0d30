// What a server of protocol 1 does not send, or sends in another form. Each function here goes, with its uses, once the
// server sends the data that it stands for.

import type { Play, Why } from "./play.svelte";
import type { Told } from "./stage.svelte";
import type { Book, View } from "./wire";

const CODES = / \[[0-9A-Z]+\]/g;

/** Sentences without the codes of cards: protocol 2 sends them so. */
export function plainly<V extends View>(told: Told<V>): Told<V> {
  return { ...told, events: told.events.map((event) => ({ ...event, says: event.says.replaceAll(CODES, "") })) };
}

/** A refusal with cards by name and its clause apart: protocol 2 sends it so. */
export function reason(play: Play, { sentence, clause = "" }: { sentence: string; clause?: string }): Why {
  return { sentence: spoken(play.book, sentence).replace(/ \([A-Z]+-\d+[a-z]?\)$/, ""), clause };
}

/** A sentence with cards by name instead of their codes: protocol 2 sends it so. */
export function spoken({ card_names: names }: Book, sentence: string): string {
  return sentence.replaceAll(CODES, "").replaceAll(/\b[0-9A-Z]{2,3}\b/g, (code) => names[code] ?? code);
}

/** How many sides there are: `sides` of a table, a lesson or a replay says it. */
export function sides(said: number | undefined, view: View | null, players: number): number {
  return said ?? ((view?.["totals"] ?? view?.["counters"]) as number[] | undefined)?.length ?? players;
}

/** The bots that people play with: `levels` of a game says it. */
export function levels(book: Book | undefined): string[] {
  const usual = ["novice", "steady", "expert", "champion"];
  return book?.levels ?? (book?.bots ?? []).filter((bot) => usual.includes(bot));
}

/** The kinds of entries that chance decides: `chance` of a game says it. */
export function chance(book: Book): string[] {
  return book.chance ?? ["dealer", "divide", "deal", "draw", "surplus"];
}
