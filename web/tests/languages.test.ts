// Which language is spoken, and that every language has every text.

import { describe, expect, test } from "vitest";
import english, { type Texts } from "../src/games/generic/texts/en-GB";
import { chosen, ENGLISH, languagesOf, PSEUDO, textsIn, type Translation } from "../src/words/catalogue";
import { grammarOf, type Grammar } from "../src/words/grammar";
import { pseudo } from "../src/words/pseudo";

type Make = (grammar: Grammar) => object;
const files = import.meta.glob<{ default: Make }>("../src/{words,games/*,screens/*}/texts/*.ts", { eager: true });
const folders = [...new Set(Object.keys(files).map((path) => path.replace(/[^/]*$/, "")))];

/** What a tree of texts has: the path of each text, and whether it takes values. */
function keysOf(texts: object, before = ""): string[] {
  return Object.entries(texts).flatMap(([key, text]: [string, unknown]) =>
    typeof text === "object" && text !== null ? keysOf(text, `${before}${key}.`) : [`${before}${key}: ${typeof text}`],
  );
}

describe("the language", () => {
  test("is the first wanted one that is there", () => {
    expect(chosen(["fr", "de", "en"], [ENGLISH, "de"])).toBe("de");
    expect(chosen(["en-US", "de"], [ENGLISH, "de"])).toBe(ENGLISH);
    expect(chosen(["pt-br"], [ENGLISH, "pt", "pt-BR"])).toBe("pt-BR");
    expect(chosen(["de-AT"], [ENGLISH, "de"])).toBe("de");
    expect(chosen([PSEUDO], [ENGLISH])).toBe(PSEUDO);
  });

  test("is English where none of them is", () => {
    expect(chosen(["fr", "x", ""], [ENGLISH, "de"])).toBe(ENGLISH);
    expect(chosen([], [ENGLISH])).toBe(ENGLISH);
    expect(languagesOf({ "./texts/de.ts": null, "./texts/pt-BR.ts": null })).toEqual([ENGLISH, "de", "pt-BR"]);
  });
});

describe("texts", () => {
  const german = ({ number }: Grammar): Texts => ({
    facts: "Stand",
    played: ({ name, card }) => `${name}: ${card}`,
    more: ({ label, count }) => `${label}: ${number(count)}`,
    none: "keine",
    flags: { true: "ja", false: "nein" },
    nothing: "Auf dem Tisch liegt keine Karte.",
  });

  test("are those of the language, with its grammar", async () => {
    const texts = await textsIn("de", english, { "./texts/de.ts": async () => ({ default: german }) });
    expect([texts.facts, texts.more({ label: "Marken", count: 1234 })]).toEqual(["Stand", "Marken: 1.234"]);
  });

  test("are English where the language has no file, or where it cannot be fetched", async () => {
    const lost = (): Promise<Translation<Texts>> => Promise.reject(new TypeError("no connection"));
    expect((await textsIn("de", english, {})).facts).toBe("How it stands");
    const texts = await textsIn("de", english, { "./texts/de.ts": lost });
    expect(texts.more({ label: "Counters", count: 1234 })).toBe("Counters: 1,234");
  });

  test("that are missing or superfluous do not compile", () => {
    // @ts-expect-error -- flags has no `false`
    const missing = (): Texts => ({ ...german(grammarOf("de")), flags: { true: "ja" } });
    // @ts-expect-error -- there is no `maybe`
    const more = (): Texts => ({ ...german(grammarOf("de")), flags: { true: "ja", false: "nein", maybe: "" } });
    expect([missing, more].map((each) => typeof each)).toEqual(["function", "function"]);
  });

  test.each(folders)("in %s are the same in every language", (folder) => {
    const trees = Object.entries(files).filter(([path]) => path.startsWith(folder));
    const wanted = keysOf(files[`${folder}${ENGLISH}.ts`]!.default(grammarOf(ENGLISH))).sort();
    for (const [path, { default: make }] of trees)
      expect(keysOf(make(grammarOf(path.replace(/^.*\/|\.ts$/g, "")))).sort(), path).toEqual(wanted);
  });
});

test("the pseudo-language has accents, is a third longer, and leaves values as they are", () => {
  const texts = pseudo(english(grammarOf(ENGLISH)));
  expect(texts.nothing).toMatch(/^\[[^A-Za-z]+\]$/);
  expect(texts.nothing.length).toBeGreaterThan(1.3 * "No card lies on the table.".length);
  expect(texts.played({ name: texts.none, card: "Ace" })).toBe(`${texts.none}: Ace`);
  const { company } = pseudo({ company: ({ names }: { names: string[] }) => `with ${grammarOf(ENGLISH).and(names)}` });
  expect(company({ names: ["Ada", "Ben"] })).toBe("[ŵîţĥ Ada åñð Ben éîö]");
  expect(texts.flags.true).toMatch(/^\[ýéš/);
});
