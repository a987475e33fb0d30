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

/** How high each card is among those that one trick can hold. */
export const RANKS: Record<string, number> = { "M1": 15, "M2": 14, "M3": 13, "M4": 12, "M5": 11, "M6": 10, "M7": 9, "M8": 8, "R1": 7, "R2": 6, "R3": 5, "R4": 4, "R5": 3, "R6": 2, "R7": 1, "R8": 0, "I1": 7, "I2": 6, "I3": 5, "I4": 4, "I5": 3, "I6": 2, "I7": 1, "I8": 0, "D1": 7, "D2": 6, "D3": 5, "D4": 4, "D5": 3, "D6": 2, "D7": 1, "D8": 0 };
