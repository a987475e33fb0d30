// Keeps the page, and what plays in it where there is no server, so that both go on without a connection. What tables
// say is never kept.

const KEPT = "parlour page 1";
const DONE = "parlour-kept"; // the answer of this name says which version is kept whole
const HOME = new URL("./", self.location);
const WAIT_MILLISECONDS = 1500; // for a server that finds that too much is asked at once

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(KEPT)
      .then((cache) => cache.addAll(["./", "icon.svg"]))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(self.clients.claim());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || !address.href.startsWith(HOME.href)) return;
  const path = address.pathname.slice(HOME.pathname.length);
  if (path.startsWith("assets/") || (path.startsWith("runtime/") && address.search))
    event.respondWith(keptFirst(request));
  else if (
    ["", "index.html", "alone.js", "runtime/runtime.json"].includes(path) ||
    /^(api\/(games|words|lessons)\b|data\/|faces|covers|icon)/.test(path)
  )
    event.respondWith(askedFirst(request));
});

/** The page says in which language it is, once it has come to rest: then all that it may need is kept. */
self.addEventListener("message", (event) => {
  if (event.data?.keep) event.waitUntil(keepAll(event.data.keep).catch(() => undefined));
});

async function keepAll(language) {
  if (self.navigator.connection?.saveData) return; // some megabytes
  const cache = await caches.open(KEPT);
  const said = await fetch("kept.json", { cache: "no-cache" });
  if (!said.ok) return;
  const { files, alone } = await said.json();
  const note = await fetch("runtime/runtime.json", { cache: "no-cache" });
  const runtime = note.ok ? await note.clone().json() : { files: {} };
  const parts = Object.keys(runtime.files).map((name) => `runtime/${name}?${runtime.source}`);
  const answers = alone ? [] : await answersOf(language);
  for (const name of [...files, ...answers, ...parts]) {
    const lasting = name.startsWith("assets/") || name.includes(runtime.source);
    if (!(lasting && (await cache.match(name)))) await fetched(cache, name);
  }
  if (note.ok) await cache.put("runtime/runtime.json", note);
  // what only older pages used is dropped when all of this one is here
  const current = new Set([...files, ...parts].map((name) => new URL(name, HOME).href));
  for (const request of await cache.keys())
    if (/\/assets\/|runtime\/.*\?/.test(request.url) && !current.has(request.url)) await cache.delete(request);
  await cache.put(DONE, new Response(`${runtime.source}`));
}

/** What a server says to everyone alike, as the page asks for it. */
async function answersOf(language) {
  const games = await (await fetch("api/games?brief=1")).json();
  const words = (game) => [`api/words${game}?language=${language}`, `api/words${game}?brief&language=${language}`];
  return [
    "api/games?brief=1",
    words("")[0],
    ...games.flatMap(({ game, lesson }) => [
      ...[`api/games/${game}`, `api/games/${game}?brief`, `faces/${game}.svg`, `covers/${game}.svg`],
      ...(lesson ? [`api/lessons/${game}?words=keys`] : []),
      ...words(`/${game}`),
    ]),
  ];
}

async function fetched(cache, name) {
  for (let tries = 0; tries < 20; tries++) {
    const answer = await fetch(name);
    if (answer.ok) return cache.put(name, answer);
    if (answer.status !== 429) throw new Error(`${name}: ${answer.status}`);
    await new Promise((resolve) => setTimeout(resolve, WAIT_MILLISECONDS));
  }
}

/** What has another name when it has changed need not be asked for again. */
async function keptFirst(request) {
  const cache = await caches.open(KEPT);
  return (await cache.match(request)) ?? kept(cache, request);
}

async function askedFirst(request) {
  const cache = await caches.open(KEPT);
  const before = () => cache.match(request, { ignoreSearch: request.mode === "navigate" });
  try {
    const answer = await kept(cache, request);
    return answer.status < 500 ? answer : ((await before()) ?? answer);
  } catch (error) {
    const found = await before();
    if (found) return found;
    throw error;
  }
}

async function kept(cache, request) {
  const answer = await fetch(request);
  if (!answer.ok) return answer;
  try {
    await cache.put(request, answer.clone());
  } catch {
    // where there is no room to keep it, it is still shown
  }
  return answer;
}

// A push message says that it is somebody's turn. Nothing of it is kept.
self.addEventListener("push", (event) => {
  const { title = "Parlour", text = "", table = "" } = event.data?.json() ?? {};
  event.waitUntil(
    self.registration.showNotification(title, { body: text, tag: table, icon: "/icon.svg", data: { table } }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(goTo(String(event.notification.data?.table ?? "")));
});

/** The table that a notice is about: in a window that shows it, or in another. */
async function goTo(table) {
  const address = new URL(`./#table=${encodeURIComponent(table)}`, HOME).href;
  const windows = await self.clients.matchAll({ type: "window" });
  const there = windows.find((each) => each.url.includes(`table=${table}`));
  return there ? there.focus() : self.clients.openWindow(address);
}
