// What is said where the server contradicts what it told before, by language.

import { catalogue, type Translation } from "../../words/catalogue";
import english, { type Texts } from "./texts/en-GB";

export const told = catalogue(english, import.meta.glob<Translation<Texts>>(["./texts/*.ts", "!./texts/en-GB.ts"]));
