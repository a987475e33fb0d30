// Opening a table and sitting down at it.

import { words } from "../words";
import { api } from "./api";
import { promised, secret } from "./bytes";
import { device } from "./device.svelte";
import { isHere } from "./reach";
import { where } from "./where.svelte";
import type { Book, Lid, Opening } from "./wire";

/** How a table is to be started once this device sits there: bots of a level at every free seat, or not yet. */
export const starting = new Map<string, string>();

type Offered = Book["options"][number];
/** An option that is asked first, its values for a number of players, and the one that is chosen on this device. */
export type Asked = { option: Offered; values: NonNullable<Offered["values"]>; chosen: string | number };

/** The options of a game that are asked first, as far as there is something to choose for so many players. */
export function offeredFor(book: { game: string; offered: Offered[] }, players: number): Asked[] {
  return book.offered.flatMap((option) => {
    const values = (option.values ?? []).filter((value) => value.players.includes(players));
    const kept = device.habit(book.game).options?.[option.name];
    const chosen = values.find((value) => value.name === kept)?.name ?? option.default;
    return values.length > 1 ? [{ option, values, chosen }] : [];
  });
}

/** How strong the bots of a game are on this device. */
export function strengthFor(book: { game: string; levels: string[]; usual_bot: string }): string {
  const kept = device.habit(book.game).bots;
  if (kept === "champion") return book.levels.at(-1)!; // once the strongest, and no longer offered
  return kept !== undefined && book.levels.includes(kept) ? kept : book.usual_bot;
}

/** A table with bots at every other seat, as it was chosen in the room. */
export async function playAlone(book: Lid) {
  const options = offeredFor(book, book.usual)
    .filter(({ option, chosen }) => chosen !== option.default)
    .map(({ option, chosen }) => [option.name, chosen]);
  const decided = book.levels.length > 1; // where nothing is, nobody needs time to think
  await openTable(
    {
      game: book.game,
      players: book.usual,
      ...(options.length ? { options: Object.fromEntries(options) as Opening["options"] } : {}),
      ...(decided ? {} : { bot_seconds: 0 }),
    },
    strengthFor(book),
  );
}

/** Open a table and go there; from the table of a game that is over, `instead` of it: going back leads past it. */
export async function openTable(opening: Opening, bots: string | null, instead = false) {
  const made = await api.open(opening);
  if (!bots && isHere(made.table)) throw new Error(words.connection.noFriends);
  const promising = opening.deal == null && opening.again == null; // the luck of a known deal is settled
  await sitDown(made.table, opening.game, made.code, opening.again?.seat, promising, made.described.commitment);
  if (bots) starting.set(made.table, bots);
  if (instead) where.instead({ table: made.table });
  else where.go({ table: made.table });
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

/** The table of a rematch is in the list of everyone who has a seat: the seat's key is the same there. */
export function keepRematch(table: string, rematch: string) {
  const seat = device.seatAt(table);
  if (!seat || seat.next === rematch) return; // it was kept before, and may have been removed from the list
  device.keep({ ...seat, next: rematch });
  if (device.seatAt(rematch)) return;
  const { head: _, next: __, ...same } = seat;
  device.keep({ ...same, table: rematch, begun: Date.now(), over: false, entropy: "", commitment: "" });
}

/** With what a seat at a table is asked for: the same as before, where the answer to that may have been lost. */
export function asked(table: string) {
  let found = asking.get(table);
  if (!found) asking.set(table, (found = { token: secret(), ...promised() }));
  return found;
}
const asking = new Map<string, { token: string; entropy: string; promise: string }>();
