// How a game's events are shown, as data and pure functions: each game with a board of its own has one (games/*/scene.ts).

import type { Play } from "./play.svelte";
import type { Sound } from "./sound";
import type { Book, View } from "./wire";
import type { Event } from "./wording";

/** Something that flies over the table and is gone: counters or cards from one place to another. */
export type Flight = { what: "counter" | "card"; count: number; from: string; to: string };

/** An entry of a game: its kind, then its members. */
export type Entry = [string, ...unknown[]];

/** By kind of entry: the view after it, as far as the entry tells. */
export type Shows<V extends View, E extends Entry> = {
  [Kind in E[0]]?: (view: V, ...members: Extract<E, [Kind, ...unknown[]]> extends [Kind, ...infer M] ? M : never) => V;
};

/** The fields of a view that a scene models, each with the kinds of entries that do not tell what they do to it. */
export type Claims<V extends View, E extends Entry> = { [Field in keyof V]?: E[0][] };

/** How each side stands: its score, and what it has won in this deal that may still be lost. */
export type Score = { score: number; more?: number };

/** How a game's events are shown. Places are named as in `data-place`, such as "seat 2" or "box". */
export type Scene<V extends View = View, E extends Entry = Entry> = {
  shows?: Shows<V, E>;
  /** By kind of entry: how long it is shown, in milliseconds. */
  beats?: { [Kind in E[0]]?: number };
  /** How long an entry of any other kind is shown, where so many come together. */
  beat?(events: number): number;
  /** The kinds of entries that have to be read: shown as long as their sentence takes, if that is longer. */
  reads?: E[0][];
  /** Whether an entry changes what this seat holds or has, by chance or by others: it is shown longer. */
  concerns?(entry: E, seat: number): boolean;
  /** The cards in the player's hand, where it can be changed by others. */
  hand?(view: V): string[];
  /** Whether they come in the order in which the board shows them, and not in that of the pack. */
  sorts?: boolean;
  /** The kinds of entries that begin a deal, if that is not "deal". */
  begins?: E[0][];
  /** The kinds of entries that close a deal: before the next one, play rests on its result. */
  closing?: E[0][];
  /** Whether cards are laid to tricks ("play"), which somebody takes ("take"). */
  tricks?: boolean;
  /** What an entry brings each side: the sum over a deal stands in the table of past deals. */
  gains?(entry: E): [number, number][];
  /** Whether the game runs by itself: in their first game play rests before each deal until the newcomer goes on. */
  gentle?: boolean;
  /** The deals are games of their own: "Next game". */
  games?: boolean;
  /** Where the cards go that leave the table by this entry. */
  leaves?(entry: E): string | null;
  flies?(entry: E): Flight | null;
  sounds?: { [Kind in E[0]]?: Sound };
  /** The score of each side. */
  scores?(view: V, book: Book): Score[];
  /** How the end is told to someone who did not win, where a place among the others says little. */
  ends?(play: Play<V>): string | undefined;
  /** The kinds of entries that change a score or a standing; all of them where none are named. */
  scoring?: E[0][];
  /** The part of a card's face that shows the sign of its suit, as a viewBox; sentences have it behind the card's name. */
  sign?: string;
  /** What the log says of an event instead of its sentence, where that is too long. */
  brief?(event: Event): string | undefined;
  /** The kind of entry at which everything so far is announced while it is still in motion. */
  breath?: string;
  /** What is announced of several events instead of each; null where each is to be announced. */
  sums?(play: Play<V>, events: Event[]): string | null;
  /** Whether a key skips only the news being shown, and not everything behind it. */
  skipsOne?: boolean;
};

/** The scene of any game, where its view and its entries do not matter. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a scene takes exactly the view of its own game
export type AnyScene = Scene<any, any>;

/** A view after an entry, as far as the scene can tell. */
export function after<V extends View>(scene: AnyScene, view: V, [kind, ...members]: Entry): V {
  const change: ((view: V, ...members: unknown[]) => V) | undefined = scene.shows?.[kind];
  return change ? change(view, ...members) : view;
}
