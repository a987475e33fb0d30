// What is worth saying of all that happens, deal by deal.

import type { Play } from "../../lib/play.svelte";
import type { Event } from "../../lib/wording";
import type { TontineView } from "./wire";
import { tontine } from "./words";

type Told = { says: string; clause: string };

const FEW = 8; // living, up to which there is time to say every payment

/** All that happened since the cards were last turned up. */
export function lastDeal(events: Event[]): Event[] {
  const from = events.findLastIndex(({ entry }) => entry[0] === "turn");
  return from < 0 ? [] : events.slice(from);
}

/** One event, where it is worth a look while all is in motion. */
function telling(play: Play, view: TontineView, { entry, says, clause }: Event): Told | null {
  const said = tontine;
  const [kind, ...values] = entry;
  if (kind === "deal") return { says: said.turnedUp({ count: (values[0] as string[]).length }), clause };
  if (kind === "dead")
    return {
      says: said.dies({
        name: play.called(values[0] as number),
        you: values[0] === play.me,
        living: view.living.length,
      }),
      clause,
    };
  if (kind === "revived")
    return {
      says: said.lives({
        name: play.called(values[0] as number),
        you: values[0] === play.me,
        living: view.living.length,
      }),
      clause,
    };
  const card = kind === "pay" ? view.cards[(values[0] === "box" ? values[1] : values[0]) as number] : null;
  const ours = play.seat >= 0 && (values[0] === play.me || values[1] === play.me);
  if (kind === "pay" && !ours && view.living.length > FEW && clause !== "TON-14") return null;
  return { says: card && clause !== "TON-14" ? said.byCard({ card: play.cardName(card), says }) : says, clause };
}

/** What a whole deal came to: for you, for the dead and for those who live again. */
function summed(play: Play, view: TontineView, deal: Event[]): Told {
  const said = tontine;
  const seats = (kind: string) => deal.filter(({ entry }) => entry[0] === kind).map(({ entry }) => entry[1] as number);
  const [died, revived] = [seats("dead"), seats("revived")];
  let gained = 0;
  for (const { entry } of deal)
    if (entry[0] === "pay")
      gained += (entry[3] as number) * (Number(entry[2] === play.me) - Number(entry[1] === play.me));
  const people = (those: number[]) => ({
    names: those.map((seat) => play.called(seat, true)),
    you: those.length === 1 && those[0] === play.me,
  });
  const held = play.seat >= 0 && (view.cards[play.seat] != null || gained !== 0);
  // what one's own card did, in the words of the event; and what that and the cards of others come to
  const card = play.seat >= 0 ? view.cards[play.seat] : null;
  const pays = deal.filter(({ entry }) => entry[0] === "pay" && entry.slice(1, 3).includes(play.me));
  const mine = pays.find(({ entry }) => entry[1] === play.me || entry[1] === "box");
  const own = card ? said.byCard({ card: play.cardName(card), says: mine?.says ?? said.nothing }) : "";
  return {
    says: said.summed({
      own,
      gained: held && (!own || pays.some((each) => each !== mine)) ? gained : null,
      died: people(died),
      revived: people(revived),
      living: view.living.length,
    }),
    clause: mine ? mine.clause : died.length ? "TON-10" : revived.length ? "TON-11" : "",
  };
}

/** What the line says now. */
export function story(play: Play, view: TontineView): Told {
  const events = play.stage.events;
  const deal = lastDeal(events);
  const last = events.findLast((event) => event.says);
  if (view.over)
    return last?.clause === "TON-14"
      ? last
      : {
          says: tontine.outlives({ name: play.called(winner(view)), you: winner(view) === play.me }),
          clause: "TON-14",
        };
  if (!deal.length) return last ?? { says: "", clause: "" };
  if (!play.stage.moving || play.stage.resting) return summed(play, view, deal);
  for (let at = deal.length - 1; at >= 0; at--) {
    const told = telling(play, view, deal[at]!);
    if (told) return told;
  }
  return { says: "", clause: "" };
}

/** Who has outlived the rest, once it is over. */
export const winner = (view: TontineView): number => view.living[0] ?? view.last_out;
