// The options of a game as people call them, which of them matter, and their usual values.

import type { Book } from "./wire";

export type Option = Book["options"][number];
export type Options = Record<string, string | number>;
type Offered = { default: string | number; values?: unknown };

/** How many times as many as players the usual number is; 0 where it does not depend on them. */
export function times({ default: usual, values }: Offered): number {
  const found = values ? null : /^(?:(\d+) )?players$/.exec(String(usual));
  return found ? Number(found[1] ?? 1) : 0;
}

/** The usual value for so many players. */
export function usualOf(option: Offered, players: number): string | number {
  return times(option) * players || option.default;
}

/** What people call an option. */
export const called = (option: Option): string => option.label || option.changes;

/** What people call a value of it. */
export function call(option: Option, value: string | number): string {
  const found = option.values?.find((each) => each.name === value);
  return found ? found.label || found.means : String(value);
}

/** Whether an option changes anything beside the values of others. */
export function matters(option: Option, chosen: (name: string) => string | number | undefined): boolean {
  return Object.entries(option.needs ?? {}).every(([name, value]) => chosen(name) === value);
}

/** A text of the edition with what people call options and values, in place of “name: value” and “option name”. */
export function inWords(options: Option[], text: string): string {
  for (const option of options) {
    for (const { name } of option.values ?? [])
      text = text.replace(new RegExp(`\\b${option.name}: ${name}\\b`, "g"), () => `“${call(option, name)}”`);
    text = text.replace(new RegExp(`\\boption ${option.name}\\b`, "g"), () => `option “${called(option)}”`);
  }
  return text;
}
