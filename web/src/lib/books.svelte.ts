// The five games, and the rule book of each, asked for when it is first opened.

import { api } from "./api";
import type { Book, Lid } from "./wire";

const AGAIN_MILLISECONDS = 2000;

class Books {
  lids = $state.raw<Lid[]>([]);
  trouble = $state("");
  #open = $state.raw<Record<string, Book>>({});
  #asked = new Set<string>();

  constructor() {
    void this.#list();
  }

  /** The rule book of a game, where it is here already. */
  of(game: string): Book | undefined {
    if (game && !this.#asked.has(game)) {
      this.#asked.add(game);
      void this.#fetch(game);
    }
    return this.#open[game];
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

  async #fetch(game: string) {
    try {
      this.#open = { ...this.#open, [game]: await api.game(game) };
    } catch {
      setTimeout(() => void this.#fetch(game), AGAIN_MILLISECONDS);
    }
  }
}

export const books = new Books();

export type Clause = Book["clauses"][number];
export type Option = Book["options"][number];
