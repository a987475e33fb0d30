// A place at a table, live, in a lesson or in a replay: what the five tables are given, and all they know.

import { words } from "../words";
import { capital } from "../words/grammar";
import { books, type Clause } from "./books.svelte";
import { Connection, type Answer } from "./connection.svelte";
import { Stage } from "./stage.svelte";
import type { Advice, Book, Choice, Following, Frame, Lesson, News, View } from "./wire";

const READ_MILLISECONDS = 9000;

/** Why something may not be done. */
export type Why = { sentence: string; clause: string };

/** A step of a move that is not whole yet: what can follow it, and how it stands then. */
export type Taken = { step: string; legal: Choice[]; view: View };
export type Ahead = Pick<Following, "legal" | "view" | "decision">;

export abstract class Play {
  readonly stage = new Stage();
  /** Steps taken of a move that is not whole yet, each with where it led. */
  trail = $state.raw<Taken[]>([]);
  #said = $state.raw<Why | null>(null);
  #fading: ReturnType<typeof setTimeout> | undefined;
  advice = $state.raw<Advice | null>(null);
  thinking = $state(false); // a hint is on its way
  busy = $state(false); // something was asked for, and is not answered yet

  abstract readonly game: string;
  abstract readonly seat: number; // −1: looks on
  abstract readonly names: string[]; // of the seats, as others call them
  abstract readonly levels: string[]; // of the bots, "" for persons
  abstract readonly options: Record<string, string | number>;
  readonly live: boolean = false;
  /** All hands, in a replay. */
  get hands(): string[][] | null {
    return null;
  }

  get book(): Book {
    return books.of(this.game)!;
  }

  get view(): View | null {
    return this.stage.view;
  }

  /** What the table answered last: why something may not be done; after a while it has been read. */
  get said(): Why | null {
    return this.#said;
  }

  set said(why: Why | null) {
    clearTimeout(this.#fading);
    this.#said = why;
    if (why) this.#fading = setTimeout(() => (this.#said = null), READ_MILLISECONDS);
  }

  /** The steps taken of a move that is not whole yet, by name. */
  get picked(): string[] {
    return this.trail.map((taken) => taken.step);
  }

  /** The steps that can be taken now: none while something is still moving. */
  get offered(): Choice[] {
    return this.stage.moving ? [] : (this.trail.at(-1)?.legal ?? this.stage.legal);
  }

  /** Whether it is on this seat to decide. */
  get mine(): boolean {
    return this.offered.length > 0;
  }

  /** The seat from which the table is looked at: one's own, or the first. */
  get front(): number {
    return Math.max(this.seat, 0);
  }

  /** The seat that is called "you". */
  get me(): number {
    return this.seat;
  }

  /** What a seat is called, at the beginning of a sentence or within one. */
  called(seat: number, within = false): string {
    const name = seat === this.me ? words.you : (this.names[seat] ?? "");
    return within ? name : capital(name);
  }

  cardName(code: string): string {
    return this.book.card_names[code] ?? code;
  }

  /** A sentence or a step with cards by name in place of their codes. */
  spoken(sentence: string): string {
    return sentence.replaceAll(/\b[0-9A-Z]{2,3}\b/g, (code) => this.book.card_names[code] ?? code);
  }

  /** A refusal in words, its clause apart. */
  protected reason(sentence: string, clause: string): Why {
    return { sentence: this.spoken(sentence).replace(/ \([A-Z]+-\d+[a-z]?\)$/, ""), clause };
  }

  clause(id: string): Clause | undefined {
    return this.book.clauses.find((clause) => clause.id === id);
  }

  /** The step that can be taken now by this name. */
  can(name: string): Choice | undefined {
    return this.offered.find((choice) => choice.name === name);
  }

  /** The steps that can be taken now about a card: "play M3", "give M3" … */
  about(code: string): Choice | undefined {
    return this.offered.find((choice) => choice.name.endsWith(` ${code}`));
  }

  /** Whether the best hint is about this step. */
  hinted(name: string | undefined): boolean {
    return name !== undefined && this.advice?.hints[0]?.name === name;
  }

  abstract take(name: string): Promise<void>;
  abstract why(name: string): Promise<Why | null>;
  /** Where a first step would lead: to others, or to a decision. */
  abstract ahead(step: string): Promise<Ahead | null>;

  /** Take back the last step of a move that is not whole, or all of them. */
  takeBack(all = false) {
    this.trail = all ? [] : this.trail.slice(0, -1);
    this.said = null;
  }

  protected clear() {
    this.trail = [];
    this.said = null;
    this.advice = null;
  }
}

/** A seat at a table of the server, or a place from which to look on. */
export class LivePlay extends Play {
  override readonly live = true;
  readonly line: Connection;
  earlier = $state(0);
  #reasons = new Map<string, Promise<Why | null>>();

