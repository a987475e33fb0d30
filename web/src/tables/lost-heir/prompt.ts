// The next thing to do, in words: only what the steps that are offered and the cards that lie there say.

import type { Play } from "../../lib/play.svelte";
import type { LostHeirView } from "../../lib/wire";
import { lostHeir } from "../../words/lost-heir";
import { suitOf } from "./cards";

export function promptOf(play: Play, view: LostHeirView): string {
  const say = lostHeir.prompt;
  const cities = lostHeir.cities;
  const steps = play.offered.map((choice) => choice.name);
  if (steps.includes("pass")) return view.bid ? say.over(view.bid) : say.bid;
  if (steps[0]?.startsWith("trump ")) return say.name(view.bid);
  const price = play.options["mistakes"] === "penalised" ? say.price : (sentence: string) => sentence;
  const trump = view.trump ?? "";
  const has = (suit: string) => view.hand.some((code) => suitOf(code) === suit);
  const led = view.trick.map(([, code]) => suitOf(code)).find((suit) => suit !== null);
  if (view.trick.length === 0) return view.gone.length === 0 && has(trump) ? price(say.leadTrump(cities[trump] ?? "")) : say.lead;
  if (!led) return say.any;
  const city = cities[led] ?? "";
  if (!has(led)) return led === trump || !has(trump) ? say.throw(city) : say.free(city, cities[trump] ?? "");
  const odd = play.options["odd_cards"] === "free" && view.hand.some((code) => suitOf(code) === null);
  return price(odd ? say.followOrOdd(city) : say.follow(city));
}
