// The texts of the page by language. A part of them is an object of texts, made by a function that is given the grammar
// of its language. English comes with the page; of any other language each part is fetched when it is needed.

import { grammarOf, type Grammar } from "./grammar";

export const ENGLISH = "en-GB";
/** A language for tests and translators: English with accents, longer, in brackets. */
export const PSEUDO = "en-XA";
const FROM_RIGHT = /^(ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)\b/;

type Make<Texts> = (grammar: Grammar) => Texts;
/** A file `texts/<language>.ts`. */
export type Translation<Texts> = { default: Make<Texts> };
type Files<Texts> = Record<string, () => Promise<Translation<Texts>>>;

let language = ENGLISH;
const parts: (() => Promise<void>)[] = []; // each brings its texts into the language
let translated: Promise<unknown> = Promise.resolve();

/** The grammar of the language that is spoken. */
export const grammar: Grammar = grammarOf(ENGLISH);

/** A part of the texts: in English at once, and in the language that is spoken as soon as it is fetched. */
export function catalogue<Texts extends object>(english: Make<Texts>, files: Files<Texts>): Texts {
  const texts = english(grammarOf(ENGLISH));
  const translate = async () => void Object.assign(texts, await textsIn(language, english, files));
  parts.push(translate);
  if (language !== ENGLISH) translated = Promise.all([translated, translate()]);
  return texts;
}

/** A part in a language; in English where the language has no such file, or where it cannot be fetched. */
export async function textsIn<Texts extends object>(
  language: string,
  english: Make<Texts>,
  files: Files<Texts>,
): Promise<Texts> {
  try {
    if (language === PSEUDO) return (await import("./pseudo")).pseudo(english(grammarOf(ENGLISH)));
    const file = await files[`./texts/${language}.ts`]?.();
    if (file) return file.default(grammarOf(language));
  } catch {
    // a page in English is better than none
  }
  return english(grammarOf(ENGLISH));
}

/** The languages of which there are files. */
export function languagesOf(files: Record<string, unknown>): string[] {
  return [ENGLISH, ...Object.keys(files).map((path) => path.replace(/^.*\/|\.ts$/g, ""))];
}

/** The first of the wanted languages that is there, also as it is spoken in another country; otherwise English. */
export function chosen(wanted: readonly string[], there: readonly string[]): string {
  const main = (tag: string) => tag.toLowerCase().split("-")[0];
  for (const tag of wanted) {
    if (tag === PSEUDO) return PSEUDO;
    const found =
      there.find((each) => each.toLowerCase() === tag.toLowerCase()) ?? there.find((each) => main(each) === main(tag));
    if (found) return found;
  }
  return ENGLISH;
}

/** Speak a language from now on. What was shown before stays as it is. */
export function speak(tag: string): Promise<unknown> {
  language = tag;
  Object.assign(grammar, grammarOf(tag === PSEUDO ? ENGLISH : tag));
  document.documentElement.lang = tag;
  document.documentElement.dir = FROM_RIGHT.test(tag) ? "rtl" : "ltr";
  if (tag !== ENGLISH) translated = Promise.all(parts.map((translate) => translate()));
  return translated;
}

/** A module that is fetched, once the texts that came with it are in the language. */
export async function translatedToo<Module>(fetched: Promise<Module>): Promise<Module> {
  const module = await fetched;
  await translated;
  return module;
}

/** The language's own name for itself. */
export const nameOf = (tag: string) => new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;

/** The text for a key that comes from elsewhere, if there is one. */
export const pick = <Text>(texts: Record<string, Text>, key: string): Text | undefined => texts[key];
