// What people can say to each other at a table, by language.

import { catalogue, type Translation } from "../../words/catalogue";
import english, { type Texts } from "./texts/en-GB";

export const people = catalogue(english, import.meta.glob<Translation<Texts>>(["./texts/*.ts", "!./texts/en-GB.ts"]));
