// A table's line: it connects, comes back by itself, and asks again what was not answered.

import { words } from "../words";
import { hexadecimal } from "./bytes";
import { catalogueHere, catalogueOf, forgetCatalogues } from "./catalogues";
import type { Line } from "./alone";
import { device } from "./device.svelte";
import { alone, isHere } from "./reach";
import { follows, toldBy, type Contradiction, type Told } from "./told";
import { onThisMachine } from "./where.svelte";
import type * as wire from "./wire";
import type { Described, Done, Failed, Following, FromClient, Nudged, Phrase, Stale, ToClient } from "./wire";
import { wordingOf, type Event } from "./wording";

/** What the server says, in words. */
export type News = Omit<wire.News, "events"> & { events: Event[] };
export type Refused = Omit<wire.Refused, "sentence"> & { sentence: string };
export type Advice = Omit<wire.Advice, "reason"> & { reason: string };
export type Answer = Done | Refused | Stale | Following | Advice;
type Asked = Exclude<FromClient, { kind: "hello" } | { kind: "ping" }>;
type Without<Each> = Each extends unknown ? Omit<Each, "id"> : never;

const PROTOCOL = 2;
const WORDY: string[] = ["refused", "failed", "advice", "bye"]; // messages that need the whole catalogue
const PING_MILLISECONDS = 10_000; // of silence, before the server is asked whether it is there
const DOUBT_MILLISECONDS = 2_000; // without an answer to anything else, before that is asked
const PATIENCE_MILLISECONDS = 5_000; // for its answer, before the line is taken for dead
const LATE_MILLISECONDS = 10_000; // for a new line to be answered, and for news that should have come
const LONGEST_NAME = 100;
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 8_000;

export class Connection {
  seat = $state(-1);
  described = $state.raw<Described | null>(null);
  here = $state.raw<number[]>([]);
  away = $state.raw<Record<number, number>>({}); // people who are not connected: since when, as far as is known
  watching = $state(0); // spectators
  ready = $state.raw<number[]>([]); // seats whose people are ready to start
  waitsSince = $state(0); // when it became this turn
  left = $state.raw<{ seconds: number; since: number } | null>(null); // of the one who decides
  trouble = $state(""); // why nothing moves just now
  quiet = $state(false); // nothing has come for a while, though something was asked
  ended = $state(""); // why this device has no place here any more
  head = $state.raw<string | null>(null);
  against = $state.raw<Contradiction | null>(null); // where the server contradicts what it told before
  number: number | undefined; // up to which everything was shown
  lastTold: Told | null; // what the server said of its log last, perhaps on an earlier visit

