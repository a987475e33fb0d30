// A place in a finished sitting, frame by frame, with all hands shown.

import { Play, type Ahead, type Why } from "./play.svelte";
import type { Frame, Worded } from "./frames";
import type { Replay, Scored, View } from "./wire";

export class ReplayPlay<V extends View = View> extends Play<V> {
  at = $state(0);
  readonly seat = -1;
  readonly levels: string[] = [];
  readonly game: string;
  readonly names: string[];
  readonly options: Record<string, string | number>;
  readonly sides: number;
  readonly goal: number;
  readonly scoring: Record<string, string[]>;
  readonly whatScores: Scored[];
  readonly cardNames: Record<string, string>;

  constructor(
    replay: Worded<Replay>,
    readonly frames: Frame[],
    readonly own = -1, // the seat of the person who looks back
  ) {
    super();
    this.game = replay.game;
    this.names = replay.called;
    this.options = replay.options as Record<string, string | number>;
    this.sides = replay.sides;
    this.goal = replay.goal;
    this.scoring = replay.scoring;
    this.whatScores = replay.what_scores;
    this.cardNames = replay.names;
    this.go(0);
  }

  override get me(): number {
    return this.own;
  }

  override get hands(): string[][] | null {
    return this.frames[this.at]?.hands ?? null;
  }

  /** Show a frame: the next one as it happens, any other one as it stands. */
  go(to: number) {
    const frame = this.frames[to];
    if (!frame) return;
    const next = to === this.at + 1;
    this.at = to;
    const events = next ? frame.events : this.frames.slice(0, to + 1).flatMap((each) => each.events);
    this.stage.hurry();
    this.stage.feed({ events, view: frame.view as V, legal: [], whole: !next });
  }

  async take(): Promise<void> {}

  async ahead(): Promise<Ahead<V> | null> {
    return null;
  }

  async why(): Promise<Why | null> {
    return null;
  }
}
