// The rule books of the five games, asked for once.

import { api } from "./api";
import type { Book } from "./wire";

class Books {
  all = $state.raw<Book[]>([]);
  trouble = $state("");

  constructor() {
    void this.#load();
  }

  of(game: string): Book | undefined {
    return this.all.find((book) => book.game === game);
  }

  async #load() {
    try {
      this.all = await api.games();
      this.trouble = "";
    } catch (error) {
      this.trouble = (error as Error).message;
      setTimeout(() => void this.#load(), 2000);
    }
  }
}

export const books = new Books();

export type Clause = Book["clauses"][number];
export type Option = Book["options"][number];
