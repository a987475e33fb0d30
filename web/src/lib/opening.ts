// Opening a table and sitting down at it.

import { words } from "../words";
import { api } from "./api";
import { promised, secret } from "./bytes";
import { device } from "./device.svelte";
import { where } from "./where.svelte";
import type { Opening } from "./wire";

/** How a table is to be started once this device sits there: bots of a level at every free seat, or not yet. */
export const starting = new Map<string, string>();

export async function openTable(opening: Opening, bots: string | null) {
  const made = await api.open(opening);
  await sitDown(made.table, opening.game, made.code, undefined, opening.deal == null, made.described.commitment);
  if (bots) starting.set(made.table, bots);
  where.go({ table: made.table });
}

/** Sit down at a table, with a promise of entropy where that is wanted. */
export async function sitDown(
  table: string,
  game: string,
  code: string,
  seat?: number,
  promising = true,
  commitment = "",
) {
  const { token, entropy, promise } = asked(table);
  const name = device.settings.name.trim() || words.room.guest;
  await api.sit(table, {
    name,
    code,
    token,
    ...(seat === undefined ? {} : { seat }),
    ...(promising ? { promise } : {}),
  });
  device.keep({
    table,
    game,
    token,
    code,
    begun: Date.now(),
    over: false,
    commitment,
    ...(promising ? { entropy } : {}),
  });
  asking.delete(table);
}

/** With what a seat at a table is asked for: the same as before, where the answer to that may have been lost. */
export function asked(table: string) {
  let found = asking.get(table);
  if (!found) asking.set(table, (found = { token: secret(), ...promised() }));
  return found;
}
const asking = new Map<string, { token: string; entropy: string; promise: string }>();
