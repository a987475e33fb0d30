// The Worker in which the games are played where there is no server: it is asked as a server would be.

import { words } from "../words";
import { books } from "./books.svelte";
import { alone, covers } from "./reach";
import { playing } from "./trusted";
import type { Book, Lid } from "./wire";

/** What a line to a table is used for of a WebSocket. */
export type Line = Pick<WebSocket, "send" | "close" | "readyState" | "onopen" | "onclose"> & {
  onmessage: ((event: MessageEvent) => void) | null;
};
/** How the games run here. */
export type How = { compiled: boolean; trouble: string };
type Note = { proof: string; source: string; files: Record<string, unknown> };

const FILES = /^\/(api\/(games|words|lessons)\b|faces\/[\w-]+\.svg$|covers\/)/;
const START_MILLISECONDS = 90_000; // for the Worker to be ready: where its policy is too strict, it never says so

let worker: Worker | undefined;
let ready: Promise<How> | undefined;
let count = 0;
const asking = new Map<number, { resolve: (answer: Response) => void; reject: (error: Error) => void }>();
const lines = new Map<number, Here>();

/** The name of the file in which a static edition has an answer. */
const fileOf = (path: string) =>
  `data/${path.slice(1).replace(/[^\w.]+/g, "-")}${path.endsWith(".svg") ? "" : ".json"}`;

/** A file that comes with the page: beside it, or in it. */
async function file(name: string): Promise<Response | null> {
  if (alone !== "file") {
    const answer = await fetch(new URL(name, document.baseURI));
    return answer.ok ? answer : null;
  }
  const text = document.querySelector(`script[data-file="${name}"]`)?.textContent;
  if (!text) return null;
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Response(packed).body!.pipeThrough(new DecompressionStream("gzip")));
}

/** Unpack what a page in one file shows at once. */
export async function unpackCovers() {
  for (const { dataset } of document.querySelectorAll<HTMLElement>('script[data-file^="data/covers-"]')) {
    const name = dataset["file"]!;
    const drawing = await (await file(name))!.text();
    covers.set(/covers-(.*)\.svg/.exec(name)![1]!, URL.createObjectURL(new Blob([drawing], { type: "image/svg+xml" })));
  }
}

/** Start the Worker, if it is not there yet; how the games run in it. */
export function started(): Promise<How> {
  return (ready ??= begin().catch((error: unknown) => {
    ready = undefined;
    throw error;
  }));
}

async function begin(): Promise<How> {
  const folder = alone ? "runtime/" : "/runtime/";
  const note = (await (await file(`${folder}runtime.json`))?.json().catch(() => null)) as Note | null;
  if (!note) throw new Error("There is nothing here to play with.");
  const interpreted = new URLSearchParams(location.search).has("interpreted");
  const told = {
    base: new URL(folder, document.baseURI).href,
    version: note.source,
    proof: note.proof,
    interpreted,
    parts: undefined as unknown,
  };
  const moved: Transferable[] = [];
  let address = new URL(alone ? "alone.js" : "/alone.js", document.baseURI).href;
  if (alone === "file") {
    const parts: Record<string, Uint8Array> = {};
    for (const name of Object.keys(note.files).filter((each) => !each.endsWith(".js"))) {
      parts[name] = new Uint8Array(await (await file(folder + name))!.arrayBuffer());
      moved.push(parts[name]!.buffer);
    }
    const scripts = await Promise.all(
      [`${folder}pyodide.js`, `${folder}pyodide.asm.js`, "alone.js"].map(async (name) => (await file(name))!.text()),
    );
    address = URL.createObjectURL(new Blob([scripts.join("\n;\n")], { type: "text/javascript" }));
    told.parts = parts;
  }
  worker?.terminate();
  const mine = (worker = new Worker(playing(address)));
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error("The games did not start.")), START_MILLISECONDS);
    mine.onerror = () => reject(new Error("The games cannot be started in this browser."));
    mine.onmessage = ({ data: [kind, ...values] }: MessageEvent<[string, ...unknown[]]>) => {
      if (kind === "ready") {
        if (!(values[0] as How).compiled) lighten();
        resolve(values[0] as How);
      } else if (kind === "failed") reject(new Error(String(values[0])));
      else take(kind, values);
      if (kind === "ready" || kind === "failed") clearTimeout(late);
    };
    mine.postMessage(["start", told], moved);
  });
}

function take(kind: string, values: unknown[]) {
  const [number, ...more] = values as [number, ...unknown[]];
  if (kind === "answer") {
    const [status, text, type] = more as [number, string, string];
    const body = status === 204 || status === 304 ? null : text;
    asking.get(number)?.resolve(new Response(body, { status, headers: { "content-type": type } }));
    asking.delete(number);
  } else if (kind === "told") lines.get(number)?.hear(more[0] as string);
  else if (kind === "closed") lines.get(number)?.end();
}

let light = false;
const lighter = <Each extends { levels: string[]; usual_bot: string }>(book: Each): Each => {
  const levels = book.levels.slice(0, 1);
  return { ...book, levels, usual_bot: levels[0] ?? book.usual_bot };
};

/** Offer only bots that think little, and say so. */
function lighten() {
  light = true;
  books.lids = books.lids.map(lighter);
  books.trouble = words.connection.slow;
}

/** The same answer, for games that run slowly. */
async function lightened(path: string, answer: Response): Promise<Response> {
  if (!light || !path.startsWith("/api/games")) return answer;
  const found = (await answer.json()) as Book | Lid[];
  return Response.json(Array.isArray(found) ? found.map(lighter) : lighter(found));
}

/** Ask once. */
export async function reach(path: string, init: RequestInit = {}): Promise<Response> {
  const found = alone && (init.method ?? "GET") === "GET" && FILES.test(path) ? await file(fileOf(path)) : null;
  if (found) return lightened(path, found);
  await started();
  const number = ++count;
  const token = new Headers(init.headers).get("authorization")?.replace("Bearer ", "");
  return new Promise((resolve, reject) => {
    asking.set(number, { resolve, reject });
    worker!.postMessage(["ask", number, init.method ?? "GET", path, init.body ?? undefined, token]);
  });
}

/** A line to a table in the Worker. */
class Here implements Line {
  onopen: Line["onopen"] = null;
  onmessage: Line["onmessage"] = null;
  onclose: Line["onclose"] = null;
  readyState: WebSocket["readyState"] = WebSocket.CONNECTING;
  #number = ++count;

  constructor() {
    lines.set(this.#number, this);
    started().then(
      () => {
        if (this.readyState !== WebSocket.CONNECTING) return;
        worker!.postMessage(["connect", this.#number]);
        this.readyState = WebSocket.OPEN;
        this.onopen?.call(this as never, new Event("open"));
      },
      () => this.end(),
    );
  }

  send(text: string) {
    worker?.postMessage(["say", this.#number, text]);
  }

  close() {
    if (this.readyState === WebSocket.OPEN) worker?.postMessage(["hang_up", this.#number]);
    this.end();
  }

  hear(text: string) {
    this.onmessage?.(new MessageEvent("message", { data: text }));
  }

  end() {
    lines.delete(this.#number);
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSED;
    this.onclose?.call(this as never, new CloseEvent("close"));
  }
}

export const line = (): Line => new Here();
