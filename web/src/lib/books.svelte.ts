// The games, and the rule book of each, fetched when it is first opened.

import { api, type Trouble } from "./api";
import type { Book, Lid } from "./wire";

const AGAIN_MILLISECONDS = 2000;

class Books {
  lids = $state.raw<Lid[]>([]);
  trouble = $state("");
  whole: (game: string) => boolean = () => true; // whether the fields of a game's view are read, as by the generic board
  #open = $state.raw<Record<string, Book>>({});
  #lacking = $state.raw<Record<string, string>>({});
  #asked = new Map<string, Promise<Book>>();
  #full = $state.raw<Record<string, Book>>({}); // with the whole apparatus of each clause, and the glossary
  #wanted = new Set<string>();

  constructor() {
    void this.#list();
  }

  /** The rule book of a game, if it is here already; otherwise it is fetched. */
  of(game: string): Book | undefined {
    if (game) void this.fetched(game);
    return this.#open[game];
  }

  /** The rule book with the apparatus of its clauses, if it is here already; otherwise it is fetched. */
  full(game: string): Book | undefined {
    if (game && !this.#wanted.has(game)) {
      this.#wanted.add(game);
      void this.#fetchFull(game);
    }
    return this.#full[game];
  }

  /** The rule book of a game, when it is here. */
  fetched(game: string): Promise<Book> {
    const coming = this.#asked.get(game) ?? new Promise((resolve) => void this.#fetch(game, resolve));
    this.#asked.set(game, coming);
    return coming;
  }

  /** Why the rule book of a game could not be fetched. */
  lacks(game: string): string {
    return this.#lacking[game] ?? "";
  }

  title(game: string): string {
    return this.lids.find((lid) => lid.game === game)?.title ?? this.#open[game]?.title ?? "";
  }

  async #list() {
    try {
      this.lids = await api.games();
      this.trouble = "";
    } catch (error) {
      this.trouble = (error as Error).message;
      setTimeout(() => void this.#list(), AGAIN_MILLISECONDS);
    }
  }

  async #fetchFull(game: string) {
    try {
      const book = this.whole(game) ? await this.fetched(game) : await api.game(game, false);
      this.#full = { ...this.#full, [game]: book };
    } catch {
      this.#wanted.delete(game); // what is there in brief stands, until it is opened again
    }
  }

  async #fetch(game: string, found: (book: Book) => void) {
    try {
      const book = await api.game(game, !this.whole(game));
      this.#open = { ...this.#open, [game]: book };
      found(book);
      this.#lacking = { ...this.#lacking, [game]: "" };
    } catch (error) {
      const { message, status } = error as Trouble;
      this.#lacking = { ...this.#lacking, [game]: message };
      if (status !== 404) setTimeout(() => void this.#fetch(game, found), AGAIN_MILLISECONDS);
    }
  }
}

export const books = new Books();

export type Clause = Book["clauses"][number];
