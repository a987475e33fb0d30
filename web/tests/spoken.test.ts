import { expect, test } from "vitest";
import { spoken } from "../src/games/tontine/spoken";
import type { TontineEntry, TontineView } from "../src/games/tontine/wire";
import type { Play } from "../src/lib/play.svelte";
import type { Event } from "../src/lib/wording";

const NAMES = ["you", "the Widow", "the Rector"];
const view = (more: Partial<TontineView>): TontineView => ({
  ...{ seat: 0, players: 3, to_act: 0, over: false, dealer: 0, last_out: -1, box: 9, deal: 3 },
  ...{ counters: [5, 5, 5], living: [0, 1, 2], cards: [null, null, null] },
  ...more,
});

/** What is announced when all of these have happened and the last so many were not announced yet. */
function heard(now: TontineView, entries: TontineEntry[], fresh = entries.length): string {
  const events: Event[] = entries.map((entry) => ({ entry, says: `(${entry[0]})`, clause: "" }));
  const called = (seat: number) => NAMES[seat];
  const play = { seat: 0, stage: { events }, called, cardName: (code: string) => code } as unknown as Play;
  return spoken(play, now, events.slice(-fresh));
}

test("a deal is told once the next one begins: one's own card, what it brought, and who died", () => {
  const said = heard(view({ counters: [4, 5, 0], living: [0, 1] }), [
    ["turn", 1], // the cards go from the dealer's right: 0, 2, 1
    ["deal", ["6C", "4H", "10D"]],
    ["pay", 0, "box", 1, "TON-8"],
    ["pay", 2, "box", 2, "TON-8"],
    ["dead", 2, "TON-10"],
    ["turn", 1],
  ]);
  expect(said).toBe("6C: you lose 1 and have 4 counters. The Rector dies; 2 are left.");
});

test("several deals have a line each, also where the beginning of the first was announced", () => {
  const said = heard(
    view({ counters: [6, 5, 5] }),
    [
      ["turn", 1],
      ["deal", ["10C", "10H", "10D"]],
      ["turn", 2],
      ["deal", ["10C", "QH", "10D"]],
      ["pay", "box", 0, 2, "TON-5"],
      ["pay", 0, 1, 1, "TON-7"],
      ["turn", 0],
    ],
    6,
  );
  expect(said).toBe("10C: you still have 5 counters. QH: you gain 1 and have 6 counters.");
});

test("one's own death and return are always told, however much is told at once", () => {
  const idle: TontineEntry[] = [
    ["turn", 1],
    ["deal", ["10H", "10D"]],
  ];
  const said = heard(view({ counters: [1, 5, 5] }), [
    ["turn", 1],
    ["deal", ["4C", "10H", "10D"]],
    ["pay", 0, "box", 1, "TON-8"],
    ["dead", 0, "TON-10"],
    ...Array.from({ length: 6 }, () => idle).flat(),
    ["turn", 1],
    ["deal", ["AH", "10D"]],
    ["pay", 2, 0, 1, "TON-7"],
    ["revived", 0, "TON-11"],
    ["turn", 1],
  ]);
  expect(said).toBe("You die; 2 are left. You gain 1 and have 1 counter. You live again; 3 are left.");
});

test("before the first deal it is told who deals, and at the end who outlives the rest", () => {
  expect(heard(view({}), [["dealer", 2], ["turn", 2]])).toBe("(dealer)"); // prettier-ignore
  expect(
    heard(view({ over: true, counters: [0, 14, 0], living: [1], box: 0 }), [
      ["turn", 1],
      ["deal", ["4C", "10H"]],
      ["pay", 0, "box", 1, "TON-8"],
      ["dead", 0, "TON-10"],
      ["pay", "box", 1, 9, "TON-14"],
    ]),
  ).toMatch(/^4C: you lose 1 and have 0 counters\. You die; 1 is left\. /);
});
