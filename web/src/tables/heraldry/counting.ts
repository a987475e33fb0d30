// Reading what is printed on the cards, to show sums. What may be taken is never reckoned here: the steps say it.

/** What a card counts (HER-2): its number, and ten where it bears none. */
export function worth(code: string): number {
  return Number(code.slice(1)) || 10;
}

/** The count of a deal, and the score after it. */
export type Count = { scores: { seat: number; points: number; clause: string }[]; totals: number[] };

/** Cards that make up a value together; where they are `alone`, each does so by itself. */
export type Group = { cards: string[]; sum: number; whole: boolean; alone: boolean };

/** Cards in the order in which they were picked, gathered into groups that each make up a value; those alone first. */
export function gathered(cards: string[], value: number): Group[] {
  const alone = cards.filter((code) => worth(code) === value);
  const groups: Group[] = alone.length ? [{ cards: alone, sum: value, whole: true, alone: true }] : [];
  for (const code of cards.filter((each) => !alone.includes(each))) {
    let group = groups.at(-1);
    if (!group || group.whole) groups.push((group = { cards: [], sum: 0, whole: false, alone: false }));
    group.cards.push(code);
    group.sum += worth(code);
    group.whole = group.sum >= value;
  }
  return groups;
}
