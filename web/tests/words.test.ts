import { describe, expect, test } from "vitest";
import { WANTED, money, valueOf, worthOf } from "../src/games/sovereign/money";
import { tontine } from "../src/games/tontine/words";
import { words } from "../src/words";
import { grammarOf } from "../src/words/grammar";

const english = grammarOf("en-GB");

describe("English grammar", () => {
  test("counts one thing and several", () => {
    const cards = { one: "card", other: "cards" };
    expect([0, 1, 2, 1234].map((count) => english.plural(count, cards))).toEqual([
      "0 cards",
      "1 card",
      "2 cards",
      "1,234 cards",
    ]);
  });

  test("names places", () => {
    const endings = { one: "st", two: "nd", few: "rd", other: "th" };
    expect([1, 2, 3, 4, 11, 12, 21, 52].map((place) => english.ordinal(place, endings)).join(" ")).toBe(
      "1st 2nd 3rd 4th 11th 12th 21st 52nd",
    );
  });

  test("joins names, and keeps those apart that have commas", () => {
    expect(english.and([])).toBe("");
    expect(english.and(["Ada"])).toBe("Ada");
    expect(english.and(["Ada", "Bob", "Cy"])).toBe("Ada, Bob and Cy");
    expect(english.row(["Ada", "", false, "host"])).toBe("Ada, host");
    expect(english.or(["2", "3", "4", "6"])).toBe("2, 3, 4 or 6");
    expect(english.and(["Sailor, Ridotto No. 6", "Ada", "Bob"])).toBe("Sailor, Ridotto No. 6; Ada; and Bob");
  });

  test("writes numbers with a true minus, shares, spans of time and dates", () => {
    expect([english.number(-3), english.gain(-3), english.gain(0), english.gain(2)]).toEqual(["−3", "−3", "0", "+2"]);
    expect(english.number(1.25, 1)).toBe("1.3");
    expect(english.digits(20261118)).toBe("20261118");
    expect(english.percent(0.153)).toBe("15%");
    expect([1, 60, 600, 7200, 172_800].map(english.time)).toEqual([
      "1 second",
      "60 seconds",
      "10 minutes",
      "2 hours",
      "2 days",
    ]);
    expect([english.clock(32), english.clock(605)]).toEqual(["0:32", "10:05"]);
    expect(english.date(new Date(2026, 10, 18, 9, 5).getTime())).toBe("18 Nov 2026, 09:05");
  });

  test("begins a sentence", () => expect(english.capital("the Baron deals")).toBe("The Baron deals"));
});

test("other languages have their own plurals, lists, numbers and capitals", () => {
  const polish = { one: "karta", few: "karty", many: "kart", other: "karty" };
  expect([1, 3, 5].map((count) => grammarOf("pl").plural(count, polish))).toEqual(["1 karta", "3 karty", "5 kart"]);
  expect(grammarOf("de").and(["Ada", "Bob", "Cy"])).toBe("Ada, Bob und Cy");
  expect(grammarOf("de").and(["Ada, die Erste", "Bob", "Cy"])).toBe("Ada, die Erste; Bob; und Cy");
  expect(grammarOf("de").number(1234.5, 1)).toBe("1.234,5");
  expect(grammarOf("de").time(600)).toBe("10 Minuten");
  expect(grammarOf("tr").capital("istanbul")).toBe("İstanbul");
});

test.each([
  [0, "0s"],
  [6, "6d"],
  [12, "1s"],
  [150, "12s 6d"],
  [WANTED, "20s"],
])("%i pence are %s", (pence, said) => expect(money(pence)).toBe(said));

test("the sovereign is a pound, and no change", () => {
  expect([valueOf("SOV"), worthOf("SOV")]).toEqual(["£1", "no change"]);
});

test("the motto counts the games that there are", () => {
  expect(words.motto({ games: 6 })).toBe("Six card games from old rule sheets, playable again");
  expect(words.motto({ games: 0 })).toBe("Card games from old rule sheets, playable again");
  expect(words.motto({ games: 30 })).toMatch(/^30 card games /);
});

test("a deal of Tontine is summed up for those it concerns", () => {
  const nobody = { names: [], you: false };
  expect(tontine.summed({ own: "", gained: 2, died: { names: ["Ada"], you: false }, revived: nobody, living: 5 })).toBe(
    "You gain 2 counters. Ada dies; 5 are left.",
  );
  expect(
    tontine.summed({ own: "", gained: null, died: nobody, revived: { names: ["you"], you: true }, living: 1 }),
  ).toBe("You live again; 1 is left.");
  const own = tontine.byCard({ card: "Six of Clubs", says: "You put 2 counters in the box." });
  expect(tontine.summed({ own, gained: 1, died: nobody, revived: nobody, living: 5 })).toBe(
    "Six of Clubs: You put 2 counters in the box. In all you gain 1 counter. Nobody dies; 5 are left.",
  );
});
