import { describe, expect, test } from "vitest";
import { lostHeir } from "../src/games/lost-heir/words";
import { money, signed } from "../src/games/sovereign/words";
import { tontine } from "../src/games/tontine/words";
import { and, capital, plural } from "../src/words/grammar";

describe("grammar", () => {
  test("counts one thing and several", () => {
    expect(plural(1, "card", "cards")).toBe("1 card");
    expect(plural(0, "card", "cards")).toBe("0 cards");
  });

  test("joins names", () => {
    expect(and([])).toBe("");
    expect(and(["Ada"])).toBe("Ada");
    expect(and(["Ada", "Bob", "Cy"])).toBe("Ada, Bob and Cy");
  });

  test("begins a sentence", () => expect(capital("the Baron deals")).toBe("The Baron deals"));
});

describe("numbers", () => {
  test.each([
    [0, "0s"],
    [6, "6d"],
    [12, "1s"],
    [150, "12s 6d"],
    [240, "20s"],
  ])("%i pence are %s", (pence, said) => expect(money(pence)).toBe(said));

  test("have a true minus sign", () => {
    expect(signed(-3)).toBe("−3");
    expect(lostHeir.gain(-3)).toBe("−3");
    expect(lostHeir.gain(0)).toBe("+0");
  });
});

test("a deal of Tontine is summed up for those it concerns", () => {
  const nobody = { names: [], you: false };
  expect(tontine.summed(2, { names: ["Ada"], you: false }, nobody, 5)).toBe(
    "You gain 2 counters. Ada dies; 5 are left.",
  );
  expect(tontine.summed(null, nobody, { names: ["you"], you: true }, 1)).toBe("You live again; 1 is left.");
});
