// Written by tools/wire_types.py from the server's own schemas; a test compares them. Do not edit.

/** The Masquerade Game: everything that a seat knows. */
export type MasqueradeView = { seat: number; players: number; to_act: number; over: boolean; stage: string | null; dealer: number; leader: number; hand: string[]; received: string[]; trick: [number, string][]; hand_sizes: number[]; points: number[]; totals: number[]; games_won: number[]; game: number; last_winner: number; m1_was_played: boolean; exchange_with: number; may_hold?: Record<string, number[]> };

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
