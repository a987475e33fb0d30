// What this device remembers: the seats it has.

export type Kept = { table: string; game: string; token: string; begun: number };

const KEY = "parlour seats 1";

export function seats(): Kept[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]") as Kept[];
  } catch {
    return [];
  }
}

export function keep(seat: Kept) {
  localStorage.setItem(KEY, JSON.stringify([seat, ...seats().filter((each) => each.table !== seat.table)].slice(0, 50)));
}

export function tokenOf(table: string): string | null {
  return seats().find((each) => each.table === table)?.token ?? null;
}

/** A secret of this device's own making: asked again, it has one effect. */
export function secret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}