  #keyed = true; // sentences come by key, as long as their catalogue can be had
  #fetching = false; // the catalogue
  #fetched: Promise<void> = Promise.resolve(); // when what came before it was taken
  #held: ToClient[] = []; // what came before the catalogue
  #socket: Line | null = null;
  #owner = ""; // the address of the server that has the table, where it is another one
  #led = false; // there, since the last welcome
  #open = false; // welcomed
  #overhearing = new Set<(told: Phrase | Nudged) => void>();
  #waiting = new Map<string, { message: string; settle: (answer: Answer) => void }>();
  #expecting: { row: number; resolve: () => void }[] = [];
  #pause = FIRST_PAUSE;
  #key: string | undefined; // of the server
  #closed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pinging = setInterval(() => this.#look(), PING_MILLISECONDS / 2);
  #heard = 0; // when
  #doubt: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly table: string,
    readonly token: string | null,
    readonly hear: (news: News) => void,
  ) {
    const remembered = device.toldOf(table);
    this.lastTold = remembered?.told ?? null;
    this.against = remembered?.against ?? null;
    if (table.length > LONGEST_NAME) this.ended = words.connection.noTable;
    else this.#connect();
    addEventListener("online", this.#hurry);
    addEventListener("offline", this.#offline);
    document.addEventListener("visibilitychange", this.#hurry);
  }

  close() {
    this.#closed = true;
    clearInterval(this.#pinging);
    clearTimeout(this.#timer);
    clearTimeout(this.#doubt);
    removeEventListener("online", this.#hurry);
    removeEventListener("offline", this.#offline);
    document.removeEventListener("visibilitychange", this.#hurry);
    this.#lost();
  }

  /** Whether the table is played in this browser. */
  get #near() {
    return alone !== undefined || isHere(this.table);
  }

  /** Ask for something; what is not answered before the line breaks is asked again, under the same name. */
  ask(asked: Without<Asked>): Promise<Answer> {
    const id = hexadecimal(crypto.getRandomValues(new Uint8Array(12)));
    const message = JSON.stringify({ ...asked, id });
    return new Promise((settle) => {
      this.#waiting.set(id, { message, settle });
      this.#send(message);
      if (this.#open) this.#doubted(DOUBT_MILLISECONDS);
    });
  }

  /** Hear what people say from now on; the function that is returned ends that. */
  overhear(hear: (told: Phrase | Nudged) => void): () => void {
    this.#overhearing.add(hear);
    return () => this.#overhearing.delete(hear);
  }

  /** The notice of a contradiction was read. */
  closeNotice() {
    this.against = null;
    if (this.lastTold) device.keepTold(this.table, { told: this.lastTold });
  }

  /** Until the news has come that follows a row of the table's log. */
  told(row: number): Promise<void> {
    if (this.number !== undefined && this.number > row) return Promise.resolve();
    const news = new Promise<void>((resolve) => this.#expecting.push({ row, resolve }));
    // it should be here already: the server sends it before it says that something is done
    const late = setTimeout(() => this.#open && this.#askForAll(), LATE_MILLISECONDS);
    return news.finally(() => clearTimeout(late));
  }

  #hurry = () => {
    if (document.hidden || this.#closed || this.ended) return;
    if (this.#open) this.#ping();
    else if (this.#timer !== undefined) {
      clearTimeout(this.#timer);
      this.#connect();
    }
  };

  /** The device has no network any more; a server on the device itself can still be reached. */
  #offline = () => {
    if (this.#closed || this.ended) return;
    if (onThisMachine || this.#near) return this.#ping();
    this.trouble = words.connection.offline;
    this.#lost();
  };

  #look() {
    if (this.#doubt === undefined && Date.now() - this.#heard >= PING_MILLISECONDS) this.#ping();
  }

  #ping() {
    if (!this.#open) return;
    this.#send('{"kind":"ping"}');
    this.#sure();
    this.#doubted();
  }

  /** What was said must be answered: after a while the server is asked whether it is there, and a line that stays silent
   * then is dead, whatever the browser thinks. */
  #doubted(milliseconds = PATIENCE_MILLISECONDS) {
    const asks = milliseconds < PATIENCE_MILLISECONDS;
    this.#doubt ??= setTimeout(() => {
      this.quiet = true;
      if (asks && this.#open) this.#ping();
      else this.#lost();
    }, milliseconds);
  }

  #sure() {
    clearTimeout(this.#doubt);
    this.#doubt = undefined;
  }

  /** The line is gone: it is laid again, after a while that grows. */
  #lost() {
    clearTimeout(this.#timer);
    this.#sure();
    this.#open = false;
    const socket = this.#socket;
    this.#socket = null;
    this.#held = [];
    if (socket) {
      // a browser may wait a minute for the other end to say good-bye
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    }
    if (this.#closed || this.ended) return;
    this.trouble ||= words.connection.lost;
    this.#timer = setTimeout(() => this.#connect(), this.#pause * (0.75 + Math.random() / 2));
    this.#pause = Math.min(Math.max(2 * this.#pause, FIRST_PAUSE), LONGEST_PAUSE);
  }

  #connect() {
    this.#timer = undefined;
    const address = this.#owner ? new URL("api/socket", this.#owner) : new URL("/api/socket", location.href);
    this.#owner = ""; // if nobody is there, the first server is asked again
    address.searchParams.set("table", this.table); // by which a proxy can keep a table's people together
    address.protocol = address.protocol.replace("http", "ws");
    if (!this.#near) return this.#use(new WebSocket(address));
    import("./alone").then(
      ({ line }) => this.#closed || this.#use(line()),
      () => this.#lost(),
    );
  }

  #use(socket: Line) {
    this.#socket = socket;
    socket.onopen = () => {
      forgetCatalogues();
      const { number: last, head, signature } = this.lastTold ?? {};
      const whole = last !== this.number; // what was told on an earlier visit is not shown here
      const hello = { kind: "hello", protocol: PROTOCOL, table: this.table, token: this.token };
      socket.send(JSON.stringify({ ...hello, last, head, signature, whole, words: this.#keyed ? "keys" : "" }));
    };
    socket.onmessage = (event) => {
      this.#sure();
      this.quiet = false;
      this.#heard = Date.now();
      this.#held.push(JSON.parse(event.data as string) as ToClient);
      this.#takeHeld();
    };
    const closed = () => {
      if (this.#socket !== socket) return;
      // the reason may be among what is held
      if (this.#fetching) void this.#fetched.then(closed);
      else this.#lost();
    };
    socket.onclose = closed;
    this.#doubted(LATE_MILLISECONDS);
  }

  #send(message: string) {
    if (this.#open && this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(message);
  }

  /** Take what came, in order; where the words of the game are not here yet, they are fetched first. */
  #takeHeld() {
    for (let message = this.#held[0]; message && !this.#fetching; message = this.#held[0]) {
      const game = (message.kind === "welcome" ? message.news.table?.game : undefined) ?? this.described?.game ?? "";
      const news = "news" in message ? message.news : message;
      const whole = !game || WORDY.includes(message.kind) || ("set_back" in news && news.set_back !== "");
      if (this.#keyed && !catalogueHere(game, whole)) {
        this.#fetching = true;
        this.#fetched = catalogueOf(game, whole)
          .then(() => undefined)
          .catch(() => {
            // then in the server's own words
            this.#keyed = false;
            this.#lost();
          })
          .finally(() => {
            this.#fetching = false;
            this.#takeHeld();
          });
        return;
      }
      this.#held.shift();
      this.#take(message);
    }
  }

  /** How sentences are worded at this table, as it is now. */
  get #wording() {
    const { game = "", seats = [], sides = 1, names = {} } = this.described ?? {};
    const called = seats.map((seat) => seat.called);
    return wordingOf(catalogueHere(game), { names: called, me: this.seat, sides, cardNames: names });
  }

  #take(message: ToClient) {
    switch (message.kind) {
      case "welcome":
        this.seat = message.seat;
        this.here = message.here ?? [];
        this.left = message.left == null ? null : { seconds: message.left, since: Date.now() };
        this.trouble = "";
        this.#led = false;
        if (this.number !== undefined || !this.lastTold) this.#pause = FIRST_PAUSE;
        this.#open = true;
        this.#key = message.key ?? undefined;
        this.#news(message.news, "welcome");
        this.#present(this.here, message.away);
        this.#company(message);
        this.waitsSince = Date.now() - 1000 * (message.waited ?? 0);
        for (const { message: asked } of this.#waiting.values()) this.#send(asked);
        break;
      case "news":
        this.#news(message, "news");
        // each position has its full time
        if (message.events?.length) {
          this.left = this.#whole;
          this.waitsSince = Date.now();
        }
        break;
      case "here":
        this.#present(message.here);
        this.#company(message);
        break;
      case "phrase":
      case "nudged":
        for (const hear of this.#overhearing) hear(message);
        break;
      case "bye":
        if (message.owner) {
          this.#owner = message.owner;
          if (!this.#led) this.#pause = 0; // the other server is there
          this.#led = true;
        } else if (message.again) this.trouble = this.#wording.say(message.sentence);
        else this.ended = this.#wording.say(message.sentence);
        break;
      case "pong":
        break;
      case "failed":
        this.#later(message);
        break;
      default: {
        if (message.kind === "stale") {
          this.#news(message.news, "stale");
          this.left = this.#whole;
        }
        const waiting = this.#waiting.get(message.id);
        this.#waiting.delete(message.id);
        waiting?.settle(this.#worded(message));
      }
    }
  }

  /** An answer in words. */
  #worded(answer: Done | wire.Refused | Stale | Following | wire.Advice): Answer {
    if (answer.kind === "refused") return { ...answer, sentence: this.#wording.say(answer.sentence) };
    if (answer.kind !== "advice") return answer;
    return { ...answer, reason: this.#wording.reason(answer.reason, answer.claims) };
  }

  /** Who is here; of the others, since when they are not. */
  #present(here: number[], away: Record<string, number> = {}) {
    const seats = this.described?.seats.keys() ?? [];
    const since = (seat: number) => (seat in away ? Date.now() - 1000 * away[seat]! : (this.away[seat] ?? Date.now()));
    this.here = here;
    this.away = Object.fromEntries(
      [...seats].filter((seat) => !here.includes(seat)).map((seat) => [seat, since(seat)]),
    );
  }

  #company({ watching = 0, ready = [] }: { watching?: number; ready?: number[] }) {
    this.watching = watching;
    this.ready = ready;
  }

  /** It could not be stored just now: the same again, in a moment. */
  #later(failed: Failed) {
    this.trouble = this.#wording.say(failed.sentence);
    const waiting = this.#waiting.get(failed.id);
    if (waiting) setTimeout(() => this.#send(waiting.message), 1000);
  }

  get #whole() {
    const seconds = this.described?.pace.person ?? 0;
    return seconds ? { seconds, since: Date.now() } : null;
  }

  #news(news: wire.News, by: "welcome" | "news" | "stale") {
    const how = follows(this.lastTold, news);
    const first = by === "welcome" || this.number === 0; // of this visit
    if (news.set_back || how === "other" || (how === "back" && first)) this.#contradicted(news);
    else if (how === "known" || (how === "back" && by === "stale")) return;
    else if (how === "gap" || how === "back") return this.#askForAll();
    else if (how === "on") this.#remember(toldBy(news, this.#key));
    if (!news.whole && (how === "other" || news.since !== this.number)) return this.#askForAll();
    this.trouble = "";
    this.number = news.number;
    if (news.table) this.described = news.table;
    if (news.head) this.head = news.head;
    const wording = this.#wording;
    this.hear({ ...news, events: news.events?.map((event) => wording.event(event)) ?? [] });
    for (const each of this.#expecting) if (news.number > each.row) each.resolve();
    this.#expecting = this.#expecting.filter((each) => news.number <= each.row);
  }

  #remember(told: Told) {
    this.lastTold = told;
    device.keepTold(this.table, this.against ? { told, against: this.against } : { told });
  }

  /** The server says something else than it told before: it is believed from now on, and its person is told. */
  #contradicted(news: wire.News) {
    if (news.table) this.described = news.table; // its sentence is worded by the words of its game
    const now = toldBy(news, this.#key);
    if (this.lastTold) this.against ??= { told: this.lastTold, now, said: this.#wording.say(news.set_back ?? "") };
    this.#remember(now);
    // what was asked answers a position that the server does not know any more
    for (const [id, { settle }] of this.#waiting) settle({ kind: "refused", id, sentence: words.connection.askAgain });
    this.#waiting.clear();
    for (const each of this.#expecting) each.resolve();
    this.#expecting = [];
  }

  /** Something is missing: come again, and ask for everything. */
  #askForAll() {
    this.number = undefined;
    this.trouble = words.connection.missed;
    this.#lost();
  }
}
