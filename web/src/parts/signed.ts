// Where a sentence names cards.

export type Part = { text: string; code?: string };

/** A sentence in parts: each ends with the name of a card, whose code is given, but for the rest behind the last. */
export function inParts(says: string, cards: [name: string, code: string][]): Part[] {
  const longestFirst = cards.toSorted(([one], [other]) => other.length - one.length);
  const parts: Part[] = [];
  let from = 0;
  for (let at = 0; at < says.length; at++) {
    if (at > 0 && /[\p{L}\p{N}]/u.test(says[at - 1]!)) continue; // within a word
    const found = longestFirst.find(
      ([name]) => says.startsWith(name, at) && !/[\p{L}\p{N}]/u.test(says[at + name.length] ?? ""),
    );
    if (!found) continue;
    const [name, code] = found;
    parts.push({ text: says.slice(from, at + name.length), code });
    from = at + name.length;
    at = from - 1;
  }
  return from < says.length ? [...parts, { text: says.slice(from) }] : parts;
}
