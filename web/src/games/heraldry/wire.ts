// Written by tools/wire_types.py from the server's own schemas; a test compares them. Do not edit.

/** Heraldry: everything that a seat knows. */
export type HeraldryView = { seat: number; players: number; to_act: number; over: boolean; dealer: number; last_taker: number; hand: string[]; table: string[]; playing: string | null; taking: string[]; grouping: string[]; won: string[][]; hand_sizes: number[]; totals: number[]; pack: number; deal: number; sweeps: number[]; may_hold?: Record<string, number[]> };

export type HeraldryEntry =
  | ["dealer", number]
  | ["deal", string[] | null]
  | ["hand", number, string[] | null, string]
  | ["table", string[], string]
  | ["capture", number, string, string[]]
  | ["discard", number, string]
  | ["sweep", number, string[], string]
  | ["score", number, number, string]
  | ["total", number[]];

/** What each card counts. */
export const VALUES: Record<string, number> = { "S1": 1, "C1": 1, "X1": 1, "D1": 1, "S2": 2, "C2": 2, "X2": 2, "D2": 2, "S3": 3, "C3": 3, "X3": 3, "D3": 3, "S4": 4, "C4": 4, "X4": 4, "D4": 4, "S5": 5, "C5": 5, "X5": 5, "D5": 5, "S6": 6, "C6": 6, "X6": 6, "D6": 6, "S7": 7, "C7": 7, "X7": 7, "D7": 7, "S8": 8, "C8": 8, "X8": 8, "D8": 8, "S9": 9, "C9": 9, "X9": 9, "D9": 9, "S10": 10, "C10": 10, "X10": 10, "D10": 10, "SC": 10, "CC": 10, "XC": 10, "DC": 10, "SJ": 10, "CJ": 10, "XJ": 10, "DJ": 10 };
