// What a view holds, field by field, as the game declares it.

import { grammar } from "../../words/catalogue";
import type { Book, View, ViewField } from "../../lib/wire";

type Kind = ViewField["kind"];
export type Field = ViewField & { label: string; own: boolean; value: unknown };

/** Fields that every view has: the frame of the table shows them. */
const ALWAYS = ["seat", "players", "to_act", "over"];

/** The fields of a view with their values, in the order of their declaration, without those that every view has. */
export function fieldsOf(view: View, { fields }: Pick<Book, "fields">): Field[] {
  return fields
    .filter(({ name }) => !ALWAYS.includes(name) && name in view) // a replay remembers nothing
    .map((field) => ({
      ...field,
      label: grammar.capital(field.name.replaceAll("_", " ")),
      own: field.seen_by !== "everyone",
      value: view[field.name],
    }));
}

/** The field that is one's own hand: the first cards that only their owner sees. */
export function handOf(fields: Field[]): Field | undefined {
  return fields.find(({ kind, each, own }) => own && each === "one" && (kind === "cards" || kind === "counts"));
}

/** The cards of a value, of any kind that has some. */
export function cardsIn(kind: Kind, value: unknown): string[] {
  if (kind === "card") return value === null ? [] : [value as string];
  if (kind === "cards") return value as string[];
  if (kind === "plays") return (value as [number, string][]).map(([, code]) => code);
  if (kind !== "counts") return [];
  return Object.entries(value as Record<string, number>).flatMap(([code, count]) => Array<string>(count).fill(code));
}

/** The value of a field for one seat, or for its side. */
export function valueFor({ each, value }: Field, seat: number, side: number): unknown {
  return each === "one" ? value : (value as unknown[])[each === "seats" ? seat : side];
}
