// What stands on the wall, a page for a television, in English.

import type { Grammar } from "../../../words/grammar";

export type Texts = ReturnType<typeof english>;

export default function english({ and, capital, clock, form, number, time }: Grammar) {
  return {
    join: "Join with a phone",
    joinWhy: "Point the camera here, choose a seat, and your phone is your hand.",
    seats: ({ taken, of }: { taken: number; of: number }) =>
      `${number(taken)} of ${number(of)} ${form(of, { one: "seat", other: "seats" })} taken`,
    turn: ({ name }: { name: string }) => `${capital(name)} to play`,
    waiting: ({ seconds }: { seconds: number }) => (seconds < 3600 ? clock(seconds) : time(seconds)),
    last: "What happened",
    won: ({ names }: { names: string[] }) => capital(`${and(names)} won!`),
    over: "The game is over",
    next: "The next game begins soon.",
    free: "free",
  };
}
