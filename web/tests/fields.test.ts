import { describe, expect, test } from "vitest";
import { cardsIn, fieldsOf, handOf, valueFor } from "../src/games/generic/fields";
import type { View, ViewField } from "../src/lib/wire";

const plain = { meaning: "", each: "one", seen_by: "everyone", score: false } as const;
const fields: ViewField[] = [
  { ...plain, name: "to_act", kind: "seat" },
  { ...plain, name: "dealer", kind: "seat", meaning: "the dealer" },
  { ...plain, name: "table", kind: "cards" },
  { ...plain, name: "hand", kind: "cards", seen_by: "the seat itself" },
  { ...plain, name: "received", kind: "cards", seen_by: "the seat itself" },
  { ...plain, name: "tricks_won", kind: "number", each: "sides" },
];
const view: View = {
  ...{ seat: 0, players: 4, to_act: 0, over: false },
  ...{ dealer: 2, table: ["Q1"], hand: ["A1", "K1"], received: [], tricks_won: [10, 20] },
};

describe("the fields of a view", () => {
  const found = fieldsOf(view, { fields });

  test("are those that the game declares, but for those that every view has", () => {
    expect(found.map(({ name }) => name)).toEqual(["dealer", "table", "hand", "received", "tricks_won"]);
    expect(found[0]).toMatchObject({ label: "Dealer", meaning: "the dealer", own: false, value: 2 });
    expect(found[4]).toMatchObject({ label: "Tricks won" });
  });

  test("have one hand: the first cards that only their owner sees", () => {
    expect(handOf(found)?.name).toBe("hand");
    expect(handOf(found.filter(({ own }) => !own))).toBeUndefined();
  });

  test("have a value for a seat, or for its side", () => {
    const [won] = found.filter(({ name }) => name === "tricks_won");
    expect(valueFor(won!, 2, 0)).toBe(10);
    expect(valueFor({ ...won!, each: "seats", value: [1, 2, 3, 4] }, 2, 0)).toBe(3);
  });
});

test("cards are read off every kind that has some", () => {
  expect(cardsIn("counts", { A1: 2, K1: 1 })).toEqual(["A1", "A1", "K1"]);
  expect(cardsIn("plays", [[2, "Q1"]])).toEqual(["Q1"]);
  expect(cardsIn("card", null)).toEqual([]);
});
