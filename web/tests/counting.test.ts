import { describe, expect, test } from "vitest";
import { compared, gathered, wonIn, worths } from "../src/games/heraldry/counting";
import type { HeraldryView } from "../src/games/heraldry/wire";
import type { Taken } from "../src/lib/play.svelte";

const taken = (step: string, view: Partial<HeraldryView>): Taken<HeraldryView> => ({
  step,
  legal: [],
  view: { taking: [], grouping: [], ...view } as HeraldryView,
});

describe("the groups of a move", () => {
  test("are an empty list before a card is played", () => expect(gathered([])).toEqual([]));

  test("begin with the cards that come of themselves", () => {
    const [group] = gathered([taken("play S7", { taking: ["C7"] })]);
    expect(group).toEqual({ cards: ["C7"], sum: 0, whole: true, alone: true });
  });

  test("are whole when nothing is left open, and then another begins", () => {
    const groups = gathered([
      taken("play S7", {}),
      taken("take S3", { grouping: ["S3"] }),
      taken("take C4", { grouping: [] }),
      taken("take D7", { grouping: [] }),
    ]);
    expect(groups).toEqual([
      { cards: ["S3", "C4"], sum: 7, whole: true, alone: false },
      { cards: ["D7"], sum: 7, whole: true, alone: true },
    ]);
  });
});

describe("the count of a deal", () => {
  const rows = [
    { points: "3", what: "", clause: "HER-9" },
    { points: "2", what: "", clause: "HER-11" },
    { points: "1 each", what: "", clause: "HER-13" },
    { points: "1", what: "", clause: "HER-14" },
  ];
  const scoring = { "HER-9": ["S1", "C1", "SC"], "HER-11": ["X10"], "HER-13": ["SC", "CC"] };

  test("compares the seats by clauses of several cards", () => expect(compared(scoring, rows)).toEqual(["HER-9"]));

  test("gives points to cards that score by themselves", () =>
    expect(worths(scoring, rows)).toEqual({ X10: 2, SC: 1, CC: 1 }));

  test("knows from the events of the deal who won what", () => {
    const entries = [
      ["capture", 1, "S9", ["C9"]],
      ["deal", null],
      ["capture", 0, "S7", ["C7", "X7"]],
      ["discard", 1, "S1"],
      ["sweep", 0, ["S1"], "HER-8"],
    ];
    expect(wonIn(entries, 2)).toEqual([["S7", "C7", "X7", "S1"], []]);
    expect(wonIn(entries.slice(2), 2)).toBeNull();
  });
});
