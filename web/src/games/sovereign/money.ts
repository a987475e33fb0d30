// The money of the table: twelve pence a shilling, twenty shillings a sovereign.

import { VALUES } from "./wire";
import { sovereign } from "./words";

/** A sovereign, in pence. */
export const WANTED = 20 * 12;

/** A sum in shillings and pence. */
export const money = (pence: number): string => sovereign.money({ pence });

/** What stands on a coin. */
export const valueOf = (code: string): string =>
  code === "SOV" ? sovereign.value.sovereign : money(VALUES[code] ?? 0);

/** What a coin adds to change. */
export const worthOf = (code: string): string =>
  code === "SOV" ? sovereign.worth.sovereign : money(VALUES[code] ?? 0);
