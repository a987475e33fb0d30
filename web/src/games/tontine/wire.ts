// Written by tools/wire_types.py from the server's own schemas; a test compares them. Do not edit.

/** Tontine: everything that a seat knows. */
export type TontineView = { seat: number; players: number; to_act: number; over: boolean; dealer: number; last_out: number; counters: number[]; living: number[]; cards: (string | null)[]; box: number; deal: number };

export type TontineEntry =
  | ["dealer", number]
  | ["turn", number]
  | ["deal", string[]]
  | ["pay", number | "box", number | "box", number, string]
  | ["dead", number, string]
  | ["revived", number, string];
