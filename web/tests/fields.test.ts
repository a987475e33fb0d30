import { describe, expect, test } from "vitest";
import { cardsIn, fieldsOf, guess, handOf, valueFor } from "../src/games/generic/fields";
import type { View, ViewField } from "../src/lib/wire";

const book = { card_names: { A1: "Ace", K1: "King", Q1: "Queen" } };
const view: View = {
  ...{ seat: 0, players: 3, to_act: 0, over: false },
  dealer: 2,
  hand: ["A1", "K1"],
  trick: [[1, "Q1"]],
  totals: [4, 0, -1],
  may_hold: { A1: [0] },
};

describe("a value that is not declared", () => {
  test.each([
    [true, "flag", "one"],
    [7, "number", "one"],
    ["lead", "word", "one"],
    ["A1", "card", "one"],
    [["A1", "K1"], "cards", "one"],
    [["A1", null, "K1"], "card", "seats"],
    [[[1, "A1"]], "plays", "one"],
    [[1, 2, 3], "number", "seats"],
    [[1, null, 3], "number", "seats"],
    [[5, 6], "number", "sides"],
    [[0, 1, 2, 3, 4], "seats", "one"],
    [[["A1"], [], ["K1", "Q1"]], "cards", "seats"],
    [{ A1: 2 }, "counts", "one"],
    [[{ A1: 2 }, {}, {}], "counts", "seats"],
    [{ A1: [0, 1] }, "holders", "one"],
  ])("%j is of kind %s, for %s", (value, kind, each) => {
    expect(guess(value, book, 3, 2)).toEqual({ kind, each });
  });

  test.each([[null], [[]], [[null, null]]])("%j shows nothing", (value) => {
    expect(guess(value, book, 3, 3)).toBeNull();
  });
});

describe("the fields of a view", () => {
  test("are all but those that every view has", () => {
    const found = fieldsOf(view, book, 3).map(({ name, kind }) => [name, kind]);
    expect(found).toEqual([
      ["dealer", "seat"],
      ["hand", "cards"],
      ["trick", "plays"],
      ["totals", "number"],
      ["may_hold", "holders"],
    ]);
  });

  test("are what the game declares, where it declares them", () => {
    const fields: ViewField[] = [
      { name: "totals", meaning: "who is left", kind: "seats" },
      { name: "hand", meaning: "one's cards", kind: "cards", seen_by: "the seat itself" },
    ];
    const found = fieldsOf(view, { ...book, fields }, 3);
    expect(found.find(({ name }) => name === "totals")).toMatchObject({ kind: "seats", meaning: "who is left" });
    expect(handOf(found)?.name).toBe("hand");
  });

  test("have one hand: what only its owner sees, what is called so, or counted cards", () => {
    expect(handOf(fieldsOf(view, book, 3))?.name).toBe("hand");
    expect(handOf(fieldsOf({ ...view, hand: 0, coins: { A1: 2 } }, book, 3))?.name).toBe("coins");
  });
});

test("cards are read off every kind that has some", () => {
  expect(cardsIn("counts", { A1: 2, K1: 1 })).toEqual(["A1", "A1", "K1"]);
  expect(cardsIn("plays", [[2, "Q1"]])).toEqual(["Q1"]);
  expect(cardsIn("card", null)).toEqual([]);
});

test("a seat has its own value, or that of its side", () => {
  const [totals] = fieldsOf({ ...view, points: [10, 20] }, book, 2).filter(({ name }) => name === "points");
  expect(valueFor(totals!, 2, 0)).toBe(10);
});
