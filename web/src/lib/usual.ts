// The usual value of an option, which may depend on how many play.

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
