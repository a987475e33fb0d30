// A place at a table: everything a board is given, and everything it knows. A place is live (live.svelte.ts), in a
// lesson (lesson.svelte.ts) or in a replay (replay.svelte.ts).

import { words } from "../words";
import { grammar } from "../words/catalogue";
import { books, type Clause } from "./books.svelte";
import { Stage } from "./stage.svelte";
import type { Advice } from "./connection.svelte";
import type { Book, Choice, Following, Scored, View } from "./wire";

const READ_MILLISECONDS = 9000;

/** Why something may not be done. */
/** Why not; `mild` where it is no mistake. */
export type Why = { sentence: string; clause: string; mild?: boolean };

/** A step of an unfinished move: what can follow it, and the position after it. */
export type Taken<V extends View = View> = { step: string; legal: Choice[]; view: V };

/** Where a first step would lead: to further steps, or to a decision. */
export type Ahead<V extends View = View> = Pick<Following, "legal" | "decision" | "only"> & { view?: V | null };

export abstract class Play<V extends View = View> {
  readonly stage = new Stage<V>();
  /** The steps taken of an unfinished move, each with the position it led to. */
  trail = $state.raw<Taken<V>[]>([]);
  #said = $state.raw<Why | null>(null);
  #fading: ReturnType<typeof setTimeout> | undefined;
  advice = $state.raw<Advice | null>(null);
  thinking = $state(false); // a hint was asked for and has not come yet
  busy = $state(false); // a request was sent and is not answered yet
  prompt = $state(""); // what the board asks the player to do, or says of the end
  awaited = $state(""); // the next thing that happens, as the line under the table says it
  note = $state(""); // what a lesson says now
  /** The steps whose names are no words, in words; from the board of the game. */
  stepsInWords = $state.raw<Record<string, string>>({});
  runs = $state(false); // the board takes the steps of this seat by itself

  abstract readonly game: string;
  abstract readonly seat: number; // −1 for a spectator
  abstract readonly names: string[]; // of the seats, as the others call them
  abstract readonly levels: string[]; // of the bots, "" for people
  abstract readonly options: Record<string, string | number>;
  abstract readonly sides: number; // how many sides there are: one a seat, or partners together
  abstract readonly goal: number; // the points that end the sitting, 0 where there is no such number
  abstract readonly scoring: Record<string, string[]>; // by clause: the cards that score by it
  abstract readonly whatScores: Scored[]; // as the options of this table say
  abstract readonly cardNames: Record<string, string>; // of the cards that these options name differently
  readonly live: boolean = false;
  /** All hands, in a replay. */
  get hands(): string[][] | null {
    return null;
  }

  get book(): Book {
    return books.of(this.game)!;
  }

  get view(): V | null {
    return this.stage.view;
  }

  /** What the table answered last: why something may not be done. It fades once there was time to read it. */
  get said(): Why | null {
    return this.#said;
  }

  set said(why: Why | null) {
    clearTimeout(this.#fading);
    this.#said = why;
    if (why) this.#fading = setTimeout(() => (this.#said = null), READ_MILLISECONDS);
  }

  /** The steps taken of an unfinished move, by name. */
  get picked(): string[] {
    return this.trail.map((taken) => taken.step);
  }

  /** The steps that can be taken now: none while something is still moving. */
  get offered(): Choice[] {
    return this.stage.moving ? [] : (this.trail.at(-1)?.legal ?? this.stage.legal);
  }

  get finished(): boolean {
    return this.view?.over ?? false;
  }

  /** Whether it is this seat's turn to decide. */
  get mine(): boolean {
    return this.offered.length > 0;
  }

  /** The seat from which the table is seen: one's own, or the first. */
  get front(): number {
    return Math.max(this.seat, 0);
  }

  /** The seat that is called "you". */
  get me(): number {
    return this.seat;
  }

  /** The side of a seat. */
  side(seat: number): number {
    return seat % this.sides;
  }

  /** The seats of a side. */
  seatsOf(side: number): number[] {
    return this.names.flatMap((_, seat) => (this.side(seat) === side ? [seat] : []));
  }

  /** What a seat is called, at the beginning of a sentence or within one. */
  called(seat: number, within = false): string {
    const name = seat === this.me ? words.you : (this.names[seat] ?? "");
    return within ? name : grammar.capital(name);
  }

  cardName(code: string): string {
    return this.cardNames[code] ?? this.book.card_names[code] ?? code;
  }

  /** A step in words: as the board calls it, or by its name, with a card's name in place of its code. */
  stepName(step: string): string {
    const named = step.split(" ").map((word) => this.cardName(word));
    return this.stepsInWords[step] ?? named.join(" ");
  }

  /** Cards in the order of the pack. */
  inOrder(cards: string[]): string[] {
    const place = new Map(Object.keys(this.book.card_names).map((code, at) => [code, at]));
    return cards.toSorted((one, other) => (place.get(one) ?? 0) - (place.get(other) ?? 0));
  }

  clause(id: string): Clause | undefined {
    return this.book.clauses.find((clause) => clause.id === id);
  }

  /** The step of this name, if it can be taken now. */
  can(name: string): Choice | undefined {
    return this.offered.find((choice) => choice.name === name);
  }

  /** The first step about a card that can be taken now: "play M3", "give M3" … */
  about(code: string): Choice | undefined {
    return this.offered.find((choice) => choice.name.endsWith(` ${code}`));
  }

  /** Whether the best hint is this step. */
  hinted(name: string | undefined): boolean {
    return name !== undefined && this.advice?.hints[0]?.name === name;
  }

  /** The name of a step's button for whoever listens, where it is the hint; elsewhere what stands on it. */
  hintName(name: string, says: string): string | undefined {
    return this.hinted(name) ? grammar.row([says, words.table.hinted]) : undefined;
  }

  /** Take a step; where `waits`, steps that complete the only move are left to the player. */
  abstract take(name: string, waits?: boolean): Promise<void>;
  abstract why(name: string): Promise<Why | null>;
  abstract ahead(step: string): Promise<Ahead<V> | null>;

  /** Take back the last step of an unfinished move, or all of them. */
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
