// What is announced of Tontine: a short line for each deal, with one's own card and counters, who dies and who lives again.

import type { Play } from "../../lib/play.svelte";
import type { Event } from "../../lib/wording";
import { story } from "./story";
import type { TontineEntry, TontineView } from "./wire";
import { tontine } from "./words";

const FEW = 4; // deals of which each is told; of earlier ones only what became of the player

type Deal = { gained: number; counters: number; died: number[]; revived: number[]; living: number };

/** The announcement of the newest events, in which every deal is finished. */
export function spoken(play: Play, view: TontineView, fresh: Event[]): string {
  const events = play.stage.events;
  const entries = events.map(({ entry }) => entry as TontineEntry);
  let living = view.living;
  let counters = view.counters[play.seat] ?? 0;
  const begin = (): Deal => ({ gained: 0, counters, died: [], revived: [], living: living.length });
  let deal = begin();
  const lines: string[] = [];
  // from the position of now back to the first event that was not announced
  for (let at = entries.length - 1; at >= entries.length - fresh.length; at--) {
    const entry = entries[at]!;
    if (entry[0] === "dead") {
      deal.died.unshift(entry[1]);
      living = [...living, entry[1]];
    } else if (entry[0] === "revived") {
      deal.revived.unshift(entry[1]);
      living = living.filter((seat) => seat !== entry[1]);
    } else if (entry[0] === "pay") {
      const gained = entry[3] * (Number(entry[2] === play.seat) - Number(entry[1] === play.seat));
      counters -= gained;
      if (entry[4] === "TON-14") deal.counters = counters;
      else deal.gained += gained;
    } else if (entry[0] === "deal") {
      const dealer = entries.findLast((each, before) => before < at && (each[0] === "turn" || each[0] === "dealer"));
      const code = entry[1][order({ ...view, living, dealer: (dealer?.[1] as number | undefined) ?? view.dealer }).indexOf(play.seat)]; // prettier-ignore
      lines.unshift(line(play, deal, code, lines.length < FEW));
      deal = begin();
    }
  }
  const others = lines.length ? [] : fresh.filter(({ entry }) => entry[0] !== "turn").map(({ says }) => says);
  return [...lines, ...others, view.over && story(play, view).says].filter(Boolean).join(" ");
}

function line(play: Play, { gained, counters, died, revived, living }: Deal, code: string | undefined, all: boolean) {
  const people = (seats: number[]) => ({
    you: seats.includes(play.seat),
    names: all ? seats.filter((seat) => seat !== play.seat).map((seat) => play.called(seat, true)) : [],
  });
  return tontine.spoken({
    own:
      all && (code !== undefined || gained !== 0) ? { card: code ? play.cardName(code) : "", gained, counters } : null,
    died: people(died),
    revived: people(revived),
    living,
  });
}

/** The seats that are dealt to, in order: the living from the dealer's right, round to the dealer. */
export function order({ players, dealer, living }: Pick<TontineView, "players" | "dealer" | "living">): number[] {
  const round = Array.from({ length: players }, (_, at) => (dealer - 1 - at + players) % players);
  return round.filter((seat) => living.includes(seat));
}
