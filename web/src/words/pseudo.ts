// The pseudo-language: English with accents, about a third longer, in brackets. A text that has none of these did not
// come from the catalogue, and one that does not fit would not fit in a language with longer words.

const PLAIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ACCENTED = "ÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽåƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýž";
const LONGER = "éîöûåý"; // repeated as often as it takes
// around values while a text is made, such as names, which stay as they are
const [FROM, TO] = ["\ue000", "\ue001"];

function inPseudo(text: string): string {
  let letters = 0;
  const accented = text
    .split(new RegExp(`(${FROM}[^${TO}]*${TO})`))
    .map((part) =>
      part.startsWith(FROM)
        ? part.slice(1, -1)
        : part.replace(/[A-Za-z]/g, (letter) => (letters++, ACCENTED[PLAIN.indexOf(letter)]!)),
    )
    .join("");
  if (letters === 0) return accented;
  const more = LONGER.repeat(1 + letters / 3 / LONGER.length).slice(0, Math.ceil(letters / 3));
  return `[${accented}${letters > 3 ? " " : ""}${more}]`;
}

/** The values of a text, each string marked as one. */
function marked(values: unknown): unknown {
  if (typeof values === "string") return values && `${FROM}${values}${TO}`;
  if (Array.isArray(values)) return values.map(marked);
  if (typeof values !== "object" || values === null) return values;
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, marked(value)]));
}

/** A tree of texts in the pseudo-language. */
export function pseudo<Texts>(texts: Texts): Texts {
  if (typeof texts === "string") return inPseudo(texts) as Texts;
  if (typeof texts === "function") return ((values: unknown) => pseudo(texts(marked(values)) as unknown)) as Texts;
  if (typeof texts !== "object" || texts === null) return texts;
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, pseudo(text)])) as Texts;
}
