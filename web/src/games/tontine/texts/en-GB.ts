// What the table of Tontine says in English.

import type { Grammar } from "../../../words/grammar";

/** Several people in a row of words; of many, only how many. */
export type People = { names: string[]; you: boolean };

export type Texts = ReturnType<typeof english>;

export default function english({ and, capital, form, number, plural }: Grammar) {
  const counters = (count: number) => plural(count, { one: "counter", other: "counters" });
  const left = (living: number) =>
    living === 0 ? "nobody is left" : `${number(living)} ${form(living, { one: "is", other: "are" })} left`;

  function doing({ names, you }: People, one: string, several: string): string {
    if (names.length === 0) return "";
    if (names.length === 1) return `${names[0]} ${you ? several : one}`;
    return `${names.length === 2 ? and(names) : number(names.length)} ${several}`;
  }

  return {
    deal: ({ number: deal }: { number: number }) => (deal ? `Deal ${number(deal)}` : "Before the first deal"),
    living: "living",
    yours: "yours",
    inBox: "in the box",
    box: ({ count }: { count: number }) => `The box: ${counters(count)}`,
    yourCard: ({ name }: { name: string }) => `Your card: ${name}`,
    noCard: "no card",
    noCardYet: "Your card comes here",
    dead: "dead",
    youDead: "You are dead and have no card",
    won: "outlived the rest",
    dealerSign: "D",
    thisDeal: "In this deal",
    next: "The next player on the left",
    previous: "The next player on the right",
    course: ({
      of,
      first,
      now,
      most,
      least,
    }: {
      of: string;
      first: number;
      now: number;
      most: number;
      least: number;
    }) =>
      `${of}, deal by deal: ${number(first)} at first, ${number(now)} now; ${number(most)} at most, ${number(least)} at least`,

    turn: "Turn up",
    run: "Turn up by itself",
    pause: "Pause",
    runWhy: "Whenever you deal, the cards are turned up for you.",
    speed: "Game speed",
    speeds: { easy: "normal", quick: "fast", once: "instant" },
    youDeal: "You deal: turn up the cards.",
    runsOn: "You deal; the cards are turned up for you.",
    youAreDead: "You are dead; a neighbour may revive you.",
    nextDeals: ({ name, you }: { name: string; you: boolean }) => `${name} ${you ? "deal" : "deals"} next.`,

    turnedUp: ({ count }: { count: number }) => `${plural(count, { one: "card is", other: "cards are" })} turned up.`,
    dies: ({ name, you, living }: { name: string; you: boolean; living: number }) =>
      `${name} ${you ? "die" : "dies"}; ${left(living)}.`,
    lives: ({ name, you, living }: { name: string; you: boolean; living: number }) =>
      `${name} ${you ? "live" : "lives"} again; ${number(living)} are living.`,
    ends: ({ name, count, out }: { name: string; count: number; out: boolean }) =>
      `${out ? "You are out. " : ""}${capital(name)} is the last one living and wins with ${counters(count)}.`,
    outlives: ({ name, you }: { name: string; you: boolean }) => `${name} ${you ? "outlive" : "outlives"} the rest.`,
    /** For whoever listens: what a deal brought, in a line. */
    spoken: ({
      own,
      died,
      revived,
      living,
    }: {
      own: { card: string; gained: number; counters: number } | null;
      died: People;
      revived: People;
      living: number;
    }) => {
      const held = own && counters(own.counters);
      const change =
        own === null
          ? ""
          : own.gained > 0
            ? `you gain ${number(own.gained)} and have ${held}.`
            : own.gained < 0
              ? `you lose ${number(-own.gained)} and have ${held}.`
              : `you still have ${held}.`;
      const fates = [
        died.you && "you die",
        doing({ ...died, you: false }, "dies", "die"),
        revived.you && "you live again",
        doing({ ...revived, you: false }, "lives again", "live again"),
      ].filter(Boolean);
      return [
        own?.card ? `${own.card}: ${change}` : capital(change),
        fates.length ? `${capital(fates.join("; "))}; ${left(living)}.` : "",
      ]
        .filter(Boolean)
        .join(" ");
    },
    byCard: ({ card, says }: { card: string; says: string }) => `${card}: ${says}`,
    nothing: "Nothing to pay or draw.",
    begin: "Begin",
    beginWhy: "Each card pays or draws, as the list of cards says.",
    key: "What each card does",
    summed: ({
      own,
      gained,
      died,
      revived,
      living,
    }: {
      own: string;
      gained: number | null;
      died: People;
      revived: People;
      living: number;
    }) => {
      const all = own ? "In all you" : "You";
      const sum =
        gained === null
          ? ""
          : gained > 0
            ? `${all} gain ${counters(gained)}. `
            : gained < 0
              ? `${all} lose ${counters(-gained)}. `
              : `${all} neither gain nor lose. `;
      const fates =
        [doing(died, "dies", "die"), doing(revived, "lives again", "live again")].filter(Boolean).join("; ") ||
        "nobody dies";
      return `${own && `${own} `}${sum}${capital(fates)}; ${left(living)}.`;
    },
  };
}
