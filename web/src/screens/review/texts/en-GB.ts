// What a review says, in English.

import type { Grammar } from "../../../words/grammar";

export type Texts = ReturnType<typeof english>;

const MISTAKES = { one: "mistake", other: "mistakes" };
const CHOICES = { one: "choice", other: "choices" };

export default function english({ number, percent, plural }: Grammar) {
  const signed = (value: number, digits: number) => (value > 0 ? "+" : "") + number(value, digits);
  return {
    title: "Review",
    ask: "Review this game",
    why: "The strongest bot looks at each of your choices. It uses only what this seat could know at the time.",
    seat: "Seat",
    working: ({ done, of }: { done: number; of: number }) => `Reviewing: ${percent(of ? done / of : 0)}`,
    accuracy: ({ share }: { share: number }) => `Accuracy ${percent(share)}`,
    accuracyWhy: "100% is the best step each time, 0% the worst.",
    nothing: "There was nothing to decide in this game.",
    found: ({ choices, mistakes }: { choices: number; mistakes: number }) =>
      `${plural(choices, CHOICES)}, ${mistakes ? plural(mistakes, MISTAKES) : "no mistake"} beyond doubt.`,
    unjudged: ({ count }: { count: number }) => `${plural(count, CHOICES)} could not be judged.`,
    dearest: "Dearest mistakes",
    move: ({ at }: { at: number }) => `Move ${number(at)}`,
    played: "Step taken",
    better: "Better",
    worth: ({ score, within, win, winWithin }: { score: number; within: number; win: number; winWithin: number }) =>
      `${signed(score, 1)} ± ${number(within, 1)} points, ${signed(100 * win, 1)} ± ${number(100 * winWithin, 1)}% chance to win`,
    show: "Show it",
    next: "Next mistake",
    mark: ({ at }: { at: number }) => `Mistake at move ${number(at)}`,
    luck: "Luck and skill",
    luckWhy:
      "What changed the chance to win. The parts add up to the result. Your own choices are measured against simple play by rules of thumb.",
    part: "Part",
    win: "Chance to win",
    score: "Score",
    parts: {
      start: "An equal start",
      luck: "Deals and draws",
      others: "The others' choices",
      own: "This seat's choices",
      result: "Result",
    },
    plot: "The three parts from move to move",
    percentage: ({ share, within }: { share: number; within: number }) =>
      `${signed(100 * share, 0)}${within >= 0.005 ? ` ± ${number(100 * within)}` : ""}%`,
    points: ({ points, within }: { points: number; within: number }) =>
      `${signed(points, 1)}${within >= 0.05 ? ` ± ${number(within, 1)}` : ""}`,
    from: "Play on from here",
    fromWhy: "A new game against bots begins with the moves so far, and the luck stays the same.",
    again: "Deal me that hand again",
  };
}
