// How high the cards of a trick of the Masquerade Game stand.

import { expect, test } from "vitest";
import { heights } from "../src/games/masquerade/story";
import { RANKS } from "../src/games/masquerade/wire";

const of = (...codes: string[]) => heights(codes, RANKS);

test("each card that climbs stands a step above the highest before it", () => {
  expect(of("I5", "I3", "I2", "M6")).toEqual({ levels: [0, 1, 2, 3], highest: 3 });
});

test("a card that does not go above all before it stands at the foot", () => {
  expect(of("D8", "D4", "M8", "D1")).toEqual({ levels: [0, 1, 2, 0], highest: 2 });
  expect(of("D8", "M8", "D1", "M7")).toEqual({ levels: [0, 1, 0, 2], highest: 3 });
});

test("nothing is highest before a card is led", () => {
  expect(of()).toEqual({ levels: [], highest: -1 });
});
