// Written by tools/wire_types.py from the server's own schemas; a test compares them. Do not edit.

/** Change for a Sovereign: everything that a seat knows. */
export type SovereignView = { seat: number; players: number; to_act: number; over: boolean; stage: string | null; dealer: number; coins: Record<string, number>; offer: Record<string, number>; hand_sizes: number[]; surplus: number; aside: number; game: number; round: number; general_pool: number; penalties_in_it: number; sovereign_pool: number; staked_in_it: number[]; counters: number[]; offered_wrongly: boolean; neighbour_allowed: boolean; draws_from: number; thrown_by_you?: Record<string, number>; known_to_hold?: Record<string, number>[] };

export type SovereignEntry =
  | ["dealer", number]
  | ["deal", string[] | null]
  | ["hand", number, string[] | null]
  | ["change", number, string[]]
  | ["throw", number, string | null]
  | ["take", number, string, string]
  | ["pick", number, string | null, string]
  | ["leave", number]
  | ["draw", number, number, string | null]
  | ["surplus", string[] | null]
  | ["penalty", number, number, string]
  | ["pool", number, number, string, string]
  | ["void", string];

/** What each card counts. */
export const VALUES: Record<string, number> = { "SOV": 0, "HG": 126, "HS": 120, "CR": 60, "HC": 30, "FL": 24, "SH": 12, "6D": 6, "1D": 1 };
