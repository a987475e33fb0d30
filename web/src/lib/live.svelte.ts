// A seat at a table of the server, or a spectator's place there.

import { Connection, type Answer, type News, type Refused } from "./connection.svelte";
import { device } from "./device.svelte";
import { Play, type Ahead, type Why } from "./play.svelte";
import type { Scored, View } from "./wire";

/** Why something was refused. */
const why = ({ sentence, clause = "" }: Refused): Why => ({ sentence, clause });

export class LivePlay<V extends View = View> extends Play<V> {
  override readonly live = true;
  readonly line: Connection;
  earlier = $state(0); // events before those that this page was sent
  #reasons = new Map<string, Promise<Why | null>>();
  #only = new Map<string, string[]>(); // by position and first step: the steps that complete the only move

  constructor(
    readonly table: string,
    token: string | null,
  ) {
    super();
    this.stage.pauses = () => this.seat >= 0 && !this.levels[this.seat];
    this.stage.newcomer = () => device.newAt(this.game, table);
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

  /** A game can also be ended before its end. */
  override get finished(): boolean {
    return super.finished || this.described?.phase === "over";
  }

  get sides(): number {
    return this.described?.sides ?? 1;
  }

  get goal(): number {
    return this.described?.goal ?? 0;
  }

  get scoring(): Record<string, string[]> {
    return this.described?.scoring ?? {};
  }

  get whatScores(): Scored[] {
    return this.described?.what_scores ?? [];
  }

  get cardNames(): Record<string, string> {
    return this.described?.names ?? {};
  }

  /** Whether one person plays here with bots: then decisions can be taken back. */
  get solo(): boolean {
    return this.seat >= 0 && !this.described?.open && this.described?.seats.filter((seat) => seat.name).length === 1;
  }

  /** The person for whom the table waits though they are not connected, and since when. */
  get missing(): { seat: number; name: string; since: number } | null {
    const seat = this.view?.to_act ?? -1;
    const { name, bot } = this.described?.seats[seat] ?? {};
    const since = this.line.away[seat];
    if (this.finished || this.stage.moving || seat === this.seat || !name || bot || since === undefined) return null;
    return { seat, name, since };
  }

  /** The other person whose turn it is, and since when. */
  get awaitedPerson(): { seat: number; name: string; since: number } | null {
    const seat = this.view?.to_act ?? -1;
    const { name, bot } = this.described?.seats[seat] ?? {};
    if (this.finished || this.stage.moving || seat === this.seat || !name || bot) return null;
    return { seat, name, since: this.line.waitsSince };
  }

  /** How many people have seats here. */
  get people(): number {
    return this.described?.seats.filter((seat) => seat.name).length ?? 0;
  }

  /** Let a bot play for a person who is away, until they are back. */
  cover(seat: number) {
    return this.request({ kind: "cover", seat });
  }

  /** The host puts a bot at every free seat; why that is not possible, or "". */
  async fill(level: string): Promise<string> {
    for (const [seat, each] of this.described!.seats.entries()) {
      if (each.name || each.bot) continue;
      const answer = await this.line.ask({ kind: "bot", seat, level });
      if (answer.kind === "refused") return answer.sentence;
    }
    return "";
  }

  /** Take a step: a move that is whole with it is made at once, otherwise the server says what can follow. */
  async take(name: string, waits = false): Promise<void> {
    const choice = this.can(name);
    if (this.busy || !choice) return;
    this.busy = true;
    try {
      const steps = [...this.picked, name];
      const only = (!waits && this.#only.get(`${this.line.number} ${steps.join()}`)) || [];
      if (choice.whole || only.length) await this.#act([...steps, ...only]);
      else await this.#follow(steps, waits);
    } finally {
      this.busy = false;
    }
  }

  async #follow(steps: string[], waits: boolean) {
    const before = this.trail;
    const answer = await this.line.ask({ kind: "follow", prefix: steps });
    if (this.trail !== before) return; // the position has passed meanwhile
    if (answer.kind === "refused") this.#refused(answer);
    else if (answer.kind === "following" && answer.only?.length && !waits) await this.#act([...steps, ...answer.only]);
    else if (answer.kind === "following" && answer.view) {
      const view = { ...this.view, ...answer.view } as V; // what the seat remembers is not told again
      this.trail = [...this.trail, { step: steps.at(-1)!, legal: answer.legal, view }];
      this.said = null;
    } else await this.#act(steps); // it turned out to be whole
  }

  async #act(steps: string[]) {
    const done = await this.line.ask({ kind: "act", number: this.line.number ?? 0, move: steps });
    if (done.kind === "refused") return this.#refused(done);
    if (done.kind === "done") await this.line.told(done.number); // nothing else can be done before this is seen
    this.#only.clear();
    this.clear();
  }

  #refused(refused: Refused) {
    this.clear();
    this.said = why(refused);
  }

  why(name: string): Promise<Why | null> {
    const key = `${this.line.number} ${this.picked.join()} ${name}`;
    let found = this.#reasons.get(key);
    if (!found) {
      found = this.line
        .ask({ kind: "follow", prefix: [...this.picked, name] })
        .then((answer) => (answer.kind === "refused" ? why(answer) : null));
      this.#reasons.set(key, found);
    }
    return found;
  }

  async ahead(step: string): Promise<Ahead<V> | null> {
    const at = this.line.number;
    const answer = await this.line.ask({ kind: "follow", prefix: [step] });
    if (answer.kind !== "following") return null;
    if (answer.only?.length) this.#only.set(`${at} ${step}`, answer.only);
    return answer as Ahead<V>;
  }

  async hint() {
    if (this.thinking) return;
    this.thinking = true;
    const { view } = this;
    const answer = await this.line.ask({ kind: "hint" });
    this.thinking = false;
    if (this.view !== view) return; // it is about a position that has passed
    this.said = null; // a hint answers what was refused before
    if (answer.kind === "advice") this.advice = answer;
    else this.#unless(answer);
  }

  async undo() {
    if (this.busy) return;
    this.busy = true;
    this.#unless(await this.line.ask({ kind: "undo", number: this.line.number ?? 0 }));
    this.busy = false;
  }

  /** Ask for something about the table; a refusal is shown under it. */
  async request(asked: Parameters<Connection["ask"]>[0]): Promise<boolean> {
    const answer = await this.line.ask(asked);
    this.#unless(answer);
    return answer.kind === "done";
  }

  #unless(answer: Answer) {
    if (answer.kind === "refused") this.said = why(answer);
  }

  close() {
    this.line.close();
  }

  #hear(news: News) {
    if (news.whole) this.earlier = news.earlier ?? 0;
    if (news.events.length || news.whole) {
      this.clear();
      this.#reasons.clear();
    }
    this.stage.feed({
      events: news.events,
      view: (news.view ?? null) as V | null,
      legal: news.legal ?? [],
      whole: news.whole || this.stage.view === null,
      earlier: news.earlier ?? 0,
    });
  }
}
