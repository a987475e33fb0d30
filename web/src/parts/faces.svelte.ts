// The faces of a pack, fetched once and put into the page, where every card refers to its own.

import { drawing } from "../lib/trusted";
import { reach } from "../lib/reach";
import { usualOf } from "../lib/options";
import type { Book } from "../lib/wire";

const wanted = new Map<string, string>(); // by game: the address its faces were fetched from last
const sheets = new Map<string, Element>();
const here = $state<Record<string, boolean>>({});

const address = (game: string, options = "") => `/faces/${game}.svg${options && `?${options}`}`;

/** Whether the faces of a game are in the page; if not they are fetched. */
export function faces(game: string): boolean {
  if (!wanted.has(game)) void fetchFaces(game, address(game));
  return here[game] ?? false;
}

/** Let the pack be drawn as the options of a table say, where they are not the usual ones. */
export function dress(book: Book, options: Record<string, string | number>, players: number) {
  const unusual = book.options
    .filter(({ name }) => book.drawn_by.includes(name))
    .map((option) => ({ name: option.name, usual: usualOf(option, players), chosen: options[option.name] }))
    .filter(({ usual, chosen }) => chosen !== undefined && chosen !== usual);
  const query = new URLSearchParams(unusual.map(({ name, chosen }) => [name, String(chosen)]));
  const path = address(book.game, String(query));
  if (wanted.get(book.game) !== path) void fetchFaces(book.game, path);
}

async function fetchFaces(game: string, path: string) {
  wanted.set(game, path);
  try {
    const answer = await reach(path);
    if (!answer.ok) throw new Error(answer.statusText);
    const sheet = drawing(await answer.text()).documentElement;
    if (wanted.get(game) !== path) return; // others were asked for meanwhile
    // not display: none, under which patterns and clips of the drawings would not work
    sheet.setAttribute("class", "unseen");
    sheet.setAttribute("aria-hidden", "true");
    const node = document.importNode(sheet, true);
    sheets.get(game)?.remove();
    sheets.set(game, node);
    document.body.append(node);
    here[game] = true;
  } catch {
    setTimeout(() => wanted.get(game) === path && void fetchFaces(game, path), 2000);
  }
}
