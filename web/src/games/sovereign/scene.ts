// How the events of Change for a Sovereign are shown: coins and counters go where the entry says.

import type { Flight, Scene } from "../../lib/stage.svelte";
import type { SovereignView } from "../../lib/wire";

/** Coins laid down as change, face up for all, and what came of it. */
export type Laid = { seat: number; cards: string[]; pools: [string, number][]; fine: number };

/** The view, with what is to be seen only while things happen. */
export type Shown = SovereignView & { laid?: Laid | undefined };

function more(counts: Record<string, number>, code: string, by: number): Record<string, number> {
  const { [code]: had = 0, ...others } = counts;
  return had + by > 0 ? { ...counts, [code]: had + by } : others;
}

function at(list: number[], seat: number, by: number): number[] {
  return list.map((count, each) => (each === seat ? count + by : count));
}

/** A seat gains or loses a card; only one's own is seen. */
function hands(view: Shown, seat: number, code: string | null, by: number): Shown {
  const mine = code !== null && seat === view.seat;
  return { ...view, hand_sizes: at(view.hand_sizes, seat, by), coins: mine ? more(view.coins, code, by) : view.coins };
}

const shows = {
  dealer: (view: Shown, dealer: number): Shown => ({ ...view, dealer }),
  deal: (view: Shown): Shown => ({
    ...view,
    laid: undefined,
    to_act: -1,
    aside: 0,
    coins: {},
    known_to_hold: view.known_to_hold?.map(() => ({})),
    thrown_by_you: {},
  }),
  hand: (view: Shown, seat: number, cards: string[] | null): Shown =>
    cards === null || seat !== view.seat
      ? view
      : { ...view, coins: cards.reduce((counts, code) => more(counts, code, 1), {} as Record<string, number>) },
  change: (view: Shown, seat: number, cards: string[]): Shown => ({
    ...view,
    laid: { seat, cards, pools: [], fine: 0 },
  }),
  throw(view: Shown, seat: number, card: string | null): Shown {
    const mine = card !== null && seat === view.seat;
    const thrown = mine ? more(view.thrown_by_you, card, 1) : view.thrown_by_you;
    return { ...hands(view, seat, card, -1), laid: undefined, aside: view.aside + 1, thrown_by_you: thrown };
  },
  take: (view: Shown): Shown => ({ ...view, laid: undefined }),
  leave: (view: Shown): Shown => ({ ...view, laid: undefined }),
  pick: (view: Shown, seat: number, card: string | null): Shown => ({
    ...hands(view, seat, card, 1),
    surplus: view.surplus - 1,
  }),
  draw: (view: Shown, seat: number, from: number, card: string | null): Shown =>
    hands(hands(view, from, card, -1), seat, card, 1),
  surplus: (view: Shown): Shown => ({ ...view, surplus: view.aside, aside: 0, thrown_by_you: {} }),
  penalty: (view: Shown, seat: number, counters: number): Shown => ({
    ...view,
    laid: view.laid && { ...view.laid, fine: counters },
    counters: at(view.counters, seat, -counters),
    general_pool: view.general_pool + counters,
    penalties_in_it: view.penalties_in_it + counters,
  }),
  pool(view: Shown, seat: number, counters: number, pool: string): Shown {
    const name = pool === "general" ? "general_pool" : "sovereign_pool";
    const laid = view.laid && { ...view.laid, pools: [...view.laid.pools, [pool, counters] as [string, number]] };
    return { ...view, laid, counters: at(view.counters, seat, counters), [name]: view[name] - counters };
  },
  void: (view: Shown): Shown => ({ ...view, laid: undefined }),
};

/** Backs of cards that others get or give, and counters; what one sees oneself moves by itself. */
function flies(entry: unknown[]): Flight | null {
  const [kind, seat, second, third] = entry as [string, number, unknown, unknown];
  if (kind === "throw" && second === null) return { what: "card", count: 1, from: `seat ${seat}`, to: "aside" };
  if (kind === "pick" && second === null) return { what: "card", count: 1, from: "surplus", to: `seat ${seat}` };
  if (kind === "hand" && second === null) return { what: "card", count: 3, from: "surplus", to: `seat ${seat}` };
  if (kind === "draw" && third === null) return { what: "card", count: 1, from: `seat ${second}`, to: `seat ${seat}` };
  if (kind === "surplus") return { what: "card", count: 5, from: "aside", to: "surplus" };
  if (kind === "penalty") return { what: "counter", count: second as number, from: `seat ${seat}`, to: "general" };
  if (kind === "pool") return { what: "counter", count: second as number, from: third as string, to: `seat ${seat}` };
  return null;
}

/** Where coins go that are seen to leave. */
function leaves(entry: unknown[]): string | null {
  const [kind, seat] = entry as [string, number];
  if (kind === "throw") return "aside";
  if (kind === "draw" || kind === "penalty") return `seat ${seat}`;
  if (kind === "deal") return "surplus";
  return null;
}

export const scene: Scene = {
  shows,
  beats: {
    deal: 900,
    hand: 110,
    change: 1500,
    throw: 360,
    pick: 380,
    leave: 420,
    draw: 480,
    surplus: 650,
    penalty: 1700,
    pool: 1500,
    void: 1700,
  },
  flies,
  leaves,
  sounds: {
    deal: "coin",
    throw: "card",
    pick: "card",
    draw: "card",
    surplus: "sweep",
    change: "card",
    penalty: "coin",
    pool: "coin",
  },
};