  constructor(
    readonly table: string,
    token: string | null,
  ) {
    super();
    this.line = new Connection(table, token, (news) => this.#hear(news));
  }

  get described() {
    return this.line.described;
  }

  get game(): string {
    return this.described?.game ?? "";
  }

  get seat(): number {
    return this.line.seat;
  }

  get names(): string[] {
    return this.described?.seats.map((seat) => seat.called) ?? [];
  }

  get levels(): string[] {
    return this.described?.seats.map((seat) => seat.bot) ?? [];
  }

  get options(): Record<string, string | number> {
    return this.described?.options ?? {};
  }

  /** Whether one person plays here, with bots: then decisions can be taken back. */
  get solo(): boolean {
    return this.seat >= 0 && !this.described?.open && this.described?.seats.filter((seat) => seat.name).length === 1;
  }

  async take(name: string): Promise<void> {
    if (this.busy || !this.can(name)) return;
    this.busy = true;
    try {
      const [steps, before] = [[...this.picked, name], this.trail];
      const answer = await this.line.ask({ kind: "follow", prefix: steps });
      if (this.trail !== before) return; // the position has passed meanwhile
      if (answer.kind === "following" && answer.view) {
        this.trail = [...this.trail, { step: name, legal: answer.legal, view: answer.view }];
        this.said = null;
        return;
      }
      if (answer.kind === "refused") this.#refused(answer);
      else await this.#act(steps);
    } finally {
      this.busy = false;
    }
  }

  async #act(steps: string[]) {
    const done = await this.line.ask({ kind: "act", number: this.line.number ?? 0, move: steps });
    if (done.kind === "refused") return this.#refused(done);
    if (done.kind === "done") await this.line.told(done.number); // what was done is seen before anything else can be
    this.clear();
  }

  #refused(refused: { sentence: string; clause?: string }) {
    this.clear();
    this.said = this.reason(refused.sentence, refused.clause ?? "");
  }

  why(name: string): Promise<Why | null> {
    const key = `${this.line.number} ${this.picked.join()} ${name}`;
    let reason = this.#reasons.get(key);
    if (!reason) {
      reason = this.line
        .ask({ kind: "follow", prefix: [...this.picked, name] })
        .then((answer) => (answer.kind === "refused" ? this.reason(answer.sentence, answer.clause ?? "") : null));
      this.#reasons.set(key, reason);
    }
    return reason;
  }

  async ahead(step: string): Promise<Ahead | null> {
    const answer = await this.line.ask({ kind: "follow", prefix: [step] });
    return answer.kind === "following" ? answer : null;
  }

  async hint() {
    if (this.thinking) return;
    this.thinking = true;
    const { view } = this;
    const answer = await this.line.ask({ kind: "hint" });
    this.thinking = false;
    if (this.view !== view) return; // it was for a position that has passed
    if (answer.kind === "advice") this.advice = answer;
    else this.#unless(answer);
  }

  async undo() {
    if (this.busy) return;
    this.busy = true;
    this.#unless(await this.line.ask({ kind: "undo", number: this.line.number ?? 0 }));
    this.busy = false;
  }

  /** Ask for something about the table; why it may not be stands under it. */
  async request(asked: Parameters<Connection["ask"]>[0]): Promise<boolean> {
    const answer = await this.line.ask(asked);
    this.#unless(answer);
    return answer.kind === "done";
  }

  #unless(answer: Answer) {
    if (answer.kind === "refused") this.said = this.reason(answer.sentence, answer.clause ?? "");
  }

  close() {
    this.line.close();
  }

  #hear(news: News) {
    if (news.whole) this.earlier = news.earlier ?? 0;
    if (news.events?.length || news.whole) {
      this.clear();
      this.#reasons.clear();
    }
    this.stage.feed({
      events: news.events ?? [],
      view: news.view ?? null,
      legal: news.legal ?? [],
      whole: news.whole || this.stage.view === null,
    });
  }
}

