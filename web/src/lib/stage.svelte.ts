// What is on the table just now. News comes as events and the position after them; the stage goes from one to the
// other event by event, so that everything is seen to happen. It adds nothing: where an event puts a card or a counter
// is what the event says, and at the end of each news the table stands as the server says.

import { device } from "./device.svelte";
import { play as sound, type Sound } from "./sound";
import type { Play } from "./play.svelte";
import type { Choice, Event, View } from "./wire";

/** A thing that flies over the table and is gone: some counters from one place to another. */
export type Flight = { what: "counter" | "card"; count: number; from: string; to: string };

/** How a game's events are shown. Places are named as in `data-place`, such as "seat 2" or "box". */
export type Scene = {
  /** By kind of entry: the view after it, as far as the entry tells. */
  shows?: Record<string, (view: never, ...values: never[]) => unknown>;
  /** By kind of entry: how long it is looked at, in milliseconds. */
  beats?: Record<string, number>;
  /** Where the cards go that leave the table by this entry. */
  leaves?: (entry: unknown[]) => string | null;
  flies?: (entry: unknown[]) => Flight | null;
  sounds?: Record<string, Sound>;
  /** What the log says of an event in place of its sentence, where that is too long. */
  brief?: (event: Event) => string | undefined;
  /** What is said aloud of all that happened, in place of every event; null where each is to be said. */
  sums?: (play: Play, events: Event[]) => string | null;
  /** Whether a key skips what is being shown, and not all that waits behind it. */
  skipsOne?: boolean;
};

export type Told = { events: Event[]; view: View | null; legal: Choice[]; whole?: boolean };

const SPEED = { slow: 1.8, usual: 1, quick: 0.4 };
const MOST_EVENTS = 2000; // kept, of a long sitting
const MANY = 8; // news waiting, from which on nobody wants to see each

export class Stage {
  view = $state.raw<View | null>(null);
  events = $state.raw<Event[]>([]);
  forgotten = 0; // events that came before those
  last = $state.raw<Event | null>(null); // what is being shown
  legal = $state.raw<Choice[]>([]);
  moving = $state(false);
  flights = $state.raw<(Flight & { key: number })[]>([]);
  arrived = $state(0); // counts positions at which the table came to rest

  #scene: Scene | null = null; // nothing is shown before it is known how
  #queue: Told[] = [];
  #now: { told: Told; shown: number } | null = null; // the news that is being shown, and how many of its events were
  #wake: (() => void) | null = null;
  #hurried = false;
  #flown = 0;

  get scene(): Scene {
    return this.#scene ?? {};
  }

  set scene(scene: Scene) {
    this.#scene = scene;
    if (this.#queue.length && !this.moving) void this.#run();
  }

  /** News: shown after all that came before. */
  feed(told: Told) {
    if (told.whole || this.view === null || document.hidden) {
      const unseen = [
        ...(this.#now?.told.events.slice(this.#now.shown) ?? []),
        ...this.#queue.flatMap((each) => each.events),
      ];
      this.#queue = [];
      this.#stop();
      if (told.whole) [this.events, this.forgotten] = [[], 0];
      this.#keep([...(told.whole ? [] : unseen), ...told.events]);
      this.last = this.events.at(-1) ?? null;
      this.#rest(told);
      return;
    }
    this.#queue.push(told);
    this.legal = [];
    if (this.#scene && !this.moving) void this.#run();
  }

  /** Some of what happened, numbered from the beginning of the sitting. */
  told(wanted: (event: Event) => boolean): { event: Event; number: number }[] {
    return this.events.flatMap((event, at) => (wanted(event) ? [{ event, number: this.forgotten + at }] : []));
  }

  /** Show all that waits at once. */
  hurry() {
    if (!this.moving) return;
    this.#hurried = true;
    this.#wake?.();
  }

  /** Leave what is being shown: something else takes its place. */
  #stop() {
    this.#now = null;
    this.moving = false;
    this.#hurried = false;
    this.#wake?.();
  }

  async #run() {
    this.moving = true;
    for (let told = this.#queue.shift(); told; told = this.#queue.shift()) {
      const now = (this.#now = { told, shown: 0 });
      while (now.shown < told.events.length && !this.#hurried) {
        const event = told.events[now.shown++]!;
        this.#keep([event]);
        await this.#show(event);
        if (this.#now !== now) return; // left meanwhile
      }
      // what is hurried past is not looked at: the table stands as the news says
      this.#keep(told.events.slice(now.shown));
      this.last = told.events.at(-1) ?? this.last;
      this.#rest(told);
      if (this.scene.skipsOne) this.#hurried = false;
    }
    this.#stop();
  }

  #keep(events: Event[]) {
    if (!events.length) return;
    const all = [...this.events, ...events];
    this.forgotten += Math.max(0, all.length - MOST_EVENTS);
    this.events = all.slice(-MOST_EVENTS);
  }

  async #show(event: Event) {
    const [kind, ...values] = event.entry as [string, ...unknown[]];
    this.last = event;
    const change = this.scene.shows?.[kind] as ((view: View, ...values: unknown[]) => View) | undefined;
    const beat = this.scene.beats?.[kind] ?? 0;
    if (change && this.view) this.view = change(this.view, ...values);
    if (this.#hurried) return;
    const flight = device.still ? null : this.scene.flies?.(event.entry);
    if (flight) {
      const key = this.#flown++;
      this.flights = [...this.flights, { ...flight, key }];
      setTimeout(() => (this.flights = this.flights.filter((each) => each.key !== key)), 700);
    }
    const heard = this.scene.sounds?.[kind];
    if (heard) sound(heard);
    await this.#pause(this.#queue.length > MANY ? beat / 8 : beat);
  }

  #rest(told: Told) {
    this.view = told.view;
    if (this.#queue.length === 0) {
      this.legal = told.legal;
      this.arrived += 1;
    }
  }

  #pause(milliseconds: number): Promise<void> {
    if (this.#hurried || milliseconds <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#wake = null;
        resolve();
      };
      const timer = setTimeout(wake, milliseconds * SPEED[device.settings.pace]);
      this.#wake = wake;
    });
  }
}
