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

const MARK = "\u2063"; // stands around a label

/** A text of the edition in parts: as it is, then what people call an option or value in place of its name, and so on. */
export function inWords(options: Option[], text: string): string[] {
  for (const option of options) {
    const mark = (name: string, label: string, before = "") =>
      (text = text.replace(new RegExp(`\\b${before}${name}\\b`, "g"), () => before + MARK + label + MARK));
    for (const { name } of option.values ?? []) mark(`${option.name}: ${name}`, call(option, name));
    mark(option.name, called(option), "option ");
  }
  return text.split(MARK);
}
