// What is on the table just now. News comes as events and the position after them; the stage goes from one position to
// the next event by event, so that everything can be seen to happen. It adds nothing: an event puts a card or a counter
// where the event says, and at the end of each news the table stands as the server says.

import { device } from "./device.svelte";
import { after, type Entry, type Flight, type AnyScene } from "./scene";
import { play as sound } from "./sound";
import type { Choice, Event, View } from "./wire";

export type Told<V extends View = View> = { events: Event[]; view: V | null; legal: Choice[]; whole?: boolean };

const SPEED = { slow: 1.8, usual: 1, quick: 0.4 };
const MOST_EVENTS = 2000; // stored, of a long sitting
const MANY = 8; // news waiting, from which on each is shown only briefly

export class Stage<V extends View = View> {
  view = $state.raw<V | null>(null);
  events = $state.raw<Event[]>([]);
  forgotten = 0; // events before those
  last = $state.raw<Event | null>(null); // the event being shown
  legal = $state.raw<Choice[]>([]);
  moving = $state(false);
  flights = $state.raw<(Flight & { key: number })[]>([]);
  arrived = $state(0); // counts the positions at which the table came to rest

  #scene: AnyScene | null = null; // nothing is shown before the scene is there
  #queue: Told<V>[] = [];
  #now: { told: Told<V>; shown: number } | null = null; // the news being shown, and how many of its events were
  #wake: (() => void) | null = null;
  #hurried = false;
  #flown = 0;

  get scene(): AnyScene {
    return this.#scene ?? {};
  }

  set scene(scene: AnyScene) {
    this.#scene = scene;
    if (this.#queue.length && !this.moving) void this.#run();
  }

  /** News: shown after everything that came before. */
  feed(told: Told<V>) {
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

  /** Some of the events, numbered from the beginning of the sitting. */
  told(wanted: (event: Event) => boolean): { event: Event; number: number }[] {
    return this.events.flatMap((event, at) => (wanted(event) ? [{ event, number: this.forgotten + at }] : []));
  }

  /** Show everything that waits at once. */
  hurry() {
    if (!this.moving) return;
    this.#hurried = true;
    this.#wake?.();
  }

  /** Leave the news being shown: something else takes its place. */
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
        await this.#show(event, told.events.length);
        if (this.#now !== now) return; // left meanwhile
      }
      // events that were hurried past are not shown: the table stands as the news says
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

  async #show(event: Event, together: number) {
    const [kind] = event.entry as Entry;
    this.last = event;
    if (this.view) this.view = after(this.scene, this.view, event.entry as Entry);
    if (this.#hurried) return;
    const flight = device.still ? null : this.scene.flies?.(event.entry as Entry);
    if (flight) {
      const key = this.#flown++;
      this.flights = [...this.flights, { ...flight, key }];
      setTimeout(() => (this.flights = this.flights.filter((each) => each.key !== key)), 700);
    }
    const heard = this.scene.sounds?.[kind];
    if (heard) sound(heard);
    const beat = this.scene.beats?.[kind] ?? this.scene.beat?.(together) ?? 0;
    await this.#pause(this.#queue.length > MANY ? beat / 8 : beat);
  }

  #rest(told: Told<V>) {
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
