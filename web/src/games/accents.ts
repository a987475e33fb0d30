// The accent colour of each game, by day and by lamplight.

import { books } from "../lib/books.svelte";

/** Give a node the accent colour of a game. */
export function tinted(game: string) {
  return (node: HTMLElement) => {
    const accent = books.lids.find((lid) => lid.game === game)?.accent ?? books.of(game)?.accent;
    if (!accent) return;
    node.style.setProperty("--accent-light", accent[0]);
    node.style.setProperty("--accent-dark", accent[1]);
  };
}
