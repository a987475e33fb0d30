// What the generic board says in English.

import type { Grammar } from "../../../words/grammar";

export type Texts = ReturnType<typeof english>;

export default function english({ number }: Grammar) {
  return {
    facts: "How it stands",
    played: ({ name, card }: { name: string; card: string }) => `${name}: ${card}`,
    more: ({ label, count }: { label: string; count: number }) => `${label}: ${number(count)}`,
    none: "none",
    flags: { true: "yes", false: "no" },
    nothing: "No card lies on the table.",
  };
}
