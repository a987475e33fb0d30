// What the figures of a hint tell.

import { expect, test } from "vitest";
import { compared } from "../src/lib/compared";

const hint = (score: number, win: number, within = 0) => ({
  step: 0,
  name: "pass",
  score,
  win,
  score_within: within,
  win_within: within / 10,
});
const rounded = ({ score, win }: { score: number; win: number }) => `${score.toFixed(1)} ${win.toFixed(2)}`;

test("figures that people read alike are alike, however exact they are", () => {
  expect(compared([hint(1.12, 0.151), hint(1.08, 0.149)], rounded)).toBe("alike");
});

test("figures that differ by less than simulated play can tell are unsure", () => {
  expect(compared([hint(1.5, 0.2, 0.4), hint(1.2, 0.18, 0.4), hint(1.1, 0.15, 0.4)], rounded)).toBe("unsure");
});

test("one step that is clearly worse tells the figures apart", () => {
  expect(compared([hint(1.5, 0.2, 0.1), hint(1.4, 0.2, 0.1), hint(0.5, 0.1, 0.1)], rounded)).toBe("apart");
});
