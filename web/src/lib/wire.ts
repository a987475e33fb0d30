// Written by tools/wire_types.py from the server's own schemas; a test compares them. Do not edit.

/** The first message: the table, and the token of a seat; without a token the client is a spectator.

    `last` is the number up to which the client was told everything before, if anything; `head` and `signature` are
    those it was told with that number. `whole` asks for everything all the same. A client whose `words` are "keys"
    words the sentences itself: wherever others are sent one, it is sent a key and values (`/api/words` has the
    patterns). `wants` asks for what programs play by, wherever it is their turn: `observation` and `mask` as numbers,
    and `sight`, from which a client in Python makes a view. */
export type Hello = {
  kind: "hello";
  protocol: number;
  table: string;
  token?: string | null;
  last?: number | null;
  head?: string | null;
  signature?: string | null;
  whole?: boolean;
  words?: "" | "keys";
  wants?: ("mask" | "observation" | "sight")[];
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

/** A person whose turn it is has been away for a while: let a bot play for them until they are back. */
export type Cover = {
  kind: "cover";
  id: string;
  seat: number;
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

/** The host ends the sitting before its end; what was scored so far is its result. */
export type End = {
  kind: "end";
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

    `here` are the seats whose people are connected, `away` the others, by seat, with the seconds for which they have
    been away. `left` is how many seconds the person who decides still has, where
    the table has a pace for people; with every later position that time starts over. `key` is the public key by which
    signatures are verified. */
export type Welcome = {
  kind: "welcome";
  protocol: number;
  seat: number;
  news: News;
  here?: number[];
  left?: number | null;
  pace?: Pace | null;
  key?: string | null;
  away?: Record<string, number>;
};

/** What happened since the last number, and how things stand now. `whole` starts over: forget everything before.

    `signature` is the server's, under the table's name, `number` and `head`. `set_back` says, in one sentence, that the
    log is shorter or other than what the client was told before. Where it is this seat's turn, `observation`, `mask`
    and `sight` are there if hello asked for them. */
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
  observation?: number[] | null;
  mask?: number[] | null;
  sight?: Record<string, unknown> | null;
  head?: string | null;
  signature?: string | null;
  whole?: boolean;
  set_back?: string | Said;
};

/** One event, as this listener may know it: the entry, a sentence, and the clause behind it.

    Where `says` is a key, its pattern also names the members of the entry, as the catalogue's `fields` call them. */
export type Event = {
  entry: unknown[];
  says: string | Said;
  clause: string;
};

/** A sentence by its key in the catalogue, and the values that its pattern names: cards by code, seats by number. */
export type Said = {
  key: string;
  values?: Record<string, unknown>;
};

/** A table, as everyone may know it.

    `phase` is gathering, sealing (entropy is awaited), playing or over. `host` is a seat, or −1. `goal` are the points
    that end the sitting, 0 where there is no such number. `deal` is the number of a numbered deal. `programs` says
    whether programs may sit down. `ended` says why a sitting was ended before its end (by the host, or at the table's
    limit), `winners` are seats once it is over, and `rematch` is the table at which the same people play again. */
export type Described = {
  commitment: string;
  deal: number | null;
  ended: "host" | "limit" | null;
  game: string;
  goal: number;
  hints: boolean;
  host: number;
  names?: Record<string, string>;
  open: boolean;
  options: Record<string, number | string>;
  pace: PaceData;
  phase: "gathering" | "over" | "playing" | "sealing";
  players: number;
  programs: boolean;
  rematch: string | null;
  rules: number;
  scoring: Record<string, string[]>;
  seats: SeatData[];
  shuffle: number;
  sides: number;
  table: string;
  turn?: number;
  what_scores: ScoreData[];
  winners: number[] | null;
};

/** How long things take, in seconds: before a bot plays for a silent person (0 is never), a bot's move, and before
    spectators are told. */
export type PaceData = {
  bot: number;
  person: number;
  spectator: number;
};

/** A seat: the `name` of its person, what it is `called`, the level of the `bot` that plays there, if one does, and
    the `promise` of entropy. `program` is what a program that sat down calls itself, or "" for a person. */
export type SeatData = {
  bot: string;
  called: string;
  name: string;
  program: string;
  promise: string | null;
};

/** Something that scores: the points, what for, and the clause. */
export type ScoreData = {
  clause: string;
  points: string;
  what: string;
};

/** A legal step; `whole` where it completes the move, so that nothing need be asked before `act`. */
export type Choice = {
  step: number;
  name: string;
  whole: boolean;
};

/** How much a client may ask: so many requests a second, and so many at once. One that asks for more has to wait. */
export type Pace = {
  requests: number;
  at_once: number;
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
  sentence: string | Said;
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
  sentence: string | Said;
};

/** The steps that can follow, and the view within the move; where the move is whole, the decision it would make.

    `only` are steps that complete the move, where every way to complete it makes the same decision. */
export type Following = {
  kind: "following";
  id: string;
  legal: Choice[];
  view?: View | null;
  decision?: unknown[] | null;
  only?: string[];
  observation?: number[] | null;
  mask?: number[] | null;
  sight?: Record<string, unknown> | null;
};

/** Why the best step is good, in a sentence; the steps worth thinking about, best first; the reason's claims.

    A client that words sentences itself makes the reason of the claims; `reason` is a key where there are none. */
export type Advice = {
  kind: "advice";
  id: string;
  hints: HintLine[];
  reason: string | Said;
  clause: string;
  claims?: ClaimLine[] | null;
};

/** A step worth thinking about: its score and the chance to win, each with half of its 95 % interval. */
export type HintLine = {
  step: number;
  name: string;
  score: number;
  win: number;
  score_within?: number | null;
  win_within?: number | null;
};

/** A part of a reason by its key, with the values that its sentence names (cards by code). */
export type ClaimLine = {
  key: string;
  values: Record<string, unknown>;
};

/** I am here. */
export type Pong = {
  kind: "pong";
};

/** The last message before the server closes the socket, and why; `again` where coming back may help. */
export type Bye = {
  kind: "bye";
  sentence: string | Said;
  again?: boolean;
};

/** A table to be opened; `game` is one of those that `/api/games` lists. */
export type Opening = {
  game: string;
  players: number;
  options?: Record<string, string | number>;
  open?: boolean;
  hints?: boolean;
  programs?: boolean;
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

/** A person who wants to sit down, or a program, which says so. */
export type Joining = {
  name: string;
  code?: string;
  seat?: number | null;
  promise?: string | null;
  token?: string | null;
  program?: string;
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

/** Why not, in one sentence, with the clause where there is one. Requests with `words=keys` get a key and values. */
export type ErrorBody = {
  sentence: string | Said;
  clause?: string;
};

/** A guided first hand; the last frame says what to remember. */
export type Lesson = {
  game: string;
  players: number;
  sides: number;
  goal: number;
  scoring: Record<string, string[]>;
  options: Record<string, unknown>;
  called: string[];
  seat: number;
  what_scores: Scored[];
  names: Record<string, string>;
  frames: Frame[];
};

/** One way to score at a table: "−3", what it is for, and the clause. */
export type Scored = {
  points: string;
  what: string;
  clause: string;
};

/** What happened, how things stand now, and the next move; `hands` are those of all seats, in a replay. */
export type Frame = {
  events: Event[];
  view: View;
  seat?: number;
  move?: string[];
  hands?: string[][];
  say?: string;
  clause?: string;
  legal?: Choice[][];
  within?: View[];
  refusals?: Record<string, (string | Said)[]>;
  leap?: boolean;
};

/** Some frames of a sitting that is over, from number `first` of `total`. */
export type Replay = {
  game: string;
  players: number;
  sides: number;
  goal: number;
  scoring: Record<string, string[]>;
  options: Record<string, unknown>;
  called: string[];
  total: number;
  first: number;
  what_scores: Scored[];
  names: Record<string, string>;
  frames: Frame[];
};

export type FromClient = Hello | Act | Follow | Undo | Hint | Hasten | Leave | Back | Cover | Start | Show | Bot | Host | Claim | Remove | Stand | Carry | Alone | End | Rematch | Ping;

export type ToClient = Welcome | News | Here | Done | Refused | Stale | Failed | Following | Advice | Pong | Bye;

/** A game with its whole sheet. */
export type Book = { game: string; title: string; maker: string; kind: string; summary: string; goal: string; turn: string; order: string; ends: string; unit: string; what_scores: ({ points: string; what: string; clause: string })[]; rules: number; players: number[]; usual: number; cards: number; like: string; minutes: number; skill: string; clauses: ({ id: string; title: string; rule: string; state: string; lemma: string; also: string[]; reading: string; supplied: string; evidence: ({ kind: string; says: string; source: string })[]; certainty: string; where: string })[]; options: ({ name: string; clause: string; default: number | string; changes: string; label: string; offered: boolean; size: boolean; min?: number; max?: number; values?: ({ name: string | number; label: string; means: string; players: number[]; since?: number })[]; since?: number; before?: string | number; earlier?: Record<string, string>; needs?: { mistakes: string } })[]; retired: Record<string, string>; glossary: ({ word: string; means: string })[]; accent: [string, string]; bots: string[]; levels: string[]; usual_bot: string; lesson: boolean; card_names: Record<string, string>; drawn_by: string[]; entries: ({ kind: string; nature: string; clause: string; fields: ({ type: string; hidden: boolean; recorded: boolean })[] })[]; chance: string[]; fields: ViewField[] };

/** A game, as it is listed for choosing one. */
export type Lid = { game: string; title: string; maker: string; summary: string; goal: string; players: number[]; usual: number; cards: number; like: string; minutes: number; skill: string; accent: [string, string]; levels: string[]; usual_bot: string; lesson: boolean; offered: ({ name: string; clause: string; default: string; changes: string; label: string; offered: boolean; size: boolean; values: ({ name: string; label: string; means: string; players: number[] })[] })[] };

/** What every view has; each game adds fields of its own. */
export type View = { seat: number; players: number; to_act: number; over: boolean; [field: string]: unknown };

/** A field of a game's view, as the game declares it: `each` says that there is one value for every seat or side,
 * and `score` that these are compared by it. */
export type ViewField = {
  name: string;
  meaning: string;
  kind: "seat" | "number" | "flag" | "word" | "card" | "cards" | "counts" | "plays" | "seats" | "holders";
  each: "one" | "seats" | "sides";
  seen_by: string;
  score: boolean;
};
