// What is said of the deals of the day, in English.

import type { Grammar } from "../../../words/grammar";

export type Texts = ReturnType<typeof english>;

const PLACES = { one: "st", two: "nd", few: "rd", other: "th" };

export default function english({ digits, number, ordinal, plural, row }: Grammar) {
  const place = ({ place, of }: { place: number; of: number }) => `${ordinal(place, PLACES)} of ${number(of)}`;
  return {
    title: "Today's deals",
    why: "The same cards for everyone today, on every server, against the usual bots.",
    number: ({ number }: { number: number }) => `No. ${digits(number)}`,
    streak: ({ days }: { days: number }) =>
      days ? `${plural(days, { one: "day", other: "days" })} in a row` : "Play one to begin a streak.",
    play: "Play today's deal",
    playAgain: "Play it again",
    you: "You",
    result: ({ score, won, ...placed }: { score: number; place: number; of: number; won: boolean }) =>
      `${won ? "won" : place(placed)} · ${number(score)}`,
    levels: "What the bots made of it",
    coming: "The bots are still playing.",
    score: "Score",
    place: "Place",
    people: ({ count }: { count: number }) =>
      `What ${plural(count, { one: "player", other: "players" })} here made of it`,
    bar: ({ score, count }: { score: number; count: number }) =>
      `${number(score)}: ${plural(count, { one: "player", other: "players" })}`,
    share: "Share the result",
    shared: "Copied",
    text: ({
      title,
      day,
      score,
      won,
      beaten,
      ...placed
    }: {
      title: string;
      day: number;
      score: number;
      won: boolean;
      place: number;
      of: number;
      beaten: boolean[];
    }) =>
      row([
        `Parlour, ${title}, deal No. ${digits(day)}`,
        `${won ? "won" : place(placed)} with ${number(score)}`,
        beaten.length > 0 && `bots ${beaten.map((each) => (each ? "🟩" : "⬜")).join("")}`,
      ]),
    puzzle: "Today's puzzle",
    notOver: "Compare when you have played it: what others made of it would give it away.",
  };
}
