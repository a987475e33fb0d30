// Lessons and replays in words.

import { catalogueOf } from "./catalogues";
import type { Frame as Told, Lesson, Replay } from "./wire";
import { wordingOf, type Company, type Event } from "./wording";

/** A frame of a lesson or of a replay, in words. */
export type Frame = Omit<Told, "events" | "refusals"> & { events: Event[]; refusals?: Record<string, string[]> };
export type Worded<Whole extends Lesson | Replay> = Omit<Whole, "frames"> & { frames: Frame[] };

/** A lesson, or a part of a replay, in words. */
export async function worded<Whole extends Lesson | Replay>(whole: Whole, me: number): Promise<Worded<Whole>> {
  const company: Company = { names: whole.called, me, sides: whole.sides, cardNames: whole.names };
  const wording = wordingOf(await catalogueOf(whole.game), company);
  const frames = whole.frames.map(({ events, refusals, ...rest }): Frame => {
    const why = Object.entries(refusals ?? {}).map(([step, said]) => [step, said.map((each) => wording.say(each))]);
    return { ...rest, events: events.map((event) => wording.event(event)), refusals: Object.fromEntries(why) };
  });
  return { ...whole, frames };
}
