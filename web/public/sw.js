// Keeps the page itself, so that it opens without a connection and says so. What tables say is never kept.

const KEPT = "parlour page 1";

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(KEPT)
      .then((cache) => cache.addAll(["/", "/icon.svg"]))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(self.clients.claim());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin) return;
  if (address.pathname.startsWith("/assets/")) event.respondWith(keptFirst(request));
  else if (
    address.pathname === "/" ||
    address.pathname === "/api/games" ||
    /^\/(faces|covers|icon)/.test(address.pathname)
  )
    event.respondWith(askedFirst(request));
});

/** What has another name when it has changed need not be asked for again. */
async function keptFirst(request) {
  const cache = await caches.open(KEPT);
  return (await cache.match(request)) ?? kept(cache, request);
}

async function askedFirst(request) {
  const cache = await caches.open(KEPT);
  try {
    return await kept(cache, request);
  } catch (error) {
    const found = await cache.match(request);
    if (found) return found;
    throw error;
  }
}

async function kept(cache, request) {
  const answer = await fetch(request);
  if (!answer.ok) return answer;
  try {
    await cache.put(request, answer.clone());
    if (new URL(request.url).pathname === "/") await tidy(cache, await answer.clone().text());
  } catch {
    // where there is no room to keep it, it is still shown
  }
  return answer;
}

/** When the page has changed, what only older ones used is dropped. */
async function tidy(cache, page) {
  const current = page.match(/assets\/index-[\w-]+\.js/)?.[0];
  const before = await cache.match("/parlour-version");
  if (!current || (before && (await before.text()) === current)) return;
  for (const request of await cache.keys()) {
    if (new URL(request.url).pathname.startsWith("/assets/")) await cache.delete(request);
  }
  await cache.put("/parlour-version", new Response(current));
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
  const address = new URL(`/#table=${encodeURIComponent(table)}`, location.origin).href;
  const windows = await self.clients.matchAll({ type: "window" });
  const there = windows.find((each) => each.url.includes(`table=${table}`));
  return there ? there.focus() : self.clients.openWindow(address);
}
