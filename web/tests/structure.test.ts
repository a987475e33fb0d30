// One game, one folder: everything else must do without the names of games.

import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";

const SOURCE = new URL("../src/", import.meta.url);
const games = readdirSync(new URL("games", SOURCE), { withFileTypes: true })
  .filter((each) => each.isDirectory() && each.name !== "generic")
  .map((each) => each.name);
const shared = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter(
  (path) => /\.(svelte|ts|css)$/.test(path) && !games.some((game) => path.startsWith(`games/${game}/`)),
);

test("no shared file names a game or a clause", () => {
  const named = new RegExp(`\\b(${games.join("|")}|[A-Z]{3,4}-\\d+[a-z]?)\\b`, "i");
  const found = shared.filter((path) => named.test(readFileSync(new URL(path, SOURCE), "utf8")));
  expect(found).toEqual([]);
});

test("every game has a board, a scene, its types and its words", () => {
  for (const game of games)
    expect(readdirSync(new URL(`games/${game}`, SOURCE))).toEqual(
      expect.arrayContaining(["Board.svelte", "index.ts", "scene.ts", "texts", "wire.ts", "words.ts"]),
    );
});
