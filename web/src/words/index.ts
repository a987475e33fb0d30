// Everything the page says by itself, by language: here what all tables share, in a game's folder what its table says.

import { catalogue, languagesOf, type Translation } from "./catalogue";
import english, { type Texts } from "./texts/en-GB";

const files = import.meta.glob<Translation<Texts>>(["./texts/*.ts", "!./texts/en-GB.ts"]);

export const words = catalogue(english, files);

/** The languages that the page speaks. */
export const languages = languagesOf(files);
