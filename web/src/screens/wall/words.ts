// What stands on the wall, by language.

import { catalogue, type Translation } from "../../words/catalogue";
import english, { type Texts } from "./texts/en-GB";

export const wall = catalogue(english, import.meta.glob<Translation<Texts>>(["./texts/*.ts", "!./texts/en-GB.ts"]));
