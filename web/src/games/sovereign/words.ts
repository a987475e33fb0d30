// What the table of Change for a Sovereign says, by language.

import { catalogue, type Translation } from "../../words/catalogue";
import english, { type Texts } from "./texts/en-GB";

export const sovereign = catalogue(
  english,
  import.meta.glob<Translation<Texts>>(["./texts/*.ts", "!./texts/en-GB.ts"]),
);
