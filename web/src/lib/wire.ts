// Made by tools/wire_types.py from the server's own schemas; a test compares them. Do not edit.

/** The first message: the table, and the token of a seat; without a token the client is a spectator. */
export type Hello = {
  kind: "hello";
  protocol: number;
  table: string;
  token?: string | null;
  last?: number | null;
};

/** Make a whole move; `number` is that of the position it answers. */
export type Act = {
  kind: "act";
  id: string;
  number: number;
  move: (number | string)[];
};

/** Which steps can follow these of my move? Nothing is written. */
export type Follow = {
  kind: "follow";
  id: string;
  prefix: (number | string)[];
};

/** Take my last decision back, where I play alone. */
export type Undo = {
  kind: "undo";
  id: string;
  number: number;
};

/** What would a good player do? */
export type Hint = {
  kind: "hint";
  id: string;
};

/** I play alone with bots: from now on they take no time, or their usual time again. */
export type Hasten = {
  kind: "hasten";
  id: string;
  on: boolean;
};

/** I go; let a bot play for me until I am back. */
export type Leave = {
  kind: "leave";
  id: string;
};

/** I am back at my seat. */
export type Back = {
  kind: "back";
  id: string;
};

/** The host starts. */
export type Start = {
  kind: "start";
  id: string;
};

/** Here is the entropy that I promised. */
export type Show = {
  kind: "show";
  id: string;
  entropy: string;
};

/** The host puts a bot at a seat, or takes it away where the level is "". */
export type Bot = {
  kind: "bot";
  id: string;
  seat: number;
  level: string;
};

/** The host makes another person the host. */
export type Host = {
  kind: "host";
  id: string;
  seat: number;
};

/** The host is away: let me be the host. */
export type Claim = {
  kind: "claim";
  id: string;
};

/** The host takes a person's seat away. */
export type Remove = {
  kind: "remove";
  id: string;
  seat: number;
};

/** I give up my seat, before the start. */
export type Stand = {
  kind: "stand";
  id: string;
};

/** This code shall carry my seat to another device, once. */
export type Carry = {
  kind: "carry";
  id: string;
  code: string;
};

/** All my other devices shall lose my seat. */
export type Alone = {
  kind: "alone";
  id: string;
};

/** The host asks for another sitting of the same people. */
export type Rematch = {
  kind: "rematch";
  id: string;
};

/** Are you there? */
export type Ping = {
  kind: "ping";
};

/** The answer to hello: the seat (−1 for a spectator) and how things stand.

    `here` are the seats whose people are connected. `left` is how many seconds the person who decides still has, where
    the table has a pace for people; with every later position that time starts over. */
export type Welcome = {
  kind: "welcome";
  protocol: number;
  seat: number;
  news: News;
  here?: number[];
  left?: number | null;
};

/** What happened since the last number, and how things stand now. `whole` starts over: forget everything before. */
export type News = {
  kind: "news";
  number: number;
  since?: number | null;
  events?: Event[];
  earlier?: number;
  table_events?: unknown[][];
  table?: Described | null;
  view?: View | null;
  legal?: Choice[];
  head?: string | null;
  whole?: boolean;
};

/** One event, as this listener may know it: the entry, a sentence, and the clause behind it. */
export type Event = {
  entry: unknown[];
  says: string;
  clause: string;
};

/** A legal step; `whole` where it completes the move, so that nothing need be asked before `act`. */
export type Choice = {
  step: number;
  name: string;
  whole: boolean;
};

/** Someone came or went: the seats whose people are connected now. */
export type Here = {
  kind: "here";
  here: number[];
};

/** It was done and is safely stored, as row `number`. */
export type Done = {
  kind: "done";
  id: string;
  number: number;
};

/** It is not allowed: why, in one sentence, and the clause behind that. */
export type Refused = {
  kind: "refused";
  id: string;
  sentence: string;
  clause?: string;
};

/** It answers a position that has passed; here is what was missed. */
export type Stale = {
  kind: "stale";
  id: string;
  news: News;
};

