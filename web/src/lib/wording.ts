// Words what the server says by key: the pattern from the catalogue, with the names of this table. The syntax of patterns
// is told in src/parlour/engine/messages.py, and a test compares what the two make of them.

import { grammar as page } from "../words/catalogue";
import type { ClaimLine, Event as Told, Said } from "./wire";

export type Sentence = string | Said;
export type Event = Omit<Told, "says"> & { says: string };
type Values = Record<string, unknown>;
type Texts = Record<string, string>;

export type Catalogue = {
  grammar: {
    you: string;
    nothing: string;
    conjunctions: [string, string];
    thousands: string;
    numbers: string[];
    plurals: string[];
    reason: [string, string, string];
  };
  says?: Texts; // these two are missing in brief
  claims?: Texts;
  events: Texts;
  fields: Record<string, string[]>;
  words: Texts;
  forms: Record<string, Texts>;
  names: Texts;
  cards: Texts;
};

/** What a sentence takes from its table: the names of the seats, which of them is "you", and the names of cards. */
export type Company = { names: string[]; me: number; sides: number; cardNames: Texts };
const NOBODY: Company = { names: [], me: -1, sides: 0, cardNames: {} };
const NOTHING = { grammar: { conjunctions: [] }, events: {}, fields: {} } as unknown as Catalogue;

type Slot = { name: string; spec: string[]; type: string; forms: string[] };
const SLOT = /\{([^{}|:]*):?([^{}|]*)((?:\|[^{}|]*)*)\}|[^\s{}|.,;:!?“”()…–—]+(?:\|[^\s{}|.,;:!?“”()…–—]+)+/gu;
const PERSONS = ["seat", "side", "place"];
const TYPES = [...PERSONS, "card", "cards", "step", "scores", "text", "number", "word"];
const STYLES = ["and", "or", "any", "list"];

function slot([all, name = "", spec = "", forms = all]: RegExpMatchArray): Slot {
  const words = spec.split(" ");
  const type = [...words, name].find((word) => TYPES.includes(word)) ?? "";
  return { name, spec: words, type, forms: forms.split("|").slice(name ? 1 : 0) };
}

/** Whether a number passes a test such as “n%10=2..4 n%100!=12..14”. */
const passes = (number: number, test: string) =>
  [...test.matchAll(/n%?(\d*)(!?=)(\S+)/g)].every(([, modulus, relation, ranges]) => {
    const left = modulus ? number % +modulus : number;
    const within = ranges!.split(",").some((range) => {
      const [low, high = low] = range.split("..");
      return +low! <= left && left <= +high!;
    });
    return within === (relation === "=");
  });

/** How sentences are worded at a table. Without a catalogue, those that are in words already are said as they are. */
export function wordingOf(catalogue: Catalogue | undefined, company: Company = NOBODY) {
  const { grammar, says, claims, events, fields, words, forms: cardForms, names, cards } = catalogue ?? NOTHING;
  const { you, nothing, conjunctions, thousands, numbers, plurals, reason: signs } = grammar;
  const { names: seats, me, sides, cardNames } = company;
  const [and, or] = conjunctions;

  const seatName = (seat: number) => (seat === me ? you : (seats[seat] ?? `${seat}`));
  const sideName = (side: number) =>
    seats.flatMap((_, seat) => (seat % (sides || seats.length) === side ? seatName(seat) : [])).join(` ${and} `) ||
    `${side}`;

  function cardName(code: string): string | undefined {
    const name = cardNames[code] ?? cards[code];
    return name && (names[name] ?? name);
  }

  function numeral(value: number, { spec }: Slot): string {
    const digits = `${Math.abs(value)}`.replace(/\B(?=(\d{3})+$)/g, thousands);
    return (spec.includes("words") && numbers[value]) || (value < 0 ? `−${digits}` : digits);
  }

  function joined(items: string[], style: string | undefined): string {
    const word = style === "or" || style === "any" ? or : and;
    if (!items.length) return nothing;
    if (style === "any") return items.join(` ${word} `);
    if (style === "list" || items.length < 2) return items.join(", ");
    const apart = !style && items.length > 2 && items.some((item) => item.includes(", ")) ? ";" : "";
    return `${items.slice(0, -1).join(`${apart || ","} `)}${apart} ${word} ${items.at(-1)}`;
  }

  function said(now: Slot, value: unknown): string {
    const { type, spec } = now;
    if (value == null) return nothing;
    if (type === "text") return `${value as string}`;
    if (Array.isArray(value))
      return type === "scores"
        ? value.map((score, side) => `${sideName(side)} ${numeral(score as number, now)}`).join(", ")
        : joined(
            value.map((item) => said(now, item)),
            spec.find((word) => STYLES.includes(word)),
          );
    if (typeof value === "number")
      return type === "side" ? sideName(value) : PERSONS.includes(type) ? seatName(value) : numeral(value, now);
    const word = value as string;
    if (type === "step") return word.replace(/\S+/g, (each) => cardName(each) ?? words[each] ?? names[each] ?? each);
    if (!type.startsWith("card")) return words[word] ?? names[word] ?? word;
    const forms = spec.map((form) => cardForms[form]).find(Boolean) ?? {};
    return (forms[word] ?? forms[""] ?? "#").replaceAll("#", () => cardName(word) ?? word);
  }

  /** The form for you, for one other, or for several. */
  const personal = (forms: string[], name: string) =>
    forms[name === you ? 0 : !name.includes(` ${and} `) ? 1 : forms.length > 2 ? 2 : 0]!;

  function plural(forms: string[], value: number): string {
    const at = plurals.findIndex((test) => passes(Math.abs(value), test));
    return forms[Math.min(at < 0 ? plurals.length : at, forms.length - 1)]!;
  }

  function filled(pattern = "", values: Values = {}): string {
    const slots = [...pattern.matchAll(SLOT)].map(slot);
    const subject = slots.find(({ type }) => PERSONS.includes(type));
    return pattern.replace(SLOT, () => {
      const now = slots.shift()!;
      const { name, type, forms } = now;
      if (!name) return personal(forms, subject ? said(subject, values[subject.name]) : "");
      const value = values[name];
      if (!forms.length) return said(now, value);
      const count = Array.isArray(value) ? value.length : value;
      const about = said(now, count);
      const form = PERSONS.includes(type) ? personal(forms, about) : plural(forms, count as number);
      return form.replaceAll("#", () => about);
    });
  }

  /** A sentence begins with a capital letter, unless a person's own word stands first. */
  const sentence = (pattern: string | undefined, values?: Values) =>
    (/^\{\w+:text\}/.test(pattern ?? "") ? String : page.capital)(filled(pattern, values));

  const say = (what: Sentence): string =>
    typeof what === "string" ? what : says?.[what.key] === undefined ? what.key : sentence(says[what.key], what.values);

  return {
    /** A sentence of the server: in words already, or by key. */
    say,

    event(told: Told): Event {
      const { entry, says } = told;
      if (typeof says === "string") return told as Event;
      const values: Values = { ...says.values };
      fields[entry[0] as string]?.forEach((name, at) => (values[name] ??= entry[at + 1]));
      return { ...told, says: sentence(events[says.key], values) };
    },

    /** The reason of a hint: what to do, and what speaks for it. */
    reason(reason: Sentence, parts: ClaimLine[] | null | undefined): string {
      if (reason || !parts?.length) return say(reason);
      const [first, ...points] = parts.map(({ key, values }) => filled(claims?.[key], values));
      const [because, also, stop] = signs;
      return page.capital(first + (points.length ? because + points.join(also) : "") + stop);
    },
  };
}
