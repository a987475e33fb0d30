import { describe, expect, test } from "vitest";
import { verify, type SealedRecord } from "../src/screens/replay/verify";
import sealed from "./sealed.json";

const CHANCE = ["dealer", "deal"];
const record = (change: (copy: typeof sealed) => void = () => undefined) => {
  const copy = structuredClone(sealed);
  change(copy);
  return copy as unknown as SealedRecord;
};

describe("a seal", () => {
  test("holds for the record as it was played", () => expect(verify(record(), CHANCE).holds).toBe(true));

  test.each<[string, (copy: typeof sealed) => void]>([
    ["another secret", (copy) => (copy.seal.secret = "00".repeat(32))],
    ["another card dealt", (copy) => (copy.log[1]![1] as string[]).reverse()],
    ["another move", (copy) => (copy.log[2]![2] = 12)],
    ["a pool in another order", (copy) => (copy.seal.pools[1] as unknown[]).reverse()],
    ["more pools than draws", (copy) => copy.seal.pools.push([0, 1])],
    ["other options", (copy) => (copy.options.deal_limit = 2)],
  ])("does not hold with %s", (_, change) => expect(verify(record(change), CHANCE).holds).toBe(false));

  test("does not hold where the kinds of chance are others", () => {
    expect(verify(record(), ["dealer"]).holds).toBe(false);
  });

  const kept = { table: "t-1", game: "lost-heir", token: "token", begun: 0 };

  test("is compared with what this device was promised", () => {
    expect(verify(record(), CHANCE, { ...kept, commitment: sealed.seal.commitment }).notes).toHaveLength(1);
    expect(verify(record(), CHANCE, { ...kept, commitment: "0" }).holds).toBe(false);
    expect(verify(record(), CHANCE, { ...kept, head: "0" }).holds).toBe(false);
  });
});
