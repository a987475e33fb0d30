/** A number and what is counted. */
export const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** Several names in one breath. */
export const and = (names: string[]) =>
  names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : (names[0] ?? "");

/** As it stands at the beginning of a sentence. */
export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
