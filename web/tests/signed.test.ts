// Where a sentence names cards, and lists of cards that have two names.

import { expect, test } from "vitest";
import { inParts } from "../src/parts/signed";
import { grammar } from "../src/words/catalogue";

const cards: [string, string][] = [
  ["Harlequin, Masquerader No. 1", "M1"],
  ["Sailor, Ridotto No. 6", "R6"],
  ["1 of the Star", "S1"],
  ["Crown of the Star", "SC"],
];

test("a sentence is cut behind each card that it names, and loses nothing", () => {
  const says = "Ann plays Sailor, Ridotto No. 6 and takes 1 of the Star.";
  const parts = inParts(says, cards);
  expect(parts.map(({ code }) => code)).toEqual(["R6", "S1", undefined]);
  expect(parts.map(({ text }) => text).join("")).toBe(says);
});

test("a card whose name stands within another word or number is not named", () => {
  expect(inParts("Ann lays 11 of the Star, Crown of the Stars.", cards).some(({ code }) => code)).toBe(false);
  expect(inParts("", cards)).toEqual([]);
});

test("cards with two names are kept apart by semicolons, where there are more than two", () => {
  const names = cards.slice(0, 3).map(([name]) => name);
  expect(grammar.and(names)).toBe("Harlequin, Masquerader No. 1; Sailor, Ridotto No. 6; and 1 of the Star");
  expect(grammar.and(names.slice(0, 2))).toBe("Harlequin, Masquerader No. 1 and Sailor, Ridotto No. 6");
  expect(grammar.and(["you", "Ann", "Ben"])).toBe("you, Ann and Ben");
});
