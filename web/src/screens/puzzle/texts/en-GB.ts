// What a puzzle says, in English.

import type { Grammar } from "../../../words/grammar";

export type Texts = ReturnType<typeof english>;

export default function english({ number }: Grammar) {
  return {
    title: ({ game }: { game: string }) => `Puzzle: ${game}`,
    asks: "One step is clearly the best here. Which?",
    difficulty: { easy: "Easy", middle: "Middling", hard: "Hard" } as Record<string, string>,
    at: ({ at, of, solved }: { at: number; of: number; solved: boolean }) =>
      `Puzzle ${number(at)} of ${number(of)}${solved ? ", solved" : ""}`,
    wrong: ({ step }: { step: string }) => `Not ${step}: another step is clearly better. Try again.`,
    solved: "Solved.",
    givenUp: "The best step:",
    giveUp: "Show the best step",
    previous: "Previous puzzle",
    next: "Next puzzle",
  };
}
