// A file by which a player proves what the server told.

import type { Contradiction } from "./told";

/** The file that proves what was told, for `parlour verify --told`. */
export function proof(table: string, server: string, { told, now, said }: Contradiction): string {
  return `${JSON.stringify({ parlour: "told", version: 1, table, ...told, answer: now, said, server }, null, 2)}\n`;
}
