import { describe, expect, test } from "vitest";
import { isWide, ringOf } from "../src/games/tontine/ring";

const SIZES = [
  [374, 420],
  [800, 900],
  [900, 520],
  [1180, 620],
] as const;

describe.each(SIZES)("a board of %i by %i pixels", (width, height) => {
  test.each([4, 12, 31, 52])("seats %i without any two touching", (players) => {
    const ring = ringOf(width, height, players, true, 1);
    expect(ring.spots).toHaveLength(players);
    expect(ring.apart).toBe(true);
    expect(ring.width).toBe(width);
    expect(ring.height).toBeGreaterThanOrEqual(height);
    for (const { x, y } of ring.spots) {
      expect(Math.abs(x) + ring.token / 2).toBeLessThanOrEqual(width / 2);
      expect(Math.abs(y) + ring.token / 2).toBeLessThanOrEqual(ring.height / 2);
    }
  });
});

test("one's own seat is at the bottom, the next one to its left", () => {
  const [own, next] = ringOf(900, 520, 6, true, 1).spots;
  expect(own!.y).toBeGreaterThan(0);
  expect(Math.abs(own!.x)).toBeLessThan(1);
  expect(next!.x).toBeLessThan(0);
});

test("what is clear within has no card of another seat, from its top to its bottom", () => {
  const { spots, card, inner } = ringOf(952, 547, 12, true, 1);
  expect(2 * inner.clear).toBeGreaterThan(224); // a seat that is looked at is shown there
  for (const { x, y, cardX, cardY } of spots.slice(1))
    if (Math.abs(x + cardX) - card / 2 < inner.clear) {
      expect(y + cardY + 0.7 * card < inner.top || y + cardY - 0.7 * card > inner.bottom).toBe(true);
    }
});

test("larger type needs more room", () => {
  expect(ringOf(374, 420, 30, true, 1.5).height).toBeGreaterThanOrEqual(ringOf(374, 420, 30, true, 1).height);
});

test("at the end nobody's place is out of sight on a small phone held sideways", () => {
  expect(ringOf(340, 318, 12, true, 1, true).height).toBe(318);
});

test("a board is wide when it lies across", () => {
  expect(isWide(900, 520)).toBe(true);
  expect(isWide(374, 420)).toBe(false);
});
