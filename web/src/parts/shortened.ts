// Which of many events are announced.

import type { Event } from "../lib/wire";

const MOST = 20; // sentences in one announcement

/** The events that have a sentence. Of very many, those of others are left out, the oldest first; one's own and the last
 * one never. */
export function shortened(events: Event[], mine: (event: Event) => boolean): Event[] {
  const said = events.filter((event) => event.says);
  let over = said.length - MOST;
  return said.filter((event, at) => at === said.length - 1 || mine(event) || over-- <= 0);
}
