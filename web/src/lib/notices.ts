// Being told of one's turn while the page is not in front: by the browser, by push messages, by an address of one's own.

import { device } from "./device.svelte";

/** Whether this browser can show notices. */
export const canShow = () => "Notification" in globalThis;

/** Whether it can be told of something while the page is closed. */
export const canPush = () => canShow() && "serviceWorker" in navigator && "PushManager" in globalThis;

/** Show a notice of the system, if that is wanted and the page is not in front. */
export async function show(title: string, body: string, table: string) {
  if (!document.hidden || !device.settings.notices || !canShow() || Notification.permission !== "granted") return;
  const options = { body, tag: table, icon: "/icon.svg", data: { table } };
  const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
  if (worker) await worker.showNotification(title, options);
  else new Notification(title, options).onclick = () => window.focus();
}

/** A push subscription of this browser with the server's key; another key needs another one. */
export async function subscribe(key: string): Promise<{ endpoint: string; p256dh: string; auth: string }> {
  const { pushManager } = await navigator.serviceWorker.ready;
  const wanted = Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const before = await pushManager.getSubscription();
  const known = before?.options.applicationServerKey;
  const same = known && String(new Uint8Array(known)) === String(wanted);
  if (before && !same) await before.unsubscribe();
  const found = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: wanted });
  const { endpoint = "", keys = {} } = found.toJSON();
  return { endpoint, p256dh: keys["p256dh"] ?? "", auth: keys["auth"] ?? "" };
}
