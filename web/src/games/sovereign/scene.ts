// How the events of Change for a Sovereign are shown: coins and counters go where the entry says.

import type { Claims, Flight, Scene } from "../../lib/scene";
import { spoken } from "./spoken";
import type { SovereignEntry, SovereignView } from "./wire";

/** Coins laid down as change, face up for everyone, and what came of it. */
export type Laid = { seat: number; cards: string[]; pools: [string, number][]; fine: number };

/** The view, with what can be seen only while things happen. */
export type Shown = SovereignView & { laid?: Laid | undefined };

function more(counts: Record<string, number>, code: string, by: number): Record<string, number> {
  const { [code]: had = 0, ...others } = counts;
  return had + by > 0 ? { ...counts, [code]: had + by } : others;
}

function at(list: number[], seat: number, by: number): number[] {
  return list.map((count, each) => (each === seat ? count + by : count));
}

/** A seat gains or loses a coin; only one's own is seen. */
function hands(view: Shown, seat: number, code: string | null, by: number): Shown {
  const mine = code !== null && seat === view.seat;
  return { ...view, hand_sizes: at(view.hand_sizes, seat, by), coins: mine ? more(view.coins, code, by) : view.coins };
}

/** Coins laid down are taken back into the hand. */
export const settled = (view: Shown): Shown => ({ ...view, laid: undefined });

const shows: Scene<Shown, SovereignEntry>["shows"] = {
  dealer: (view, dealer) => ({ ...view, dealer }),
  deal: (view) => ({
    ...settled(view),
    to_act: -1,
    coins: {},
    known_to_hold: view.known_to_hold?.map(() => ({})),
    thrown_by_you: view.thrown_by_you && {},
  }),
  hand: (view, seat, cards) => {
    if (cards === null || seat !== view.seat) return view;
    return { ...view, coins: cards.reduce<Record<string, number>>((counts, code) => more(counts, code, 1), {}) };
  },
  change: (view, seat, cards) => ({ ...view, laid: { seat, cards, pools: [], fine: 0 } }),
  throw: (view, seat, card) => {
    const before = view.thrown_by_you;
    const mine = before && card !== null && seat === view.seat;
    return { ...settled(hands(view, seat, card, -1)), thrown_by_you: mine ? more(before, card, 1) : before };
  },
  take: settled,
  leave: settled,
  pick: (view, seat, card) => hands(view, seat, card, 1),
  draw: (view, seat, from, card) => hands(hands(view, from, card, -1), seat, card, 1),
  penalty: (view, seat, counters) => ({
    ...view,
    laid: view.laid && { ...view.laid, fine: counters },
    counters: at(view.counters, seat, -counters),
    general_pool: view.general_pool + counters,
    penalties_in_it: view.penalties_in_it + counters,
  }),
  pool: (view, seat, counters, pool) => {
    const name = pool === "general" ? "general_pool" : "sovereign_pool";
    const laid = view.laid && { ...view.laid, pools: [...view.laid.pools, [pool, counters] as [string, number]] };
    return { ...view, laid, counters: at(view.counters, seat, counters), [name]: view[name] - counters };
  },
  void: settled,
};

/** Backs of cards that others get or give, and counters; a card that one sees moves by itself. */
function flies(entry: SovereignEntry): Flight | null {
  const card = (from: string, to: string, count = 1): Flight => ({ what: "card", count, from, to });
  switch (entry[0]) {
    case "throw":
      return entry[2] === null ? card(`seat ${entry[1]}`, "aside") : null;
    case "pick":
      return entry[2] === null ? card("surplus", `seat ${entry[1]}`) : null;
    case "hand":
      return entry[2] === null ? card("surplus", `seat ${entry[1]}`, 3) : null;
    case "draw":
      return entry[3] === null ? card(`seat ${entry[2]}`, `seat ${entry[1]}`) : null;
    case "surplus":
      return card("aside", "surplus", 5);
    case "penalty":
      return { what: "counter", count: entry[2], from: `seat ${entry[1]}`, to: "general" };
    case "pool":
      return { what: "counter", count: entry[2], from: entry[3], to: `seat ${entry[1]}` };
    default:
      return null;
  }
}

/** Where coins go that are seen to leave. */
function leaves(entry: SovereignEntry): string | null {
  if (entry[0] === "throw") return "aside";
  if (entry[0] === "draw" || entry[0] === "penalty") return `seat ${entry[1]}`;
  return entry[0] === "deal" ? "surplus" : null;
}

export const scene: Scene<Shown, SovereignEntry> = {
  shows,
  beats: {
    ...{ deal: 900, hand: 110, change: 1500, throw: 360, pick: 380, leave: 420, draw: 480 },
    ...{ surplus: 650, penalty: 1700, pool: 1500, void: 1700 },
  },
  reads: ["change", "penalty", "pool", "void"],
  concerns: (entry, seat) =>
    (entry[0] === "draw" && entry[2] === seat) ||
    ((entry[0] === "pick" || entry[0] === "penalty" || entry[0] === "draw") && entry[1] === seat),
  hand: (view) => Object.entries(view.coins).flatMap(([code, count]) => Array<string>(count).fill(code)),
  closing: ["pool", "void"],
  games: true,
  gains: (entry) =>
    entry[0] === "pool" ? [[entry[1], entry[2]]] : entry[0] === "penalty" ? [[entry[1], -entry[2]]] : [],
  flies,
  leaves,
  sounds: {
    ...{ deal: "coin", throw: "card", pick: "card", draw: "card" },
    ...{ surplus: "sweep", change: "card", penalty: "coin", pool: "coin" },
  },
  sums: (play, events) => spoken(play, events),
  breath: "change",
  scores: (view) => view.counters.map((score) => ({ score })),
  scoring: ["penalty", "pool"],
};

export const claims: Claims<Shown, SovereignEntry> = {
  dealer: ["deal"],
  coins: [],
  hand_sizes: [],
  thrown_by_you: ["surplus"],
  counters: ["deal", "void", "pool"],
  general_pool: ["deal", "void"],
  penalties_in_it: ["deal", "void", "pool"],
  sovereign_pool: ["deal", "void", "pool"],
};
