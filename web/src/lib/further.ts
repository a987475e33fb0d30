// What only screens ask that are loaded later, so that it is loaded with them.

import { KEYS, ask, at } from "./api";
import type { CanTell, Chosen, DayBody, PuzzleBody, PuzzleReason, PuzzleShelf, ReviewState, Way } from "./wire";

export const further = {
  canTell: () => ask<CanTell>("GET", "/api/notices"),
  ways: (table: string, token: string) => ask<Chosen[]>("GET", `${at(table)}/notices?${KEYS}`, undefined, token),
  tellToo: (table: string, token: string, way: Way) => ask<Chosen>("POST", `${at(table)}/notices?${KEYS}`, way, token),
  tellNot: (table: string, token: string, id: string) =>
    ask<void>("DELETE", `${at(table)}/notices/${encodeURIComponent(id)}?${KEYS}`, undefined, token),
  review: (table: string, seat: number, asks: boolean) =>
    ask<ReviewState>(asks ? "POST" : "GET", `${at(table)}/review?seat=${seat}&${KEYS}`),
  puzzles: (game: string) => ask<PuzzleShelf>("GET", `/api/puzzles/${encodeURIComponent(game)}?${KEYS}`),
  puzzle: (game: string, number: number, keyed = true) =>
    ask<PuzzleBody>("GET", `/api/puzzles/${encodeURIComponent(game)}/${number}${keyed ? `?${KEYS}` : ""}`),
  puzzleWhy: (game: string, number: number) =>
    ask<PuzzleReason>("GET", `/api/puzzles/${encodeURIComponent(game)}/${number}/why?${KEYS}`),
  day: (game: string, number: number) =>
    ask<DayBody>("GET", `/api/days/${encodeURIComponent(game)}?number=${number}&${KEYS}`),
};
