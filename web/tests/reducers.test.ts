// The reducers of the games against the engine. Positions come from tests/web/test_reducers.py, which sets
// PARLOUR_POSITIONS to a folder with a file for each game; without it these tests are skipped.

import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { after, type AnyScene, type Entry } from "../src/lib/scene";
import type { View } from "../src/lib/wire";

type Position = { before: View; entries: Entry[]; after: View };
type Module = {
  scene: AnyScene;
  claims: Record<string, string[]>;
  settled?: (view: View) => View;
};

const folder = process.env["PARLOUR_POSITIONS"] ?? "";
const scenes = import.meta.glob<Module>("../src/games/*/scene.ts", { eager: true });
const MOST = 5; // mistakes that are shown

/** A value in which the order of cards and of members does not matter. */
function plain(value: unknown): unknown {
  if (value !== null && typeof value === "object" && !Array.isArray(value)) return Object.entries(value).toSorted();
  if (!Array.isArray(value)) return value;
  const items = value.map(plain);
  return items.every((item) => typeof item === "string") ? items.toSorted() : items;
}

const equal = (one: unknown, other: unknown) => JSON.stringify(plain(one)) === JSON.stringify(plain(other));

/** What a fold gets wrong: claimed fields that differ from the engine's, and changed ones that are not claimed. */
function mistakes({ scene, claims, settled = (view) => view }: Module, { before, entries, after: wanted }: Position) {
  const folded = settled(entries.reduce((view, entry) => after(scene, view, entry), before));
  const kinds = entries.map(([kind]) => kind);
  return Object.keys(wanted).flatMap((field) => {
    if (field === "to_act") return []; // nobody's turn while things move
    const untold = claims[field];
    const values = { before: before[field], folded: folded[field], wanted: wanted[field] };
    if (!untold) return equal(values.folded, values.before) ? [] : [{ field, why: "not claimed", kinds, ...values }];
    const told = !kinds.some((kind) => untold.includes(kind));
    return told && !equal(values.folded, values.wanted) ? [{ field, why: "wrong", kinds, ...values }] : [];
  });
}

/** The positions of a game, where there are some. */
function positionsOf(path: string): Position[] | null {
  const file = `${folder}/${path.split("/").at(-2)}.json`;
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Position[]) : null;
}

const models = Object.entries(scenes).filter(([, module]) => module.scene.shows);

describe.each(models)("%s", (path, module) => {
  const positions = positionsOf(path) ?? [];

  test.skipIf(!positions.length)("folds the events of a move as the engine plays it", () => {
    expect(positions.flatMap((position) => mistakes(module, position)).slice(0, MOST)).toEqual([]);
  });

  test.skipIf(!positions.length)("is tried with every kind of entry, and claims no field for nothing", () => {
    const seen = new Set(positions.flatMap(({ entries }) => entries.map(([kind]) => kind)));
    const untried = Object.keys(module.scene.shows ?? {}).filter((kind) => !seen.has(kind) && kind !== "dealer");
    expect(untried).toEqual([]);
    for (const [field, untold] of Object.entries(module.claims)) {
      const held = positions.filter(({ entries }) => entries.every(([kind]) => !untold.includes(kind)));
      expect(held.length, field).toBeGreaterThan(positions.length / 20);
    }
  });
});
