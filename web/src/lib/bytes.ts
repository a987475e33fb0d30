// Random bytes, and bytes as text.

import { sha256 } from "@noble/hashes/sha2.js";

function random(size: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(size));
}

export function hexadecimal(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A secret of this device's own making: asked for again, it has one effect. */
export function secret(): string {
  return btoa(String.fromCharCode(...random(24)))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}

/** Entropy for the deal, and the promise of it that all may see before. */
export function promised(): { entropy: string; promise: string } {
  const entropy = random(32);
  const label = new TextEncoder().encode("parlour entropy 1\0");
  return { entropy: hexadecimal(entropy), promise: hexadecimal(sha256(new Uint8Array([...label, ...entropy]))) };
}