/** It may not have been stored: ask again, under the same id. */
export type Failed = {
  kind: "failed";
  id: string;
  sentence: string;
};

/** The steps that can follow, and the view within the move; where the move is whole, the decision it would make. */
export type Following = {
  kind: "following";
  id: string;
  legal: Choice[];
  view?: View | null;
  decision?: unknown[] | null;
};

/** The steps worth thinking about, best first, and why. */
export type Advice = {
  kind: "advice";
  id: string;
  hints: HintLine[];
  reason: string;
  clause: string;
};

/** A step worth thinking about. */
export type HintLine = {
  step: number;
  name: string;
  score: number;
  win: number;
};

/** I am here. */
export type Pong = {
  kind: "pong";
};

/** The last message before the server closes the socket, and why; `again` where coming back may help. */
export type Bye = {
  kind: "bye";
  sentence: string;
  again?: boolean;
};

/** A table to be opened; `game` is one of those that `/api/games` lists. */
export type Opening = {
  game: string;
  players: number;
  options?: Record<string, string | number>;
  open?: boolean;
  hints?: boolean;
  deal?: number | null;
  person_seconds?: number;
  bot_seconds?: number;
  spectator_seconds?: number;
};

/** A table's name, and the code that invites to it; links have it behind a #, where no server sees it. */
export type Opened = {
  table: string;
  code: string;
  described: Described;
};

/** A person who wants to sit down. */
export type Joining = {
  name: string;
  code?: string;
  seat?: number | null;
  promise?: string | null;
  token?: string | null;
};

/** A person who brings a seat along from another device. */
export type Carrying = {
  code: string;
  token?: string | null;
};

/** A seat, and the token that is its key; it is shown once. */
export type Seated = {
  seat: number;
  token: string;
};

/** Why not, in one sentence, with the clause where there is one. */
export type ErrorBody = {
  sentence: string;
  clause?: string;
};

/** A guided first hand; the last frame says what to remember. */
export type Lesson = {
  game: string;
  players: number;
  sides: number;
  goal: number;
  options: Record<string, unknown>;
  called: string[];
  seat: number;
  frames: Frame[];
};

/** What happened, how things stand now, and the next move; `hands` are those of all seats, in a replay. */
export type Frame = {
  events: Event[];
  view: View | null;
  seat?: number;
  move?: string[];
  hands?: string[][];
  say?: string;
  clause?: string;
  legal?: Choice[][];
  within?: View[];
  refusals?: Record<string, string[]>;
};

/** Some frames of a sitting that is over, from number `first` of `total`. */
export type Replay = {
  game: string;
  players: number;
  sides: number;
  goal: number;
  options: Record<string, unknown>;
  called: string[];
  total: number;
  first: number;
  frames: Frame[];
};

export type FromClient = Hello | Act | Follow | Undo | Hint | Hasten | Leave | Back | Start | Show | Bot | Host | Claim | Remove | Stand | Carry | Alone | Rematch | Ping;

export type ToClient = Welcome | News | Here | Done | Refused | Stale | Failed | Following | Advice | Pong | Bye;

/** A game with its whole sheet. */
export type Book = { game: string; title: string; maker: string; summary: string; goal: string; turn: string; rules: number; players: number[]; usual: number; cards: number; clauses: ({ id: string; title: string; rule: string; state: string; reading: string; source: string })[]; options: ({ name: string; clause: string; default: number | string; changes: string; min?: number; max?: number; values?: ({ name: string | number; means: string; players: number[] })[] })[]; accent: string[]; bots: string[]; levels: string[]; usual_bot: string; card_names: Record<string, string>; entries: ({ kind: string; nature: string; clause: string; fields: ({ type: string; hidden: boolean; recorded: boolean })[] })[]; chance: string[]; fields: ({ name: string; kind: string; meaning: string; seen_by: string; each: string })[] };

/** A game, for those who choose one. */
export type Lid = { game: string; title: string; maker: string; summary: string; goal: string; players: number[]; usual: number; cards: number; accent: string[] };

