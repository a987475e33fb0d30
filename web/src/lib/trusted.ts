// Trusted Types: the only places where a text becomes markup or a script, each of them checked. The server's policy
// makes browsers refuse all others. Svelte has a policy of its own, for the templates that it compiles.

import { alone } from "./reach";

interface Policy {
  createHTML(text: string): string;
  createScriptURL(address: string): string;
}

interface Factory {
  createPolicy(name: string, rules: Policy): Policy;
}

const WORKER = alone ? "sw.js" : "/sw.js";
const PLAYING = new URL(alone ? "alone.js" : "/alone.js", document.baseURI).href;
const MORE_THAN_DRAWN = /<script|<foreignobject|<iframe|\son\w+\s*=|javascript:/i;

const rules: Policy = {
  createHTML(text) {
    if (MORE_THAN_DRAWN.test(text)) throw new TypeError("This drawing holds more than a drawing.");
    return text;
  },
  createScriptURL(address) {
    if (address !== WORKER && address !== PLAYING && !(alone === "file" && address.startsWith("blob:")))
      throw new TypeError("This is not our own.");
    return address;
  },
};
const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes; // not in every browser
const policy = factory?.createPolicy("parlour", rules) ?? rules;

/** A drawing from the server as a document. */
export const drawing = (text: string): Document =>
  new DOMParser().parseFromString(policy.createHTML(text), "image/svg+xml");

/** The address of the service worker. */
export const serviceWorker = (): string => policy.createScriptURL(WORKER);

/** The address of the Worker that plays where there is no server. */
export const playing = (address: string): string => policy.createScriptURL(address);
