import { describe, expect, test } from "vitest";
import { proof } from "../src/lib/proof";
import { follows, readRemembered, readTold, toldBy, type Told } from "../src/lib/told";
import type { News } from "../src/lib/wire";

const [A, B] = ["a".repeat(64), "b".repeat(64)];
const news = (number: number, more: Partial<News> = {}): News => ({ kind: "news", number, head: A, ...more });
const told: Told = { number: 40, head: A };

describe("news", () => {
  test.each<[string, Told | null, News, ReturnType<typeof follows>]>([
    ["that is the first", null, news(5, { whole: true }), "on"],
    ["that is the first and brings a part only", null, news(5, { since: 3 }), "gap"],
    ["after what was told", told, news(44, { since: 40, head: B }), "on"],
    ["without a new entry", told, news(40, { since: 40 }), "on"],
    ["that starts over, as after taking back", told, news(41, { whole: true, head: B }), "on"],
    ["that starts over where nothing has happened", told, news(40, { whole: true }), "on"],
    ["before the start", { number: 4 }, news(5, { since: 4, head: null }), "on"],
    ["with the first head", { number: 4 }, news(9, { since: 4 }), "on"],
    ["for a spectator who is shown nothing yet", told, news(0, { whole: true, head: null }), "waits"],
    ["that was told already", told, news(40, { since: 36 }), "known"],
    ["with something missing between", told, news(44, { since: 42, head: B }), "gap"],
    ["that overlaps what was told", told, news(44, { since: 36, head: B }), "gap"],
    ["that goes back", told, news(39, { since: 36 }), "back"],
    ["that starts over further back", told, news(39, { whole: true }), "back"],
    ["of the same number with another head", told, news(40, { whole: true, head: B }), "other"],
    ["of the same number with another head, as a part", told, news(40, { since: 40, head: B }), "other"],
    ["that has lost its head", told, news(44, { since: 40, head: null }), "other"],
  ])("%s", (_, before, now, how) => expect(follows(before, now)).toBe(how));
});

describe("what was told", () => {
  const signed = { number: 40, head: A, signature: "c".repeat(128), key: B };

  test("is kept as it came", () => {
    expect(toldBy(news(40, { signature: signed.signature }), B)).toEqual(signed);
    expect(toldBy(news(4, { head: null }), B)).toEqual({ number: 4 });
    expect(readTold(JSON.parse(JSON.stringify(signed)))).toEqual(signed);
  });

  test.each([null, 7, "x", [], {}, { number: "40" }, { number: -1 }, { number: 0 }, { number: 1e300 }])(
    "is nothing where %j is stored",
    (stored) => expect(readTold(stored)).toBe(null),
  );

  test("goes without what the server would not read", () => {
    expect(readTold({ number: 40, head: "xyz", signature: 7, key: "A".repeat(64) })).toEqual({ number: 40 });
  });

  test("is kept with a contradiction until that is closed", () => {
    const against = { told: signed, now: { number: 35, head: B }, said: "Set back." };
    expect(readRemembered({ told: against.now, against })).toEqual({ told: against.now, against });
    expect(readRemembered({ told: signed, against: { told: {}, now: 3 } })).toEqual({ told: signed });
    expect(readRemembered({ against })).toBe(null);
    expect(JSON.parse(proof("T", "http://localhost", against))).toMatchObject({
      table: "T",
      ...signed,
      answer: against.now,
    });
  });
});
