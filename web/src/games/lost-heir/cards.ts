// The cards of Lost Heir as a hand is held: suit by suit from high to low, trumps first, the odd cards at the end.

export const SUITS = ["N", "P", "B", "C"];
const ODD = ["LH", "NY", "PH", "WB"];

/** The suit of a card; none for an odd card. */
export function suitOf(code: string): string | null {
  return ODD.includes(code) ? null : code.charAt(0);
}

export function sorted(hand: string[], trump: string | null): string[] {
  const place = (code: string) => {
    const suit = suitOf(code);
    if (suit === null) return 100 + ODD.indexOf(code);
    return (suit === trump ? 0 : 20 * (1 + SUITS.indexOf(suit))) - Number(code.slice(1));
  };
  return [...hand].sort((one, other) => place(one) - place(other));
}
