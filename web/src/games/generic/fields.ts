// What a view holds, field by field: as the game declares it, or as the values themselves show.

import { capital } from "../../words/grammar";
import type { Book, View, ViewField } from "../../lib/wire";

type Kind = ViewField["kind"];
type Each = NonNullable<ViewField["each"]>;
type Shape = { kind: Kind; each: Each };
export type Field = Shape & { name: string; label: string; meaning: string; own: boolean; value: unknown };
type Described = Pick<Book, "card_names" | "fields">;

/** Fields that every view has: the frame of the table shows them. */
const ALWAYS = ["seat", "players", "to_act", "over"];
/** Fields that hold a seat wherever games have them, also where they are not declared. */
const SEATS = ["dealer", "leader"];

/** The fields of a view, in its own order, without those that every view has. */
export function fieldsOf(view: View, book: Described, sides: number): Field[] {
  const declared = new Map(book.fields?.map((field) => [field.name, field]));
  return Object.entries(view).flatMap(([name, value]) => {
    const known = declared.get(name);
    const seat: Shape | null = SEATS.includes(name) ? { kind: "seat", each: "one" } : null;
    const shape = known
      ? { kind: known.kind, each: known.each ?? "one" }
      : (seat ?? guess(value, book, view.players, sides));
    if (ALWAYS.includes(name) || !shape) return [];
    const own = known?.seen_by !== undefined && known.seen_by !== "everyone";
    const label = capital(name.replaceAll("_", " "));
    return [{ ...shape, name, label, meaning: known?.meaning ?? "", own, value }];
  });
}

/** The kind of a value that is not declared; null where it shows nothing. */
export function guess(value: unknown, book: Described, players: number, sides: number): Shape | null {
  const one = single(value, book);
  if (one) return { kind: one, each: "one" };
  const filled = Array.isArray(value) ? value.filter((each) => each !== null) : [];
  if (!Array.isArray(value) || !filled.length) return null;
  const kinds = new Set(filled.map((each) => single(each, book)));
  const kind = kinds.size === 1 ? [...kinds][0] : undefined;
  if (filled.every((each) => isPlay(each, book))) return { kind: "plays", each: "one" };
  if (kind === "number" && value.length === players) return { kind, each: "seats" };
  if (kind === "number" && value.length === sides) return { kind, each: "sides" };
  if (kind === "number") return { kind: "seats", each: "one" };
  if (kind === "card") return filled.length < value.length ? { kind, each: "seats" } : { kind: "cards", each: "one" };
  const nested = filled.every((each) => Array.isArray(each) && each.every((code) => isCard(code, book)));
  if (nested && value.length === players) return { kind: "cards", each: "seats" };
  return kind === "counts" && value.length === players ? { kind, each: "seats" } : null;
}

function single(value: unknown, book: Described): Kind | null {
  if (typeof value === "boolean") return "flag";
  if (typeof value === "number") return "number";
  if (typeof value === "string") return isCard(value, book) ? "card" : "word";
  if (value === null || typeof value !== "object" || Array.isArray(value)) return null;
  const [codes, values] = [Object.keys(value), Object.values(value)];
  if (!codes.every((code) => isCard(code, book))) return null;
  return values.every((each) => typeof each === "number") ? "counts" : values.every(Array.isArray) ? "holders" : null;
}

const isCard = (value: unknown, book: Described) => typeof value === "string" && value in book.card_names;
const isPlay = (value: unknown, book: Described) =>
  Array.isArray(value) && value.length === 2 && typeof value[0] === "number" && isCard(value[1], book);

/** The field that is one's own hand: the first cards that only their owner sees, or what is called a hand. */
export function handOf(fields: Field[]): Field | undefined {
  const cards = fields.filter(({ kind, each }) => each === "one" && (kind === "cards" || kind === "counts"));
  return cards.find((field) => field.own) ?? cards.find(({ name }) => name === "hand") ?? cards.find(isCounts);
}

const isCounts = ({ kind }: Field) => kind === "counts";

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
