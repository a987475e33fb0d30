// What is on the table just now. News comes as events and the position after them; the stage goes from one position to
// the next event by event, so that everything can be seen to happen. It adds nothing: an event puts a card or a counter
// where the event says, and at the end of each news the table stands as the server says. Between two deals it rests
// until the player goes on, so that the result of a deal can be read.

import { device } from "./device.svelte";
import { beginsDeal } from "./history";
import { after, type Entry, type Flight, type AnyScene } from "./scene";
import { play as sound } from "./sound";
import type { Choice, View } from "./wire";
import type { Event } from "./wording";

export type Told<V extends View = View> = {
  events: Event[];
  view: V | null;
  legal: Choice[];
  whole?: boolean;
  earlier?: number;
};

const SPEED = { slow: 1.8, usual: 1, quick: 0.4 };
const MOST_EVENTS = 2000; // stored, of a long sitting
const MANY = 12; // news waiting, from which on each is shown only briefly
const CONCERN = 2000; // milliseconds, at least, for an event that changes my hand or my score
const REST = 6000; // on the result of a deal, where play goes on by itself
const SEEN = 600; // milliseconds, before a key that was meant for something else can go on to the next deal
const LONGEST = 3200; // to read a sentence

/** How many deals have begun, or games that are dealt once, where the view says it. */
function begun(view: View | null): number | undefined {
  const { deal, game, over } = (view ?? {}) as { deal?: number; game?: number; over?: boolean };
  return deal ?? (game === undefined ? undefined : game + (over ? 0 : 1));
}

/** Milliseconds to read a sentence. */
const reading = (says: string) => Math.min(LONGEST, 350 + 38 * says.length);

/** Cards that an event brought into the player's hand, or took from it. */
export type HandChange = { came: string[]; gone: string[] };

