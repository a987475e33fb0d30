// A place in a puzzle: the board takes one step, which is the best one or not.

import { Play, type Ahead, type Why } from "../../lib/play.svelte";
import type { Worded } from "../../lib/frames";
import type { PuzzleBody, Scored, View } from "../../lib/wire";
import { said } from "./words";

export class PuzzlePlay<V extends View = View> extends Play<V> {
  /** How it ended: solved, given up, or not yet. */
  ended = $state<"" | "solved" | "given up">("");
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

  constructor(readonly puzzle: Worded<PuzzleBody>) {
    super();
    this.game = puzzle.game;
    this.seat = puzzle.seat;
    this.names = puzzle.called;
    this.levels = puzzle.called.map(() => "");
    this.options = puzzle.options as Record<string, string | number>;
    this.sides = puzzle.sides;
    this.goal = puzzle.goal;
    this.scoring = puzzle.scoring;
    this.whatScores = puzzle.what_scores;
    this.cardNames = puzzle.names;
    const { events, view, legal } = this.#frame;
    this.stage.feed({ events, view: view as V, legal: legal?.[0] ?? [], whole: true });
  }

  get #frame() {
    return this.puzzle.frames[0]!;
  }

  override hinted(name: string | undefined): boolean {
    return this.ended !== "" && name === this.puzzle.best;
  }

  async take(name: string): Promise<void> {
    if (this.ended) return;
    if (name === this.puzzle.best) {
      this.said = null;
      this.ended = "solved";
    } else this.said = { sentence: said.wrong({ step: this.stepName(name) }), clause: "", mild: true };
  }

  async why(name: string): Promise<Why | null> {
    const [sentence, clause = ""] = this.#frame.refusals?.[name] ?? [];
    return sentence ? { sentence, clause } : null;
  }

  async ahead(): Promise<Ahead<V> | null> {
    return null;
  }
}
