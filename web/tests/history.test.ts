// What happened, in deals and tricks.

import { describe, expect, test } from "vitest";
import { dealsOf, decisive, endOf, type Deal, type Numbered } from "../src/lib/history";
import type { AnyScene, Entry } from "../src/lib/scene";

const scene: AnyScene = {
  closing: ["total"],
  tricks: true,
  gains: (entry: Entry) => (entry[0] === "score" ? [[entry[1] as number, entry[2] as number]] : []),
};
const told = (...entries: Entry[]): Numbered[] =>
  entries.map((entry, number) => ({ number, event: { entry, says: `${entry.join(" ")}.`, clause: "" } }));
const TWO = told(
  ["dealer", 0],
  ["deal", null],
  ["play", 0, "A1"],
  ["play", 1, "A2"],
  ["take", 1],
  ["score", 1, 1],
  ["play", 1, "A3"],
  ["play", 0, "A4"],
  ["take", 0],
  ["score", 0, 5],
  ["total", [5, 1]],
  ["deal", null],
  ["play", 1, "B1"],
);

describe("deals", () => {
  test("what comes before the first deal is part of none", () => {
    expect(dealsOf(TWO, scene, 2).map(({ number }) => number)).toEqual([0, 1, 2]);
  });

  test("a card after a trick was taken begins another", () => {
    const [, first] = dealsOf(TWO, scene, 2);
    expect(first!.parts.map(({ trick, taker }) => [trick, taker])).toEqual([
      [0, -1],
      [1, 1],
      [2, 0],
    ]);
    expect(first!.parts[2]!.cards).toEqual([
      { seat: 1, code: "A3" },
      { seat: 0, code: "A4" },
    ]);
    expect(first!.parts[1]!.events.map(({ event }) => event.entry[0])).toEqual(["play", "play", "take", "score"]);
  });

  test("gains are added up by deal, and a deal is over with its closing entry", () => {
    expect(dealsOf(TWO, scene, 2).map(({ gains, over }) => [gains, over])).toEqual([
      [[0, 0], false],
      [[5, 1], true],
      [[0, 0], false],
    ]);
  });

  const numbers = (deals: Deal[]) => deals.map(({ number, parts }) => [number, parts.map(({ trick }) => trick)]);

  test("where the first deals are forgotten, the others keep their numbers", () => {
    expect(numbers(dealsOf(TWO.slice(1), scene, 2, 5))).toEqual([
      [6, [0, 1, 2]],
      [7, [0, 1]],
    ]);
  });

  test("a deal that lost its beginning is left out, or its tricks have no numbers", () => {
    expect(numbers(dealsOf(TWO.slice(6), scene, 2, 5))).toEqual([[6, [0, 1]]]);
    expect(numbers(dealsOf(TWO.slice(6, 10), scene, 2, 5))).toEqual([[5, [0, 0]]]);
  });

  test("a trick keeps its number where only the end is shown", () => {
    expect(numbers(endOf(dealsOf(TWO, scene, 2), 4))).toEqual([
      [1, [2]],
      [2, [0, 1]],
    ]);
    expect(endOf(dealsOf(TWO, scene, 2), 100).map(({ number }) => number)).toEqual([0, 1, 2]);
  });
});

describe("the moment that decided it", () => {
  const deals = (...scores: [number, number][]) =>
    told(
      ...scores.flatMap(([side, points]): Entry[] => [
        ["deal", null],
        ["score", side, points],
        ["total", []],
      ]),
    );

  test("is what brought most in the deal in which the winner took the lead for good", () => {
    const events = deals([0, 5], [1, 6], [0, 3], [0, 1]);
    expect(decisive(events, scene, 2, 0)).toEqual({ deal: 3, first: false, event: events[7]!.event });
  });

  test("is in the first deal where the winner led ever since", () => {
    expect(decisive(TWO, scene, 2, 0)).toEqual({ deal: 1, first: true, event: TWO[9]!.event });
  });

  test("is the loss of the one who led, where that is why", () => {
    const events = told(["deal", null], ["score", 1, 4], ["score", 0, 2], ["deal", null], ["score", 1, -5]);
    expect(decisive(events, scene, 2, 0)).toEqual({ deal: 2, first: false, event: events[4]!.event });
  });

  test("is an event where there is one deal", () => {
    const events = told(["deal", null], ["score", 0, 5], ["score", 1, 6], ["score", 0, 2], ["score", 0, 4]);
    expect(decisive(events, scene, 2, 0)).toEqual({ deal: 0, first: false, event: events[3]!.event });
    const ahead = told(["deal", null], ["score", 0, 5], ["score", 1, 3], ["score", 0, 2]);
    expect(decisive(ahead, scene, 2, 0)).toEqual({ deal: 0, first: true, event: ahead[1]!.event });
  });

  describe("in the tricks of a single game", () => {
    const game = { ...scene, games: true };
    const trick = (...scores: [number, number][]): Entry[] => [
      ["play", 0, "A1"],
      ...scores.map(([side, points]): Entry => ["score", side, points]),
      ["take", 0],
    ];

    test("is the trick in which a winner who was behind took the lead", () => {
      const events = told(["deal", null], ...trick([1, 4]), ...trick([0, 2], [0, 3]), ...trick([0, 9]));
      const found = { deal: 0, first: false, trick: 2, points: 5, event: events[6]!.event };
      expect(decisive(events, game, 2, 0)).toEqual(found);
    });

    test("is the best trick of a winner who always led", () => {
      const events = told(["deal", null], ...trick([0, 1]), ...trick([1, 1], [0, 2]), ...trick([0, 6]));
      const found = { deal: 0, first: true, trick: 3, points: 6, event: events[9]!.event };
      expect(decisive(events, game, 2, 0)).toEqual(found);
    });
  });

  test("is none where the winner gained nothing", () => {
    expect(decisive(TWO.slice(0, 4), scene, 2, 0)).toBeNull();
  });
});
