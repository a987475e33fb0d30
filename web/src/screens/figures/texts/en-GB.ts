// What is said of one's own figures, in English.

import type { Grammar } from "../../../words/grammar";

export type Texts = ReturnType<typeof english>;

const GAMES = { one: "game", other: "games" };

export default function english({ number, percent, plural }: Grammar) {
  return {
    title: "Your figures",
    why: "From the games that this device has finished. Nothing leaves it.",
    none: "No finished games yet.",
    all: "All games",
    strength: "Bots",
    anyStrength: "Any",
    people: "People too",
    count: ({ count }: { count: number }) => plural(count, GAMES),
    games: "Games",
    wins: "Won",
    share: ({ wins, games }: { wins: number; games: number }) => `${number(wins)} (${percent(wins / games)})`,
    place: "Mean place",
    mean: ({ place }: { place: number }) => number(place, 1),
    streak: "Wins in a row, now and most",
    streaks: ({ now, most }: { now: number; most: number }) => `${number(now)}, ${number(most)}`,
    best: "Best score",
    accuracy: "Mean accuracy",
    accurate: ({ accuracy, games }: { accuracy: number; games: number }) =>
      `${percent(accuracy / 100)} in ${plural(games, GAMES)}`,
    unreviewed: "none reviewed",
    plot: ({ count }: { count: number }) =>
      `The last ${plural(count, GAMES)}: a full bar is a win, none the last place`,
    exports: "Export",
    imports: "Import",
    imported: ({ count }: { count: number }) => `${plural(count, GAMES)} imported.`,
    unreadable: "This file holds no figures of Parlour.",
    erase: "Delete all",
    sure: "Delete all figures of this device? Your games stay.",
  };
}
