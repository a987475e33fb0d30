// Which part of Parlour is shown: it stands behind the # of the address, so that links and the back button work, and
// what is secret in a link is never part of a request. Going back while a sheet lies over the page closes the sheet.

function read(): URLSearchParams {
  return new URLSearchParams(location.hash.slice(1));
}

/** Whether the server is on this machine, and its address leads to it from nowhere else. */
export const onThisMachine = /^(localhost|127\..*|\[::1\])$/.test(location.hostname);

const SHEET = "sheet"; // the state of an entry of the history
const PATIENCE_MILLISECONDS = 500; // for the browser to go back

class Where {
  place = $state.raw(read());
  left = ""; // the address of the place before this one
  visit = $state(0); // changes when a place is to be entered again
  #sheets: (() => void)[] = []; // each closes one; the topmost is the last
  #entry = history.state === SHEET; // the history has an entry for them, perhaps from before a reload
  #leaving: (() => void) | null = null; // that entry is being removed; what to do then

  constructor() {
    addEventListener("hashchange", () => {
      this.left = this.link(Object.fromEntries(this.place));
      this.place = read();
      this.#entry &&= history.state === SHEET; // a link in a sheet was followed
    });
    addEventListener("popstate", () => this.#wentBack());
    this.#settle();
  }

  get(name: string): string | null {
    return this.place.get(name);
  }

  /** The address of a place, to be linked to. */
  link(members: Record<string, string>): string {
    return `#${new URLSearchParams(members)}`;
  }

  go(members: Record<string, string>) {
    if (this.#leaving) {
      this.#leaving = () => this.go(members);
    } else if (this.#entry) {
      // the entry of a sheet becomes that of the place
      this.#entry = false;
      this.instead(members);
    } else {
      location.hash = this.link(members);
    }
  }

  /** Go there without a step in the history: going back must not come here again. */
  instead(members: Record<string, string>) {
    history.replaceState(this.#entry ? SHEET : null, "", this.link(members));
    this.place = read();
  }

  /** A sheet lies over the place; the function that is returned says that it does not any more. */
  lay(close: () => void): () => void {
    this.#sheets.push(close);
    this.#settle();
    return () => {
      this.#sheets = this.#sheets.filter((each) => each !== close);
      setTimeout(() => this.#settle()); // another sheet may take its place
    };
  }

  /** The history has one more entry while a sheet is open, and only then. */
  #settle() {
    if (this.#leaving) return;
    if (this.#sheets.length && !this.#entry) {
      history.pushState(SHEET, "");
      this.#entry = true;
    } else if (!this.#sheets.length && this.#entry) {
      this.#entry = false;
      if (history.state !== SHEET) return;
      this.#leaving = () => {};
      history.back();
      setTimeout(() => this.#left(), PATIENCE_MILLISECONDS);
    }
  }

  #left() {
    const then = this.#leaving;
    this.#leaving = null;
    then?.();
    this.#settle();
  }

  #wentBack() {
    if (this.#leaving) this.#left();
    else if (history.state === SHEET) {
      // an entry without its sheet: of one that was left by a link, or that is gone forward to
      this.#entry = true;
      this.#settle();
    } else if (this.#entry) {
      this.#entry = false;
      this.#sheets.at(-1)?.();
      setTimeout(() => this.#settle());
    }
  }
}

export const where = new Where();
