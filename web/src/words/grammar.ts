/** A number and what is counted. */
export const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

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
