// What this device remembers: its name, the seats it has, and how its person likes things.

import { readRemembered, type Remembered } from "./told";

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
  seat?: number; // its number
  head?: string; // of the chain, as this device was told at the end
  next?: string; // the table at which the same people play again
  again?: boolean; // it is such a table, and this person has said that they come along
  muted?: number[]; // seats whose people are not to be heard
};

export type Settings = {
  theme: "auto" | "light" | "dark";
  type: "usual" | "large";
  motion: "auto" | "less";
  pace: "slow" | "usual" | "quick";
  sound: boolean;
  letters: boolean; // whether letters are keys
  goesOn: boolean; // whether the next deal begins by itself
  forced: boolean; // whether the only legal card is played by itself
  notices: boolean; // whether the system shows a notice at one's turn
  phrases: boolean; // whether what others say is shown
  clauses: boolean; // whether the clause behind a sentence is always shown (for museums)
  name: string;
  language: string; // a tag, or nothing for that of the browser
};

/** How a game is played on this device. */
export type Habit = {
  met?: boolean; // played or learnt here before
  eased?: boolean; // knows how it runs: nothing rests for a newcomer any more
  bots?: string; // their level
  options?: Record<string, string | number>; // of those that the room offers
};

const SEATS = "parlour seats 1";
const HABITS = "parlour games 1";
const SETTINGS = "parlour settings 1";
const TOLD = "parlour told 1 "; // and the name of a table, played or watched
const MOST_FINISHED = 60;
const MOST_TOLD = 200; // tables
const CHOICES: Partial<Record<keyof Settings, readonly unknown[]>> = {
  theme: ["auto", "light", "dark"],
  type: ["usual", "large"],
  motion: ["auto", "less"],
  pace: ["slow", "usual", "quick"],
  sound: [true, false],
  letters: [true, false],
  goesOn: [true, false],
  forced: [true, false],
  notices: [true, false],
  phrases: [true, false],
  clauses: [true, false],
};
const USUAL: Settings = {
  theme: "auto",
  type: "usual",
  motion: "auto",
  pace: "usual",
  sound: false,
  letters: true,
  goesOn: false,
  forced: false,
  notices: false,
  phrases: true,
  clauses: false,
  name: "",
  language: "",
};

function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** The seats that are kept, but for what is none; nothing where nothing is kept. */
function readSeats(): Kept[] | null {
  const found = read(SEATS);
  if (!Array.isArray(found)) return null;
  const seats = (found as (Kept | null)[]).filter((each): each is Kept =>
    [each?.table, each?.game, each?.token].every((text) => text && typeof text === "string"),
  );
  return [...new Map(seats.map((each) => [each.table, each])).values()];
}

/** The settings that are kept, where they are such as can be set. */
function readSettings(): Partial<Settings> {
  const found = Object.entries((read(SETTINGS) ?? {}) as object).filter(([name, value]) => {
    const values = CHOICES[name as keyof Settings] as readonly unknown[] | undefined;
    return values ? values.includes(value) : ["name", "language"].includes(name) && typeof value === "string";
  });
  return Object.fromEntries(found) as Partial<Settings>;
}

/** The habits that are kept, without what cannot be one. */
function readHabits(): Record<string, Habit> {
  const found = Object.entries((read(HABITS) ?? {}) as Record<string, Habit | null>).map(([game, habit]) => {
    const { met, eased, bots, options } = habit ?? {};
    const chosen = Object.entries(typeof options === "object" ? (options ?? {}) : {}).filter(([, value]) =>
      ["string", "number"].includes(typeof value),
    );
    return [
      game,
      {
        met: met === true,
        ...(eased === true ? { eased } : {}),
        ...(typeof bots === "string" ? { bots } : {}),
        options: Object.fromEntries(chosen),
      },
    ];
  });
  return Object.fromEntries(found) as Record<string, Habit>;
}

function write(key: string, value: unknown) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // a device that keeps nothing still plays
  }
}

/** Forget what was told of the tables that were longest without news. */
function forgetOld() {
  try {
    const all = Object.keys(localStorage).filter((key) => key.startsWith(TOLD));
    const when = (key: string) => Number((read(key) as { when?: unknown } | null)?.when) || 0;
    if (all.length > MOST_TOLD)
      for (const key of all.toSorted((one, other) => when(one) - when(other)).slice(0, all.length - MOST_TOLD))
        localStorage.removeItem(key);
  } catch {
    // a device that keeps nothing has nothing to forget
  }
}

class Device {
  seats = $state.raw(readSeats() ?? []);
  settings = $state<Settings>({ ...USUAL, ...readSettings() });
  #habits = $state.raw(readHabits());

  constructor() {
    // another tab may have sat down meanwhile
    addEventListener("storage", (event) => {
      if (event.key === SEATS) this.seats = readSeats() ?? [];
      if (event.key === HABITS) this.#habits = readHabits();
      if (event.key === SETTINGS) Object.assign(this.settings, readSettings());
    });
    $effect.root(() => {
      $effect(() => write(SETTINGS, $state.snapshot(this.settings)));
      $effect(() => {
        const page = document.documentElement;
        page.dataset["theme"] = this.settings.theme;
        page.dataset["type"] = this.settings.type;
        page.dataset["motion"] = this.settings.motion;
        page.dataset["clauses"] = this.settings.clauses ? "shown" : "";
      });
    });
  }

  /** Whether things should stand still. */
  get still(): boolean {
    return this.settings.motion === "less" || matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  /** How a game is played here; whoever has sat down at it has met it. */
  habit(game: string): Habit {
    const habit = this.#habits[game] ?? {};
    return habit.met ? habit : { ...habit, met: this.seats.some((seat) => seat.game === game) };
  }

  /** Whether a game is new here: this table is the first at which it is played. */
  newAt(game: string, table: string): boolean {
    return !this.#habits[game]?.eased && !this.seats.some((seat) => seat.game === game && seat.table !== table);
  }

  remember(game: string, habit: Habit) {
    const all = { ...this.#habits, ...readHabits() }; // another tab may have remembered more
    this.#habits = { ...all, [game]: { ...all[game], ...habit } };
    write(HABITS, this.#habits);
  }

  seatAt(table: string): Kept | undefined {
    return this.seats.find((seat) => seat.table === table);
  }

  keep(seat: Kept) {
    const all = [seat, ...this.#others(seat.table)];
    const old = all.filter((each) => each.over).slice(MOST_FINISHED);
    this.#write(all.filter((each) => !old.includes(each)));
  }

  forget(table: string) {
    this.#write(this.#others(table));
    try {
      localStorage.removeItem(TOLD + table);
    } catch {
      // nothing is kept
    }
  }

  /** What this device was told of a table's log. */
  toldOf(table: string): Remembered | null {
    return readRemembered(read(TOLD + table));
  }

  /** Remember what was told of a table's log; another tab may have been told more. */
  keepTold(table: string, remembered: Remembered) {
    const before = this.toldOf(table);
    if (before && !remembered.against && !before.against && before.told.number > remembered.told.number) return;
    write(TOLD + table, { ...remembered, when: Date.now() });
    if (!before) forgetOld();
  }

  /** The seats at other tables: another tab may have changed what is kept; a device that keeps nothing has its own. */
  #others(table: string): Kept[] {
    return (readSeats() ?? this.seats).filter((each) => each.table !== table);
  }

  #write(seats: Kept[]) {
    this.seats = seats;
    write(SEATS, seats);
  }
}

export const device = new Device();