/** A table, as all may know it. */
export type Described = { table: string; game: string; players: number; sides: number; goal: number; options: Record<string, number | string>; rules: number; shuffle: number; commitment: string; open: boolean; hints: boolean; deal: number | null; pace: { person: number; bot: number; spectator: number }; phase: string; host: number; seats: ({ name: string; called: string; bot: string; promise: string | null })[]; rematch: string | null; winners: number[] | null };

/** The Masquerade Game: all that a seat knows. */

export type MasqueradeView = { seat: number; players: number; to_act: number; over: boolean; stage: string | null; dealer: number; leader: number; hand: string[]; received: string[]; trick: [number, string][]; hand_sizes: number[]; points: number[]; totals: number[]; games_won: number[]; game: number; last_winner: number; m1_was_played: boolean; may_hold: Record<string, number[]> };

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

/** Lost Heir: all that a seat knows. */

export type LostHeirView = { seat: number; players: number; to_act: number; over: boolean; dealer: number; leader: number; namer: number; hand: string[]; trick: [number, string][]; gone: string[]; trump: string | null; bids: (number | null)[]; bid: number; hand_sizes: number[]; tricks_left: number; deal: number; points: number[]; fines: number[]; totals: number[]; may_hold: Record<string, number[]> };

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

/** Change for a Sovereign: all that a seat knows. */

export type SovereignView = { seat: number; players: number; to_act: number; over: boolean; stage: string; dealer: number; coins: Record<string, number>; offer: Record<string, number>; hand_sizes: number[]; surplus: number; aside: number; game: number; round: number; general_pool: number; penalties_in_it: number; sovereign_pool: number; staked_in_it: number[]; counters: number[]; offered_wrongly: boolean; neighbour_allowed: boolean; thrown_by_you: Record<string, number>; known_to_hold: (Record<string, number>)[] };

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

/** Heraldry: all that a seat knows. */

export type HeraldryView = { seat: number; players: number; to_act: number; over: boolean; dealer: number; last_taker: number; hand: string[]; table: string[]; playing: string | null; taking: string[]; grouping: string[]; won: string[][]; hand_sizes: number[]; totals: number[]; pack: number; deal: number; may_hold: Record<string, number[]> };

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

/** Tontine: all that a seat knows. */

export type TontineView = { seat: number; players: number; to_act: number; over: boolean; dealer: number; last_out: number; counters: number[]; living: number[]; cards: (string | null)[]; box: number; deal: number };

export type TontineEntry =
  | ["dealer", number]
  | ["turn", number]
  | ["deal", string[]]
  | ["pay", number | "box", number | "box", number, string]
  | ["dead", number, string]
  | ["revived", number, string];

export type View = MasqueradeView | LostHeirView | SovereignView | HeraldryView | TontineView;

/** What the coins of Change for a Sovereign are worth, in pence. */
export const PENCE: Record<string, number> = { "SOV": 0, "HG": 126, "HS": 120, "CR": 60, "HC": 30, "FL": 24, "SH": 12, "6D": 6, "1D": 1 };

/** What the cards of Heraldry count. */
export const COUNTS: Record<string, number> = { "S1": 1, "C1": 1, "X1": 1, "D1": 1, "S2": 2, "C2": 2, "X2": 2, "D2": 2, "S3": 3, "C3": 3, "X3": 3, "D3": 3, "S4": 4, "C4": 4, "X4": 4, "D4": 4, "S5": 5, "C5": 5, "X5": 5, "D5": 5, "S6": 6, "C6": 6, "X6": 6, "D6": 6, "S7": 7, "C7": 7, "X7": 7, "D7": 7, "S8": 8, "C8": 8, "X8": 8, "D8": 8, "S9": 9, "C9": 9, "X9": 9, "D9": 9, "S10": 10, "C10": 10, "X10": 10, "D10": 10, "SC": 10, "CC": 10, "XC": 10, "DC": 10, "SJ": 10, "CJ": 10, "XJ": 10, "DJ": 10 };
