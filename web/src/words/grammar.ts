// Numbers, plurals and lists as the language of the page writes them.

export const LANGUAGE = "en-GB";

const rules = new Intl.PluralRules(LANGUAGE);
const places = [0, 1, 2].map(
  (digits) => new Intl.NumberFormat(LANGUAGE, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
);
const shares = new Intl.NumberFormat(LANGUAGE, { style: "percent" });
const ordinals = new Intl.PluralRules(LANGUAGE, { type: "ordinal" });
const ENDINGS: Record<string, string> = { one: "st", two: "nd", few: "rd", other: "th" };

/** A number with so many digits behind the point, and a true minus. */
export const number = (value: number, digits: 0 | 1 | 2 = 0) => places[digits]!.format(value).replace("-", "−");

/** A share of one. */
export const percent = (share: number) => shares.format(share);

/** A number and what is counted. */
export const plural = (count: number, one: string, many: string) =>
  `${number(count)} ${rules.select(count) === "one" ? one : many}`;

/** A place: 1st, 2nd, 3rd … */
export const ordinal = (place: number) => `${place}${ENDINGS[ordinals.select(place)]}`;

/** Several names in one breath. */
export const and = (names: string[]) => listed(names, "and");

/** Things in a row, with a word before the last; semicolons keep things apart that have commas. */
export function listed(things: string[], word: string): string {
  const between = things.length > 2 && things.some((thing) => thing.includes(", ")) ? ";" : ",";
  if (things.length < 2) return things[0] ?? "";
  return `${things.slice(0, -1).join(`${between} `)}${between === ";" ? ";" : ""} ${word} ${things.at(-1)}`;
}

/** As it stands at the beginning of a sentence. */
export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A number stays on the line of its "No.". */
export const unbroken = (text: string) => text.replaceAll("No. ", "No.\u00a0");
