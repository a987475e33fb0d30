// Written by tools/wire_types.py from the server's own schemas; a test compares them. Do not edit.

/** The Masquerade Game: everything that a seat knows. */
export type MasqueradeView = { seat: number; players: number; to_act: number; over: boolean; dealer: number; leader: number; game: number; stage: string | null; hand: string[]; received: string[]; hand_sizes: number[]; trick: [number, string][]; points: number[]; totals: number[]; games_won: number[]; last_winner: number; m1_was_played: boolean; may_hold: Record<string, number[]> };

export type MasqueradeEntry =
  | ["divide", string[] | null]
  | ["deal", string[] | null]
  | ["first", number]
  | ["hand", number, string[] | null]
  | ["play", number, string, string]
  | ["give", number, string | null, number]
  | ["decline", number]
  | ["draw", number, number, string | null, string]
  | ["return", number, string | null, number]
  | ["skip", number, string]
  | ["take", number, string]
  | ["score", number, number, string]
  | ["game", number];
