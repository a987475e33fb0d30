import { expect, test } from "vitest";
import type { Shown } from "../src/games/sovereign/scene";
import { spoken } from "../src/games/sovereign/spoken";
import type { Play } from "../src/lib/play.svelte";
import type { Event } from "../src/lib/wording";

const play = { called: (seat: number) => `P${seat}` } as unknown as Play<Shown>;
const event = (says: string, ...entry: unknown[]): Event => ({ entry, says, clause: "" }) as Event;
const swap = (seat: number, code: string | null = null) => [
  event(`P${seat} throws.`, "throw", seat, code),
  event(`P${seat} takes.`, "take", seat, "surplus"),
  event("", "pick", seat, null),
];

test("players who throw out and take a card one after another are one sentence", () => {
  expect(spoken(play, [...swap(1), ...swap(2), ...swap(3)])).toBe(
    "P1, P2 and P3 each throw out a card and take one from the surplus.",
  );
});

test("one alone, one's own coin and whatever comes between are told as they are", () => {
  const kept = event("P2 keeps the hand.", "leave", 2);
  expect(spoken(play, [...swap(0, "6D"), ...swap(1), kept, ...swap(3)])).toBe(
    "P0 throws. P0 takes. P1 throws. P1 takes. P2 keeps the hand. P3 throws. P3 takes.",
  );
});

test("another round begins another sentence", () => {
  expect(spoken(play, [...swap(1), ...swap(2), ...swap(1), ...swap(2)])).toBe(
    "P1 and P2 each throw out a card and take one from the surplus. ".repeat(2).trim(),
  );
});
