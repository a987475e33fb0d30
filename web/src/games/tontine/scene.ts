// How a deal is shown: cards are turned up in a wave around the ring, counters fly one by one, seats die and revive.

import type { Claims, Scene } from "../../lib/scene";
import { order, spoken } from "./spoken";
import { winner } from "./story";
import type { TontineEntry, TontineView } from "./wire";
import { tontine } from "./words";

/** How fast things go: the more players, the shorter each event, so that a deal of 52 takes some seven seconds. */
export const tempo = { haste: 1, living: 12, gentle: false };

const between = (least: number, wanted: number, most: number) => Math.max(least, Math.min(wanted, most));

/** Milliseconds from one card of the wave to the next. */
export const wave = () => tempo.haste * between(15, 900 / tempo.living, 80);

function paid(view: TontineView, from: number | "box", to: number | "box", count: number): TontineView {
  const counters = [...view.counters];
  let box = view.box;
  if (from === "box") box -= count;
  else counters[from]! -= count;
  if (to === "box") box += count;
  else counters[to]! += count;
  return { ...view, counters, box };
}

const TOGETHER = 45; // payments that follow each other faster than this, in milliseconds, are not seen to fly
let flown = 0;

export const scene: Scene<TontineView, TontineEntry> = {
  shows: {
    dealer: (view, dealer) => ({ ...view, dealer }),
    turn: (view) => {
      tempo.living = view.living.length;
      return { ...view, to_act: -1, deal: view.deal + 1, cards: view.cards.map(() => null) };
    },
    deal: (view, dealt) => {
      const cards: (string | null)[] = view.cards.map(() => null);
      order(view).forEach((seat, at) => (cards[seat] = dealt[at] ?? null));
      return { ...view, cards };
    },
    pay: paid,
    dead: (view, dead) => ({ ...view, living: view.living.filter((seat) => seat !== dead) }),
    revived: (view, seat) => ({
      ...view,
      living: [...view.living, seat].sort((one, other) => one - other),
    }),
  },
  beats: {
    dealer: 500,
    get turn() {
      return 160 * tempo.haste;
    },
    get deal() {
      return tempo.living * wave() + 380 * tempo.haste;
    },
    get pay() {
      return tempo.haste * between(95, 3600 / tempo.living, 420);
    },
    get dead() {
      return tempo.haste * between(320, 9000 / tempo.living, 800);
    },
    get revived() {
      return tempo.haste * between(320, 9000 / tempo.living, 800);
    },
  },
  begins: ["turn"],
  gains: (entry) => {
    if (entry[0] !== "pay") return [];
    const places: [number | "box", number][] = [
      [entry[1], -entry[3]],
      [entry[2], entry[3]],
    ];
    return places.filter((each): each is [number, number] => each[0] !== "box");
  },
  concerns: (entry, seat) =>
    entry[0] === "pay"
      ? tempo.gentle && (entry[1] === seat || entry[2] === seat)
      : (entry[0] === "dead" || entry[0] === "revived") && entry[1] === seat,
  gentle: true,
  flies: (entry) => {
    if (entry[0] !== "pay") return null;
    const [, from, to, count] = entry;
    const now = performance.now();
    const crowded = now - flown < TOGETHER;
    flown = now;
    const place = (where: number | "box") => (where === "box" ? "box" : `seat ${where}`);
    return crowded ? null : { what: "counter", count: Math.min(count, 3), from: place(from), to: place(to) };
  },
  brief: ({ entry }) => (entry[0] === "deal" ? tontine.turnedUp({ count: (entry[1] as string[]).length }) : undefined),
  sums: (play, events) => spoken(play, play.view!, events),
  breath: "turn",
  skipsOne: true,
  scores: (view) => view.counters.map((score) => ({ score })),
  ends(play) {
    const [view, last] = [play.view!, winner(play.view!)];
    if (view.counters.some((count, seat) => count > 0 && seat !== last)) return undefined;
    return tontine.ends({ name: play.called(last), count: view.counters[last] ?? 0, out: play.seat >= 0 });
  },
  sign: "10 60 35 36",
  scoring: ["pay", "dead", "revived"],
  sounds: { deal: "sweep", pay: "coin", dead: "card", revived: "bell" },
};

export const claims: Claims<TontineView, TontineEntry> = {
  deal: [],
  box: [],
  counters: [],
  living: [],
  cards: [],
};
