// What a puzzle says, by language.

import { catalogue, type Translation } from "../../words/catalogue";
import english, { type Texts } from "./texts/en-GB";

export const said = catalogue(english, import.meta.glob<Translation<Texts>>(["./texts/*.ts", "!./texts/en-GB.ts"]));
