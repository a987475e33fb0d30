// The page's wording against the server's. What is said comes from tests/web/test_reducers.py, which sets
// PARLOUR_POSITIONS to a folder with a file for each game and language; without it these tests are skipped.

import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { wordingOf, type Catalogue, type Company, type Sentence } from "../src/lib/wording";
import type { ClaimLine, Event } from "../src/lib/wire";

type Table = {
  company: Company;
  events: [Event, string][];
  says: [Sentence, string][];
  reasons: [Sentence, ClaimLine[] | null, string][];
};
type Case = { catalogue: Catalogue; tables: Table[] };

const folder = process.env["PARLOUR_POSITIONS"] ?? "";
const files = folder ? readdirSync(folder).filter((name) => name.endsWith(".words")) : ["no files"];
const MOST = 5; // mistakes that are shown

describe.each(files)("%s", (file) => {
  test.skipIf(!folder)("is worded as the server words it", () => {
    const { catalogue, tables } = JSON.parse(readFileSync(`${folder}/${file}`, "utf8")) as Case;
    let compared = 0;
    const mistakes: [string, string][] = [];
    const compare = (said: string, wanted: string) => {
      compared += 1;
      if (said !== wanted) mistakes.push([said, wanted]);
    };
    for (const { company, events, says, reasons } of tables) {
      const wording = wordingOf(catalogue, company);
      for (const [event, wanted] of events) compare(wording.event(event).says, wanted);
      for (const [said, wanted] of says) compare(wording.say(said), wanted);
      for (const [reason, claims, wanted] of reasons) compare(wording.reason(reason, claims), wanted);
    }
    expect(mistakes.slice(0, MOST)).toEqual([]);
    expect(compared).toBeGreaterThan(50);
  });
});

test("a sentence that is in words already stays as it is", () => {
  expect(wordingOf(undefined).say("{seat} play|plays")).toBe("{seat} play|plays");
  expect(wordingOf(undefined).say({ key: "unknown" })).toBe("unknown");
});
