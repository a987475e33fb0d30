// The accent colour of each game, by day and by lamplight: from the list of games, or from the game's folder until the
// server sends it.

import { books } from "../lib/books.svelte";

const own = import.meta.glob<[string, string]>("./*/accent.ts", { eager: true, import: "default" });

/** Give a node the accent colour of a game. */
export function tinted(game: string) {
  return (node: HTMLElement) => {
    const accent = books.lids.find((lid) => lid.game === game)?.accent ?? own[`./${game}/accent.ts`];
    if (!accent) return;
    node.style.setProperty("--accent-light", accent[0]);
    node.style.setProperty("--accent-dark", accent[1]);
  };
}
