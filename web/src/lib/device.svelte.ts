// What this device remembers: its name, the seats it has, and how its person likes things.

import { sha256 } from "@noble/hashes/sha2.js";

/** A seat that this device has: its token, and what it needs to come back or to invite. */
export type Kept = {
  table: string;
  game: string;
  token: string;
  begun: number;
  code?: string; // invites others
  entropy?: string; // promised when it sat down, shown when the host starts
  commitment?: string; // what the server promised before anyone sat down
  over?: boolean;
  head?: string; // of the chain, as this device was told at the end
};

export type Settings = {
  theme: "auto" | "light" | "dark";
  type: "usual" | "large";
  motion: "auto" | "less";
  pace: "slow" | "usual" | "quick";
  sound: boolean;
  name: string;
};

const SEATS = "parlour seats 1";
const SETTINGS = "parlour settings 1";
const MOST_KEPT = 60;
const USUAL: Settings = { theme: "auto", type: "usual", motion: "auto", pace: "usual", sound: false, name: "" };

function read<Found>(key: string, otherwise: Found): Found {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? "null") as Found | null) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function write(key: string, value: unknown) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // a device that keeps nothing still plays
  }
}

class Device {
  seats = $state.raw(read<Kept[]>(SEATS, []));
  settings = $state<Settings>({ ...USUAL, ...read<Partial<Settings>>(SETTINGS, {}) });

  constructor() {
    // another tab may have sat down meanwhile
    addEventListener("storage", (event) => {
      if (event.key === SEATS) this.seats = read<Kept[]>(SEATS, []);
      if (event.key === SETTINGS) Object.assign(this.settings, read<Partial<Settings>>(SETTINGS, {}));
    });
    $effect.root(() => {
      $effect(() => write(SETTINGS, $state.snapshot(this.settings)));
      $effect(() => {
        const page = document.documentElement;
        page.dataset["theme"] = this.settings.theme;
        page.dataset["type"] = this.settings.type;
        page.dataset["motion"] = this.settings.motion;
      });
    });
  }

  /** Whether things should stand still. */
  get still(): boolean {
    return this.settings.motion === "less" || matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  seatAt(table: string): Kept | undefined {
    return this.seats.find((seat) => seat.table === table);
  }

  keep(seat: Kept) {
    this.seats = [seat, ...read<Kept[]>(SEATS, []).filter((each) => each.table !== seat.table)].slice(0, MOST_KEPT);
    write(SEATS, this.seats);
  }

  update(table: string, change: Partial<Kept>) {
    this.seats = read<Kept[]>(SEATS, []).map((each) => (each.table === table ? { ...each, ...change } : each));
    write(SEATS, this.seats);
  }

  forget(table: string) {
    this.seats = read<Kept[]>(SEATS, []).filter((each) => each.table !== table);
    write(SEATS, this.seats);
  }
}

export const device = new Device();

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
