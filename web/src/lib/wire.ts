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

/** Another sitting of the same people, please; anyone who sits here may ask. */
export type Rematch = {
  kind: "rematch";
  id: string;
};

/** Say one of the set phrases to everyone at the table. Nothing is written. */
export type Say = {
  kind: "say";
  id: string;
  phrase: "again" | "bye" | "close" | "game" | "hello" | "hooray" | "luck" | "moment" | "oops" | "played" | "thanks" | "wow";
};

/** Remind the person whose turn it is. Nothing is written. */
export type Nudge = {
  kind: "nudge";
  id: string;
};

/** I am ready to start, or not yet. Nothing is written. */
export type Ready = {
  kind: "ready";
  id: string;
  on: boolean;
};

/** Are you there? */
export type Ping = {
  kind: "ping";
};

/** The answer to hello: the seat (−1 for a spectator) and how things stand.

    `here` are the seats whose people are connected, `away` the others, by seat, with the seconds for which they have
    been away. `left` is how many seconds the person who decides still has, where
    the table has a pace for people; with every later position that time starts over. `waited` is for how many seconds
    the others have waited for the person who decides. `watching` and `ready` are those of `here`. `key` is the public
    key by which signatures are verified. */
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
  waited?: number | null;
  watching?: number;
  ready?: number[];
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
    whether programs may sit down, `phrases` whether set phrases may be said. `ended` says why a sitting was ended
    before its end (by the host, or at the table's limit), `winners` are seats once it is over, and `rematch` is the
    table at which the same people play again. `again` names the sitting that is played again here by one seat, and the
    moves that it begins with. `series` is the first of several tables at which the same cards are played; no seat can
    add entropy there, and the record is shown when all have finished. Over HTTP, `turn` is the seat that decides, and
    `waited` for how many seconds the others have waited for that person, unless spectators are told later. */
export type Described = {
  again?: AgainData;
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
  phrases: boolean;
  players: number;
  programs: boolean;
  rematch: string | null;
  rules: number;
  scoring: Record<string, string[]>;
  seats: SeatData[];
  series?: string;
  shuffle: number;
  sides: number;
  table: string;
  turn?: number;
  waited?: number;
  what_scores: ScoreData[];
  winners: number[] | null;
};

/** A sitting that is played again: its table, the seat that does, and the moves that it begins with. */
export type AgainData = {
  moves: number;
  of: string;
  seat: number;
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

/** Something that scores: the points, what for, the clause, and the ranks of the cards that do it, if any. */
export type ScoreData = {
  cards: string;
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

/** Someone came or went, or is ready: the seats whose people are connected now, how many spectators are `watching`,
    and, before the start, the seats whose people are `ready`. */
export type Here = {
  kind: "here";
  here: number[];
  watching?: number;
  ready?: number[];
};

/** A person says one of the set phrases. */
export type Phrase = {
  kind: "phrase";
  seat: number;
  phrase: "again" | "bye" | "close" | "game" | "hello" | "hooray" | "luck" | "moment" | "oops" | "played" | "thanks" | "wow";
};

/** The person of a seat, whose turn it is, was reminded by the person of another seat. */
export type Nudged = {
  kind: "nudged";
  seat: number;
  by: number;
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

/** The last message before the server closes the socket, and why; `again` where coming back may help.

    `owner` is the address of the server that has the table now, if that is another one: come to it there. */
export type Bye = {
  kind: "bye";
  sentence: string | Said;
  again?: boolean;
  owner?: string;
};

/** A table to be opened; `game` is one of those that `/api/games` lists.

    With `copies`, further tables can be opened later at which the same cards are dealt: those give the same key, and
    the name of the first table as `like`. */
export type Opening = {
  game: string;
  players: number;
  options?: Record<string, string | number>;
  open?: boolean;
  hints?: boolean;
  programs?: boolean;
  phrases?: boolean;
  copies?: string | null;
  like?: string | null;
  deal?: number | null;
  again?: Again | null;
  person_seconds?: number;
  bot_seconds?: number;
  spectator_seconds?: number;
};

/** A sitting that is over, played again from after so many moves (0: the same deal), by one person at a seat. */
export type Again = {
  table: string;
  seat: number;
  moves?: number;
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

/** Where a person wants to be told when it is their turn: either of the two. */
export type Way = {
  push?: Push | null;
  webhook?: Webhook | null;
};

/** A browser's push subscription, as `PushSubscription.toJSON` has it. */
export type Push = {
  endpoint: string;
  p256dh: string;
  auth: string;
};

/** An address that is called, and in which shape. */
export type Webhook = {
  address: string;
  shape?: "discord" | "json" | "ntfy" | "slack";
};

/** A way in which a person is told; `host` is where it leads. */
export type Chosen = {
  id: string;
  kind: "push" | "webhook";
  host: string;
  shape?: string;
};

/** Whether the server sends notices, and its public key for push subscriptions. */
export type CanTell = {
  notices: boolean;
  push?: string | null;
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

/** One way to score at a table: "−3", what it is for, the clause, and the ranks of the cards that do it, if any. */
export type Scored = {
  points: string;
  what: string;
  clause: string;
  cards?: string;
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

/** How far a review is: pieces done, of all (0 where nobody has asked yet); the review when it is there. */
export type ReviewState = {
  done?: number;
  of?: number;
  failed?: string | Said | null;
  review?: ReviewBody | null;
};

/** A sitting as one seat played it; `start`, `luck`, `others` and `own` add up to `result`.

    `points` are running sums of the chance to win: moves made, luck, others, own. */
export type ReviewBody = {
  seat: number;
  accuracy: number | null;
  unjudged: number;
  marks: MarkLine[];
  start: PartLine;
  luck: PartLine;
  others: PartLine;
  own: PartLine;
  result: PartLine;
  points: number[][];
};

/** A real choice: the step played and the best one; how much better that is in score and in the chance to win.

    `within` numbers the steps of a move; `score_within` and `win_within` are half of 95 % intervals. A `mistake` is
    worse beyond the doubt of the whole review, and has a reason; `lost` is what it cost, on the search's own scale. */
export type MarkLine = {
  move: number;
  within: number;
  played: string;
  best: string;
  score?: number;
  score_within?: number;
  win?: number;
  win_within?: number;
  lost?: number;
  mistake?: boolean;
  reason?: string | Said;
  clause?: string;
  claims?: ClaimLine[] | null;
};

/** A part of the result, with half of its 95 % intervals. */
export type PartLine = {
  win: number;
  score: number;
  win_within: number;
  score_within: number;
};

/** A deal of the day: what each level made of it, as far as that is known, and what people here did. */
export type DayBody = {
  game: string;
  number: number;
  levels: Record<string, DayResult>;
  people: number[][];
};

/** How a deal of the day ended for its seat: the score, the place among so many sides, and whether it won. */
export type DayResult = {
  score: number;
  place: number;
  of: number;
  won: boolean;
};

/** How many puzzles of a game there are, and which is today's, from 1. */
export type PuzzleShelf = {
  total: number;
  today: number;
};

/** A puzzle: the position in one frame, with the legal steps, and the name of the best one. */
export type PuzzleBody = {
  game: string;
  number: number;
  total: number;
  difficulty: string;
  players: number;
  sides: number;
  goal: number;
  scoring: Record<string, string[]>;
  options: Record<string, unknown>;
  called: string[];
  seat: number;
  what_scores: Scored[];
  names: Record<string, string>;
  best: string;
  frames: Frame[];
};

/** Why the best step of a puzzle is the best, as in a hint. */
export type PuzzleReason = {
  reason: string | Said;
  clause: string;
  claims?: ClaimLine[] | null;
};

export type FromClient = Hello | Act | Follow | Undo | Hint | Hasten | Leave | Back | Cover | Start | Show | Bot | Host | Claim | Remove | Stand | Carry | Alone | End | Rematch | Say | Nudge | Ready | Ping;

export type ToClient = Welcome | News | Here | Phrase | Nudged | Done | Refused | Stale | Failed | Following | Advice | Pong | Bye;

/** A game with its whole sheet. */
export type Book = { game: string; title: string; maker: string; kind: string; summary: string; goal: string; turn: string; order: string; ends: string; unit: string; what_scores: ({ points: string; what: string; clause: string; cards: string })[]; rules: number; players: number[]; usual: number; cards: number; like: string; minutes: number; skill: string; clauses: ({ id: string; title: string; rule: string; state: string; lemma: string; also: string[]; reading: string; supplied: string; evidence: ({ kind: string; says: string; source: string })[]; certainty: string; usual: string; where: string })[]; options: ({ name: string; clause: string; default: number | string; changes: string; label: string; offered: boolean; size: boolean; min?: number; max?: number; values?: ({ name: string | number; label: string; means: string; players: number[]; since?: number })[]; since?: number; before?: string | number; earlier?: Record<string, string>; needs?: { mistakes: string } })[]; retired: Record<string, string>; glossary: ({ word: string; means: string })[]; accent: [string, string]; bots: string[]; levels: string[]; usual_bot: string; lesson: boolean; card_names: Record<string, string>; drawn_by: string[]; entries: ({ kind: string; nature: string; clause: string; fields: ({ type: string; hidden: boolean; recorded: boolean })[] })[]; chance: string[]; fields: ViewField[] };

/** A game, as it is listed for choosing one. */
export type Lid = { game: string; title: string; summary: string; goal: string; players: number[]; usual: number; like: string; minutes: number; skill: string; accent: [string, string]; levels: string[]; usual_bot: string; lesson: boolean; offered: ({ name: string; clause: string; default: string; changes: string; label: string; offered: boolean; size: boolean; values: ({ name: string; label: string; means: string; players: number[] })[] })[] };

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
