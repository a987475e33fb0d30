// A place in a guided first hand: the lesson says the next move, and takes only that.

import { words } from "../words";
import { Play, type Ahead, type Why } from "./play.svelte";
import type { Frame, Worded } from "./frames";
import type { Lesson, Scored, View } from "./wire";

export class LessonPlay<V extends View = View> extends Play<V> {
  at = $state(0);
  readonly game: string;
  readonly seat: number;
  readonly names: string[];
  readonly levels: string[];
  readonly options: Record<string, string | number>;
  readonly sides: number;
  readonly goal: number;
  readonly scoring: Record<string, string[]>;
  readonly whatScores: Scored[];
  readonly cardNames: Record<string, string>;

  constructor(readonly lesson: Worded<Lesson>) {
    super();
    this.game = lesson.game;
    this.seat = lesson.seat;
    this.names = lesson.called;
    this.stage.pauses = () => true; // a deal that ends is seen, and told of, before the next one begins
    this.levels = lesson.called.map(() => "");
    this.options = lesson.options as Record<string, string | number>;
    this.sides = lesson.sides;
    this.goal = lesson.goal;
    this.scoring = lesson.scoring;
    this.whatScores = lesson.what_scores;
    this.cardNames = lesson.names;
    this.#show();
  }

  get frame(): Frame {
    return this.lesson.frames[this.at]!;
  }

  /** Whether the learner is to move now; otherwise a button goes on. */
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
    this.stage.goOn();
    this.at += 1;
    this.clear();
    this.#show();
  }

  /** Back to the last frame that says something. */
  back() {
    let to = this.at - 1;
    while (to > 0 && !this.lesson.frames[to]?.say) to -= 1;
    this.at = Math.max(to, 0);
    this.clear();
    this.#show(true);
  }

  #show(whole = this.at === 0 || (this.frame.leap ?? false)) {
    const { view, legal } = this.frame;
    const shown = whole ? this.lesson.frames.slice(0, this.at + 1) : [this.frame];
    const events = shown.flatMap((frame) => frame.events);
    this.stage.feed({ events, view: view as V, legal: this.asked ? (legal?.[0] ?? []) : [], whole });
  }

  async take(name: string): Promise<void> {
    if (name !== this.wanted) {
      const sentence = words.lesson.another({ step: this.stepName(this.wanted ?? "") });
      this.said = { sentence, clause: this.frame.clause ?? "", mild: true };
      return;
    }
    this.said = null;
    const at = this.trail.length;
    const view = this.frame.within?.[at] as V | undefined;
    if (view) this.trail = [...this.trail, { step: name, legal: this.frame.legal?.[at + 1] ?? [], view }];
    else this.on();
  }

  async why(name: string): Promise<Why | null> {
    const [sentence, clause = ""] = this.frame.refusals?.[name] ?? [];
    return sentence ? { sentence, clause } : null;
  }

  async ahead(step: string): Promise<Ahead<V> | null> {
    if (step !== this.frame.move?.[0]) return null;
    const view = (this.frame.within?.[0] ?? null) as V | null;
    const next = this.lesson.frames[this.at + 1];
    return { legal: this.frame.legal?.[1] ?? [], view, decision: view ? null : (next?.events[0]?.entry ?? null) };
  }
}
