// Lessons and replays in words.

import { catalogueOf } from "./catalogues";
import type { Frame as Told, Lesson, PuzzleBody, Replay } from "./wire";
import { wordingOf, type Company, type Event } from "./wording";

/** A frame of a lesson or of a replay, in words. */
export type Frame = Omit<Told, "events" | "refusals"> & { events: Event[]; refusals?: Record<string, string[]> };
type Framed = Lesson | Replay | PuzzleBody;
export type Worded<Whole extends Framed> = Omit<Whole, "frames"> & { frames: Frame[]; keyed: boolean };

/** A lesson, or a part of a replay, in words: asked for by key, or in the server's own words where there is no
 * catalogue for them. */
export async function worded<Whole extends Framed>(
  ask: (keyed: boolean) => Promise<Whole>,
  meIn: (whole: Whole) => number,
  keyed = true,
): Promise<Worded<Whole>> {
  let whole = await ask(keyed);
  const catalogue = keyed ? await catalogueOf(whole.game).catch(() => undefined) : undefined;
  if (keyed && !catalogue) whole = await ask(false);
  const company: Company = { names: whole.called, me: meIn(whole), sides: whole.sides, cardNames: whole.names };
  const wording = wordingOf(catalogue, company);
  const frames = whole.frames.map(({ events, refusals, ...rest }): Frame => {
    const why = Object.entries(refusals ?? {}).map(([step, said]) => [step, said.map((each) => wording.say(each))]);
    return { ...rest, events: events.map((event) => wording.event(event)), refusals: Object.fromEntries(why) };
  });
  return { ...whole, frames, keyed: catalogue !== undefined };
}
