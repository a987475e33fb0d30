// Written by tools/wire_types.py from the server's own schemas; a test compares them. Do not edit.

/** Lost Heir: everything that a seat knows. */
export type LostHeirView = { seat: number; players: number; to_act: number; over: boolean; dealer: number; leader: number; namer: number; hand: string[]; trick: [number, string][]; gone: string[]; trump: string | null; bids: (number | null)[]; bid: number; hand_sizes: number[]; tricks_left: number; deal: number; points: number[]; fines: number[]; totals: number[]; may_hold?: Record<string, number[]> };

export type LostHeirEntry =
  | ["dealer", number]
  | ["deal", string[] | null]
  | ["hand", number, string[] | null]
  | ["bid", number, number]
  | ["redeal", string]
  | ["trump", number, string, string]
  | ["play", number, string, string]
  | ["take", number, string]
  | ["void", string, string]
  | ["score", number, number, string]
  | ["fail", number, number, string]
  | ["total", number[]];
