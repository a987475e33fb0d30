// The next thing to do, in words: only what the steps that are offered and the cards that lie there say.

import type { Play } from "../../lib/play.svelte";
import type { LostHeirView } from "./wire";
import { pick } from "../../words/catalogue";
import { lostHeir } from "./words";
import { suitOf } from "./cards";

export function promptOf(play: Play, view: LostHeirView): string {
  const say = lostHeir.prompt;
  const cities = lostHeir.cities;
  const steps = play.offered.map((choice) => choice.name);
  if (steps.includes("pass")) {
    const { bid } = view;
    if (!bid) return say.bid;
    if (steps.length === 1) return say.pass({ bid });
    return steps.some((step) => Number(step.split(" ")[1]) < bid) ? say.over({ bid }) : say.above({ bid });
  }
  if (steps[0]?.startsWith("trump ")) return say.name({ bid: view.bid });
  // all cards are offered then, also those that would be fined
  if (play.options["mistakes"] === "penalised") return say.penalised;
  const suits = new Set(steps.map((step) => suitOf(step.split(" ")[1]!)));
  const [only, another] = [...suits].filter((suit) => suit !== null);
  const led = view.trick.map(([, code]) => suitOf(code)).find((suit) => suit !== null);
  if (steps.length === view.hand.length)
    return !view.trick.length
      ? say.lead
      : led && !suits.has(led)
        ? say.none({ led: pick(cities, led) ?? "" })
        : led
          ? say.any
          : say.noSuit;
  if (!only || another) return say.lit;
  const city = pick(cities, only) ?? "";
  if (!view.trick.length) return only === view.trump ? say.leadTrump({ city }) : say.lit;
  return suits.has(null) ? say.followOrOdd({ city }) : say.follow({ city });
}
