// What is announced of a round: players who do the same one after another are told of together.

import type { Play } from "../../lib/play.svelte";
import type { Event } from "../../lib/wording";
import type { Shown } from "./scene";
import { sovereign } from "./words";

/** Sentences for events, where others who throw out a card and take from the surplus are one sentence. */
export function spoken(play: Play<Shown>, events: Event[]): string {
  const said = events.filter(({ says }) => says);
  const sentences: string[] = [];
  let seats: number[] = []; // who did the same just before
  let alone: Event[] = []; // the events of one who did
  const tell = () => {
    if (seats.length > 1) sentences.push(sovereign.swap({ names: seats.map((seat) => play.called(seat, true)) }));
    else sentences.push(...alone.map(({ says }) => says));
    [seats, alone] = [[], []];
  };
  for (let at = 0; at < said.length; at++) {
    const [throws, takes] = [said[at]!, said[at + 1]];
    const seat = throws.entry[1] as number;
    const swaps =
      throws.entry[0] === "throw" &&
      throws.entry[2] === null &&
      takes?.entry[0] === "take" &&
      takes.entry[1] === seat &&
      takes.entry[2] === "surplus";
    if (!swaps || seats.includes(seat)) tell();
    if (swaps) {
      seats.push(seat);
      alone = [throws, takes];
      at += 1;
    } else sentences.push(throws.says);
  }
  tell();
  return sentences.join(" ");
}
