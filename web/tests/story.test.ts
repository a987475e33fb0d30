import { describe, expect, test } from "vitest";
import { ended, taken, thisDeal } from "../src/games/lost-heir/story";
import { story } from "../src/games/masquerade/story";
import type { Event } from "../src/lib/wording";

const told = (...entries: unknown[][]): Event[] => entries.map((entry) => ({ entry, says: "", clause: "" }));

describe("a deal of Lost Heir", () => {
  const deal = told(
    ["deal", null],
    ["bid", 0, 5],
    ["bid", 1, 0],
    ["trump", 0, "N", "HEIR-8"],
    ["play", 0, "N1", "HEIR-9"],
    ["play", 1, "LH", "HEIR-10"],
    ["score", 1, -3, "HEIR-15"],
    ["take", 1, "HEIR-3"],
    ["score", 1, 1, "HEIR-12"],
    ["score", 1, 5, "HEIR-13"],
    ["fail", 0, 0, "HEIR-16"],
    ["total", [0, 3]],
  );

  test("tells its tricks, and where the boys went", () => {
    const { tricks, boys } = taken(thisDeal(deal));
    expect(tricks).toEqual([{ cards: [[0, "N1"], [1, "LH"]], taker: 1 }]); // prettier-ignore
    expect(boys).toEqual({ LH: { taker: 1, points: 5, void: false } });
  });

  test("tells by which clauses each side scored; points before the trick is taken are a fine", () => {
    const found = ended(deal, (seat) => seat);
    expect(found).toMatchObject({ namer: 0, bid: 5, made: false, points: 0, fines: ["HEIR-15"] });
    expect(found?.sides[1]).toEqual({
      scores: { "HEIR-12": 1, "HEIR-13": 5, "HEIR-15": -3 },
      gain: 3,
      failed: false,
      total: 3,
    });
  });

  test("is told until somebody bids in the next one", () => {
    const dealt = [...deal, ...told(["deal", null])];
    expect(ended(deal, (seat) => seat)?.next).toBe(false);
    expect(ended(dealt, (seat) => seat)?.next).toBe(true);
    expect(ended([...dealt, ...told(["bid", 1, 3])], (seat) => seat)).toBeNull();
  });

  test("names the City card that kept a boy from counting", () => {
    const found = ended(
      told(
        ["deal", null],
        ["trump", 0, "N", "HEIR-8"],
        ["play", 0, "LH", "HEIR-10"],
        ["play", 1, "PH", "HEIR-10"],
        ["take", 0, "HEIR-3"],
        ["void", "LH", "HEIR-4"],
        ["score", 0, 1, "HEIR-12"],
        ["total", [1, 0]],
      ),
      (seat) => seat,
    );
    expect(found?.voids).toEqual([{ boy: "LH", cities: ["PH"] }]);
  });
});

describe("a trick of a Masquerade", () => {
  test("has marks at the cards that scored", () => {
    const { now } = story(
      told(["play", 0, "R1", "MASQ-7"], ["play", 1, "R2", "MASQ-7"], ["score", 1, 2, "MASQ-16"]),
      0,
    );
    expect(now.laid[1]?.marks).toEqual([{ points: 2, clause: "MASQ-16", taking: false }]);
  });

  test("tells from whom a card came, and to whom one went", () => {
    const { passed } = story(told(["give", 1, "M3", 0], ["return", 0, "R5", 1], ["give", 2, null, 3]), 0);
    expect(passed).toEqual([
      { code: "M3", seat: 1, came: true },
      { code: "R5", seat: 1, came: false },
    ]);
  });
});