/** A guided hand: the next move is said, and only that is taken. */
export class LessonPlay extends Play {
  at = $state(0);
  readonly game: string;
  readonly seat: number;
  readonly names: string[];
  readonly levels: string[];
  readonly options: Record<string, string | number>;

  constructor(readonly lesson: Lesson) {
    super();
    this.game = lesson.game;
    this.seat = lesson.seat;
    this.names = lesson.called;
    this.levels = lesson.called.map(() => "");
    this.options = lesson.options as Record<string, string | number>;
    this.#show();
  }

  get frame(): Frame {
    return this.lesson.frames[this.at]!;
  }

  /** Whether the learner is to move now; else one goes on by a button. */
  get asked(): boolean {
    return this.frame.seat === this.seat && (this.frame.move?.length ?? 0) > 0;
  }

  get over(): boolean {
    return this.at === this.lesson.frames.length - 1;
  }

  /** The step that the lesson waits for. */
  get wanted(): string | undefined {
    return this.asked ? this.frame.move?.[this.picked.length] : undefined;
  }

  override hinted(name: string | undefined): boolean {
    return name !== undefined && name === this.wanted;
  }

  on() {
    if (this.over) return;
    this.at += 1;
    this.clear();
    this.#show();
  }

  back() {
    // to the last frame at which something was said
    let to = this.at - 1;
    while (to > 0 && !this.lesson.frames[to]?.say) to -= 1;
    this.at = Math.max(to, 0);
    this.clear();
    const { view, legal } = this.frame;
    const events = this.lesson.frames.slice(0, this.at + 1).flatMap((frame) => frame.events);
    this.stage.feed({ events, view, legal: legal?.[0] ?? [], whole: true });
  }

  #show() {
    const { events, view, legal } = this.frame;
    this.stage.feed({ events, view, legal: this.asked ? (legal?.[0] ?? []) : [], whole: this.at === 0 });
  }

  async take(name: string): Promise<void> {
    if (name !== this.wanted) {
      this.said = { sentence: words.lesson.another(this.spoken(this.wanted ?? "")), clause: this.frame.clause ?? "" };
      return;
    }
    this.said = null;
    const view = this.frame.within?.[this.trail.length];
    if (view)
      this.trail = [...this.trail, { step: name, legal: this.frame.legal?.[this.trail.length + 1] ?? [], view }];
    else this.on();
  }

  async why(name: string): Promise<Why | null> {
    const [sentence, clause] = this.frame.refusals?.[name] ?? [];
    return sentence ? this.reason(sentence, clause ?? "") : null;
  }

  async ahead(step: string): Promise<Ahead | null> {
    if (step !== this.frame.move?.[0]) return null;
    const [view, next] = [this.frame.within?.[0], this.lesson.frames[this.at + 1]];
    return {
      legal: this.frame.legal?.[1] ?? [],
      view: view ?? null,
      decision: view ? null : (next?.events[0]?.entry ?? null),
    };
  }
}

/** A sitting that is over, frame by frame, with all hands. */
export class ReplayPlay extends Play {
  at = $state(0);
  readonly seat = -1;

  constructor(
    readonly game: string,
    readonly names: string[],
    readonly options: Record<string, string | number>,
    readonly frames: Frame[],
    readonly own = -1, // the seat of who looks back
  ) {
    super();
    this.go(0);
  }

  override get me(): number {
    return this.own;
  }

  readonly levels: string[] = [];

  override get hands(): string[][] | null {
    return this.frames[this.at]?.hands ?? null;
  }

  /** Show a frame: the next one as it happens, any other as it stands. */
  go(to: number) {
    const frame = this.frames[to];
    if (!frame) return;
    const next = to === this.at + 1;
    this.at = to;
    const events = next ? frame.events : this.frames.slice(0, to + 1).flatMap((each) => each.events);
    this.stage.hurry();
    this.stage.feed({ events, view: frame.view, legal: [], whole: !next });
  }

  async take(): Promise<void> {}
  async ahead(): Promise<Ahead | null> {
    return null;
  }
  async why(): Promise<Why | null> {
    return null;
  }
}