/** Cards without some others; of cards that are alike, as many as there are more. */
function less(cards: string[], others: string[]): string[] {
  const left = [...others];
  return cards.filter((code) => {
    const at = left.indexOf(code);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

export class Stage<V extends View = View> {
  view = $state.raw<V | null>(null);
  events = $state.raw<Event[]>([]);
  forgotten = 0; // events before those
  #sent: Told<V> | null = null; // everything that was sent together, without its beginning
  #deals = 0; // begun by events that were forgotten since
  last = $state.raw<Event | null>(null); // the event being shown
  legal = $state.raw<Choice[]>([]);
  moving = $state(false);
  flights = $state.raw<(Flight & { key: number })[]>([]);
  arrived = $state(0); // counts the positions at which the table came to rest
  resting = $state(false); // a deal is over, and the next one waits for the player
  change = $state.raw<HandChange | null>(null); // in the player's hand, by the event being shown
  pauses: () => boolean = () => false; // whether someone plays here who wants to read the result of a deal
  newcomer: () => boolean = () => false; // whether it is their first game of this kind

  #scene = $state.raw<AnyScene | null>(null); // nothing is shown before the scene is there
  #queue: Told<V>[] = [];
  #now: { told: Told<V>; shown: number } | null = null; // the news being shown, and how many of its events were
  #wake: (() => void) | null = null;
  #hurried = false;
  #rested = 0; // since when it rests
  #flown = 0;

  get scene(): AnyScene {
    return this.#scene ?? {};
  }

  set scene(scene: AnyScene) {
    this.#scene = scene;
    if (this.#queue.length && !this.moving) void this.#run();
  }

  /** Whether events are hurried past. */
  get hurried(): boolean {
    return this.#hurried;
  }

  /** News: shown after everything that came before. */
  feed(told: Told<V>) {
    if (told.whole || this.view === null) {
      this.#queue = [];
      this.#stop();
      if (told.whole) [this.events, this.forgotten, this.#deals] = [[], 0, 0];
      this.#sent = told.whole && told.earlier ? told : null;
      this.#keep(told.events);
      this.last = this.events.at(-1) ?? null;
      this.#arrive(told);
      return;
    }
    this.#queue.push(told);
    this.legal = [];
    if (this.#scene && !this.moving) void this.#run();
    if (document.hidden) this.hurry();
  }

  /** How many deals had begun before the events that are still here. */
  get dealsBefore(): number {
    void this.events;
    const { events = [], view = null } = this.#sent ?? {};
    const begunIn = events.filter((event) => beginsDeal(event, this.scene)).length;
    return this.#deals + Math.max(0, (begun(view) ?? begunIn) - begunIn);
  }

  /** Some of the events, numbered from the beginning of the sitting. */
  told(wanted: (event: Event) => boolean): { event: Event; number: number }[] {
    return this.events.flatMap((event, at) => (wanted(event) ? [{ event, number: this.forgotten + at }] : []));
  }

  /** Whether play rests before every deal that others begin: in the first game of a kind that runs by itself. */
  get gently(): boolean {
    return this.scene.gentle === true && this.pauses() && this.newcomer();
  }

  /** Show everything that waits at once, as far as the end of a deal. */
  hurry() {
    if (!this.moving || (this.resting && !device.settings.goesOn)) return;
    this.#hurried = true;
    this.#wake?.();
  }

  /** Begin the next deal; `unseen` by a key that may have been pressed before the result was there. */
  goOn(unseen = false) {
    if (this.resting && !(unseen && performance.now() - this.#rested < SEEN)) this.#wake?.();
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
      while (now.shown < told.events.length && (!this.#hurried || this.#restAhead(now))) {
        const event = told.events[now.shown]!;
        if (this.#begins(event, this.last)) await this.#rest();
        if (this.#now !== now) return; // left meanwhile
        now.shown += 1;
        this.#keep([event]);
        await this.#show(event, told.events.length);
        if (this.#now !== now) return;
      }
      // events that were hurried past are not shown: the table stands as the news says
      this.#keep(told.events.slice(now.shown));
      this.last = told.events.at(-1) ?? this.last;
      this.#arrive(told);
      if (this.scene.skipsOne) this.#hurried = false;
    }
    this.#stop();
  }

  /** Whether an event begins another deal, after one with a result to read, or one that a newcomer has to look at. */
  #begins(event: Event, before: Event | null | undefined): boolean {
    const closing: string[] = this.scene.closing ?? [];
    if (this.gently && beginsDeal(event, this.scene)) return event.entry[1] !== this.view?.seat;
    return event.entry[0] === "deal" && closing.includes(before?.entry[0] as string) && this.pauses();
  }

  #restAhead({ told, shown }: { told: Told<V>; shown: number }): boolean {
    return told.events.some(
      (event, at) => at >= shown && this.#begins(event, at > shown ? told.events[at - 1] : this.last),
    );
  }

  /** Rest on the result of a deal until the player goes on; or for a while, where play goes on by itself. */
  async #rest() {
    if (this.#hurried && device.settings.goesOn) return;
    this.#hurried = false;
    this.resting = true;
    this.#rested = performance.now();
    await this.#pause(device.settings.goesOn ? REST : Infinity);
    this.resting = false;
  }

  #keep(events: Event[]) {
    if (!events.length) return;
    const all = [...this.events, ...events];
    const lost = all.slice(0, -MOST_EVENTS);
    this.forgotten += lost.length;
    this.#deals += lost.filter((event) => beginsDeal(event, this.scene)).length;
    this.events = all.slice(-MOST_EVENTS);
  }

  async #show(event: Event, together: number) {
    const [kind] = event.entry as Entry;
    this.last = event;
    const before = this.view;
    if (before) this.view = after(this.scene, before, event.entry as Entry);
    if (this.#hurried) return;
    const concerns: boolean = before !== null && (this.scene.concerns?.(event.entry, before.seat) ?? false);
    if (concerns) this.change = this.#changed(before!, this.view!);
    const flight = device.still ? null : this.scene.flies?.(event.entry as Entry);
    if (flight) {
      const key = this.#flown++;
      this.flights = [...this.flights, { ...flight, key }];
      setTimeout(() => (this.flights = this.flights.filter((each) => each.key !== key)), 700);
    }
    const heard = this.scene.sounds?.[kind];
    if (heard) sound(heard);
    let beat: number = this.scene.beats?.[kind] ?? this.scene.beat?.(together) ?? 0;
    if (this.#queue.length > MANY) beat /= 8;
    else if (concerns) beat = Math.max(beat, CONCERN, reading(event.says));
    else if (this.scene.reads?.includes(kind)) beat = Math.max(beat, reading(event.says));
    await this.#pause(beat);
    this.change = null;
  }

  /** The cards that came into the player's hand, and those that left it. */
  #changed(before: V, now: V): HandChange {
    const hand = (view: V) => this.scene.hand?.(view) ?? [];
    return { came: less(hand(now), hand(before)), gone: less(hand(before), hand(now)) };
  }

  #arrive(told: Told<V>) {
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
      const wait = milliseconds * SPEED[device.settings.pace];
      const timer = wait < Infinity ? setTimeout(wake, wait) : undefined;
      this.#wake = wake;
    });
  }
}
