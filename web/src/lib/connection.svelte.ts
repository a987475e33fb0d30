// A table's line: it connects, comes back by itself, and asks again what was not answered.

import { words } from "../words";
import { hexadecimal } from "./device.svelte";
import type {
  Advice, Described, Done, Failed, Following, FromClient, News, Refused, Stale, ToClient,
} from "./wire";

export type Answer = Done | Refused | Stale | Following | Advice;
type Asked = Exclude<FromClient, { kind: "hello" } | { kind: "ping" }>;
type Without<Each> = Each extends unknown ? Omit<Each, "id"> : never;

const PROTOCOL = 1;
const PING_MILLISECONDS = 30_000;
const PATIENCE_MILLISECONDS = 10_000; // before a line that answers nothing is taken for dead
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 8_000;

export class Connection {
  seat = $state(-1);
  described = $state.raw<Described | null>(null);
  here = $state.raw<number[]>([]);
  left = $state.raw<{ seconds: number; since: number } | null>(null); // of the one who decides
  trouble = $state(""); // why nothing moves just now
  ended = $state(""); // why this device has no place here any more
  head = $state.raw<string | null>(null);
  number: number | undefined;

  #socket: WebSocket | null = null;
  #open = false; // welcomed
  #waiting = new Map<string, { message: string; settle: (answer: Answer) => void }>();
  #expecting: { row: number; resolve: () => void }[] = [];
  #pause = FIRST_PAUSE;
  #closed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pinging = setInterval(() => this.#ping(), PING_MILLISECONDS);
  #doubt: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly table: string,
    readonly token: string | null,
    readonly hear: (news: News) => void,
  ) {
    this.#connect();
    addEventListener("online", this.#hurry);
    document.addEventListener("visibilitychange", this.#hurry);
  }

  close() {
    this.#closed = true;
    clearInterval(this.#pinging);
    clearTimeout(this.#timer);
    clearTimeout(this.#doubt);
    removeEventListener("online", this.#hurry);
    document.removeEventListener("visibilitychange", this.#hurry);
    this.#socket?.close();
  }

  /** Ask for something; what is not answered before the line breaks is asked again, under the same name. */
  ask(asked: Without<Asked>): Promise<Answer> {
    const id = hexadecimal(crypto.getRandomValues(new Uint8Array(12)));
    const message = JSON.stringify({ ...asked, id });
    return new Promise((settle) => {
      this.#waiting.set(id, { message, settle });
      this.#send(message);
      this.#doubted();
    });
  }

  /** Until the news has come that follows a row of the table's log. */
  told(row: number): Promise<void> {
    if (this.number !== undefined && this.number > row) return Promise.resolve();
    return new Promise((resolve) => this.#expecting.push({ row, resolve }));
  }

  #hurry = () => {
    if (document.hidden || this.#closed) return;
    if (this.#open) this.#ping();
    else if (this.#timer !== undefined) {
      clearTimeout(this.#timer);
      this.#connect();
    }
  };

  #ping() {
    if (!this.#open) return;
    this.#send('{"kind":"ping"}');
    this.#doubted();
  }

  /** What was said must be answered; a line that stays silent is dead, whatever the browser thinks. */
  #doubted() {
    this.#doubt ??= setTimeout(() => this.#socket?.close(), PATIENCE_MILLISECONDS);
  }

  #connect() {
    this.#timer = undefined;
    const address = new URL("/api/socket", location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = (this.#socket = new WebSocket(address));
    socket.onopen = () => {
      const hello = { kind: "hello", protocol: PROTOCOL, table: this.table, token: this.token, last: this.number };
      socket.send(JSON.stringify(hello));
      this.#doubted();
    };
    socket.onmessage = (event) => {
      clearTimeout(this.#doubt);
      this.#doubt = undefined;
      this.#take(JSON.parse(event.data as string) as ToClient);
    };
    socket.onclose = () => {
      clearTimeout(this.#doubt);
      this.#doubt = undefined;
      this.#open = false;
      if (this.#closed || this.ended) return;
      this.trouble ||= words.connection.lost;
      this.#timer = setTimeout(() => this.#connect(), this.#pause * (0.75 + Math.random() / 2));
      this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
    };
  }

  #send(message: string) {
    if (this.#open && this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(message);
  }

  #take(message: ToClient) {
    switch (message.kind) {
      case "welcome":
        this.seat = message.seat;
        this.here = message.here ?? [];
        this.left = message.left == null ? null : { seconds: message.left, since: Date.now() };
        this.trouble = "";
        this.#pause = FIRST_PAUSE;
        this.#open = true;
        this.#news(message.news);
        for (const { message: asked } of this.#waiting.values()) this.#send(asked);
        break;
      case "news":
        this.left = null;
        this.#news(message);
        break;
      case "here":
        this.here = message.here;
        break;
      case "bye":
        if (message.again) this.trouble = message.sentence;
        else this.ended = message.sentence;
        break;
      case "pong":
        break;
      case "failed":
        this.#later(message);
        break;
      default: {
        if (message.kind === "stale") this.#news(message.news);
        const waiting = this.#waiting.get(message.id);
        this.#waiting.delete(message.id);
        waiting?.settle(message);
      }
    }
  }

  /** It could not be stored just now: the same again, in a moment. */
  #later(failed: Failed) {
    this.trouble = failed.sentence;
    const waiting = this.#waiting.get(failed.id);
    if (waiting) setTimeout(() => this.#send(waiting.message), 1000);
  }

  #news(news: News) {
    this.trouble = "";
    this.number = news.number;
    if (news.table) this.described = news.table;
    if (news.head) this.head = news.head;
    this.hear(news);
    for (const each of this.#expecting) if (news.number > each.row) each.resolve();
    this.#expecting = this.#expecting.filter((each) => news.number <= each.row);
  }
}
