// The boards of the games, one folder each, fetched when a game is first played. A game without a board of its own is
// played at the generic one; so is every game when the page's address says ?board=generic.

import type { Component } from "svelte";
import type { Play } from "../lib/play.svelte";
import type { AnyScene } from "../lib/scene";
import { translatedToo } from "../words/catalogue";

/** What the `index.ts` of a game's folder exports. */
export type GameBoard = {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each board has its own type of view
  default: Component<{ play: Play<any> }>;
  scene: AnyScene;
  /** The steps whose names are no words, in words: "trump N" … */
  steps?: () => Record<string, string>;
};

const own = import.meta.glob<GameBoard>(["./*/index.ts", "!./generic/index.ts"]);
const generic = () => import("./generic") as Promise<GameBoard>;
const asked = new URLSearchParams(location.search).get("board");

/** The board of a game's own, if it is played there. */
const ownBoard = (game: string) => (asked === "generic" ? undefined : own[`./${game}/index.ts`]);

/** Whether a game is played at the generic board, which reads its declared fields. */
export const isGeneric = (game: string): boolean => !ownBoard(game);

export function boardOf(game: string): Promise<GameBoard> {
  return translatedToo((ownBoard(game) ?? generic)());
}
