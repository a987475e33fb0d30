// What is said of a seat of the ring.

import type { Play } from "../../lib/play.svelte";
import type { TontineView } from "./wire";
import { words } from "../../words";
import { grammar } from "../../words/catalogue";
import { tontine } from "./words";

/** What stands on a small token: the first letters of a name. */
export function short(play: Play, seat: number): string {
  return play.called(seat, true).replace(/^the /, "").slice(0, 3);
}

/** One or a few words of how a seat is. */
export function stateOf(view: TontineView, seat: number): string[] {
  const said = tontine;
  const alive = view.living.includes(seat);
  return [
    alive && !view.over ? "" : alive ? said.won : said.dead,
    view.dealer === seat && !view.over ? words.table.deals({ you: seat === view.seat }) : "",
  ].filter(Boolean);
}

/** All that is seen of a seat. */
export function inWords(play: Play, view: TontineView, seat: number): string {
  const card = view.cards[seat];
  const facts = [
    words.table.counters({ count: view.counters[seat] ?? 0 }),
    card ? play.cardName(card) : "",
    ...stateOf(view, seat),
  ];
  return `${play.called(seat)}: ${grammar.row(facts)}`;
}
