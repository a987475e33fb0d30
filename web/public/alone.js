// The Worker that plays where there is no server: Python in the browser, with the room of tables in it. It is started by
// src/lib/alone.ts, asked as a server would be, and keeps the rows of its tables in this browser, where that may be.

"use strict";

const LOCK = {
  info: { abi_version: "2025_0", arch: "wasm32", platform: "emscripten_4_0_9", version: "0.29.5", python: "3.13.2" },
  packages: {},
};
const ROWS = "rows";
const OTHER = "This table is open in another window; it goes on here when that one is closed.";
const download = self.fetch.bind(self);
const held = new Set(); // tables that this window has
let here; // the room, in Python
let store = null; // what is kept in this browser
let turn = Promise.resolve(); // what the page says is heard in order

self.onmessage = ({ data: [kind, ...values] }) => {
  if (kind === "start") turn = start(values[0]);
  else turn = turn.then(() => heard[kind](...values)).catch((error) => console.error(error));
};

const heard = {
  async ask(number, method, path, body, token) {
    const table = /^\/api\/tables\/([^/?]+)/.exec(path)?.[1];
    if (table && !(await taken(decodeURIComponent(table))))
      return postMessage(["answer", number, 503, JSON.stringify({ sentence: OTHER }), "application/json"]);
    here.ask(number, method, path, body, token);
  },
  connect(line) {
    here.connect(line);
  },
  async say(line, text) {
    const hello = text.includes('"hello"') ? JSON.parse(text) : {};
    if (hello.kind === "hello" && !(await taken(hello.table))) {
      postMessage(["told", line, JSON.stringify({ kind: "bye", sentence: OTHER, again: true })]);
      return postMessage(["closed", line]);
    }
    here.say(line, text);
  },
  hang_up(line) {
    here.hang_up(line);
  },
};

/** Begin: with the parts themselves, or from where they lie. What does not prove itself runs interpreted. */
async function start({ base, version, parts, proof, interpreted }) {
  const part = async (name) => {
    if (parts) return parts[name];
    const answer = await download(`${base}${name}?${version}`);
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
    return answer;
  };
  const bytes = async (name) => {
    const found = await part(name);
    return found instanceof Response ? new Uint8Array(await found.arrayBuffer()) : found;
  };
  try {
    // all at once
    const wasm = part("pyodide.asm.wasm.packed");
    const [library, archive] = [bytes("library.packed"), bytes("parlour.packed")];
    for (const each of [wasm, library, archive]) each.catch(() => undefined);
    if (!parts) importScripts(`${base}pyodide.js?${version}`, `${base}pyodide.asm.js?${version}`);
    self.fetch = async (address) => {
      const name = String(address.url ?? address);
      if (name.endsWith(".wasm")) return unpacked(await wasm);
      if (name.endsWith("stdlib.zip")) return unpacked((await library).slice(), "application/zip");
      if (name.endsWith("lock.json")) return new Response(JSON.stringify(LOCK));
      throw new TypeError("Nothing else is asked for here.");
    };
    store ??= await opened().catch(() => null);
    const boot = (slowly) => python(slowly, archive, proof);
    let trouble = "";
    if (interpreted) await boot(true);
    else
      await boot(false).catch(async (error) => {
        trouble = String(error.message ?? error).slice(-300);
        await boot(true);
      });
    postMessage(["ready", { compiled: here.is_compiled, trouble }]);
  } catch (error) {
    postMessage(["failed", String(error)]);
    throw error;
  }
}

function unpacked(found, type = "application/wasm") {
  const body = found instanceof Response ? found.clone().body : new Response(found).body;
  const stream = body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream, { headers: { "content-type": type } });
}

/** The files of the package: how long what they are called with their sizes is, that as JSON, and one after another. */
async function unfold(files, archive) {
  const stream = new Response(archive.slice()).body.pipeThrough(new DecompressionStream("gzip"));
  const whole = new Uint8Array(await new Response(stream).arrayBuffer());
  let at = 4 + new DataView(whole.buffer).getUint32(0);
  for (const [name, size] of JSON.parse(new TextDecoder().decode(whole.subarray(4, at)))) {
    files.mkdirTree(`/package/${name.slice(0, name.lastIndexOf("/"))}`);
    files.writeFile(`/package/${name}`, whole.subarray(at, at + size));
    at += size;
  }
}

/** Python with the package, and the room in it. */
async function python(slowly, archive, proof) {
  const env = slowly ? { PARLOUR_INTERPRETED: "1" } : {};
  const python = await loadPyodide({
    indexURL: "https://parlour.invalid/", // nothing is asked for there
    env,
    fullStdLib: false,
  });
  await unfold(python.FS, await archive);
  python.globals.set("proof", slowly ? "" : proof);
  python.globals.set("post", (...told) => postMessage(told));
  python.globals.set("keep", store ? keep : null);
  here = python.runPython(`
import sys
sys.path.insert(0, "/package")
from parlour.site.start import start
start(proof, post, keep)
`);
}

// --- what is kept -----------------------------------------------------------------------------------------------------

function opened() {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open("parlour here 1");
    asked.onupgradeneeded = () =>
      asked.result.createObjectStore(ROWS, { autoIncrement: true }).createIndex("table", "table");
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

/** Keep rows of a table; no text means that it is deleted. */
function keep(number, table, text) {
  try {
    const doing = store.transaction(ROWS, "readwrite");
    const rows = doing.objectStore(ROWS);
    if (text) rows.add({ table, text });
    else
      rows.index("table").openKeyCursor(table).onsuccess = ({ target: { result } }) => {
        if (!result) return;
        rows.delete(result.primaryKey);
        result.continue();
      };
    doing.oncomplete = () => here.kept(number, "");
    doing.onabort = doing.onerror = () => here.kept(number, String(doing.error));
  } catch (error) {
    setTimeout(() => here.kept(number, String(error)));
  }
}

/** Whether a table is this window's: then what was kept of it is brought back. */
async function taken(table) {
  if (held.has(table) || here.knows(table)) return true;
  if (self.navigator.locks && store) {
    const mine = await new Promise((resolve) => {
      const holding = navigator.locks.request(`parlour ${table}`, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        return lock && new Promise(() => undefined); // as long as this window is open
      });
      holding.catch(() => resolve(true));
    });
    if (!mine) return false;
  }
  held.add(table);
  if (store)
    await new Promise((resolve) => {
      const asked = store.transaction(ROWS).objectStore(ROWS).index("table").getAll(table);
      asked.onsuccess = () => {
        if (asked.result.length) here.bring_back(table, asked.result.map(({ text }) => text).join("\n"));
        resolve();
      };
      asked.onerror = () => resolve();
    });
  return true;
}
