// What is said in a replay, and of the seal of a record, by language.

import { catalogue, type Translation } from "../../words/catalogue";
import english, { type Texts } from "./texts/en-GB";

export const seal = catalogue(english, import.meta.glob<Translation<Texts>>(["./texts/*.ts", "!./texts/en-GB.ts"]));
