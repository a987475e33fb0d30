// What the table of tontine says.

import { capital, plural } from "../../words/grammar";

const left = (living: number) => (living === 0 ? "nobody is left" : living === 1 ? "1 is left" : `${living} are left`);
const counters = (count: number) => plural(count, "counter", "counters");

/** Several people in a row of words; of many, only how many. */
type People = { names: string[]; you: boolean };
function doing({ names, you }: People, one: string, several: string): string {
  if (names.length === 0) return "";
  if (names.length === 1) return `${names[0]} ${you ? several : one}`;
  return names.length === 2 ? `${names[0]} and ${names[1]} ${several}` : `${names.length} ${several}`;
}

export const tontine = {
  deal: (number: number) => (number ? `Deal ${number}` : "Before the first deal"),
  living: "living",
  yours: "yours",
  inBox: "in the box",
  box: (count: number) => `The box: ${counters(count)}`,
  yourCard: (name: string) => `Your card: ${name}`,
  noCard: "no card",
  noCardYet: "Your card comes here",
  dead: "dead",
  youDead: "You are dead and have no card",
  won: "outlived the rest",
  dealerSign: "D",
  thisDeal: "In this deal",
  next: "The next at the left",
  previous: "The next at the right",
  course: (of: string, first: number, now: number, most: number, least: number) =>
    `${of}, deal by deal: ${first} at first, ${now} now; ${most} at most, ${least} at least`,

  turn: "Turn up",
  run: "Let it run",
  hold: "Hold",
  runWhy: "Whenever you deal, the cards are turned up for you.",
  speed: "Speed",
  speeds: { easy: "easy", quick: "quick", once: "at once" },
  youDeal: "You deal: turn up the cards.",
  runsOn: "You deal; it runs on.",
  youAreDead: "You are dead; a neighbour may revive you.",
  nextDeals: (name: string) => `${name} deals next.`,

  turnedUp: (count: number) => `${count} cards are turned up.`,
  dies: (name: string, you: boolean, living: number) => `${name} ${you ? "die" : "dies"}; ${left(living)}.`,
  lives: (name: string, you: boolean, living: number) =>
    `${name} ${you ? "live" : "lives"} again; ${living} are living.`,
  outlives: (name: string, you: boolean) => `${name} ${you ? "outlive" : "outlives"} the rest.`,
  summed: (gained: number | null, died: People, revived: People, living: number) => {
    const own =
      gained === null
        ? ""
        : gained > 0
          ? `You gain ${counters(gained)}. `
          : gained < 0
            ? `You lose ${counters(-gained)}. `
            : "You neither gain nor lose. ";
    const fates =
      [doing(died, "dies", "die"), doing(revived, "lives again", "live again")].filter(Boolean).join("; ") ||
      "nobody dies";
    return `${own}${capital(fates)}; ${left(living)}.`;
  },
};
