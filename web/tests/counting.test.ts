import { describe, expect, test } from "vitest";
import { gathered } from "../src/games/heraldry/counting";
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
