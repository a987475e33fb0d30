// Which part of Parlour is shown: it stands behind the # of the address, so that links and the back button work, and
// what is secret in a link is never part of a request.

function read(): URLSearchParams {
  return new URLSearchParams(location.hash.slice(1));
}

class Where {
  place = $state.raw(read());
  visit = $state(0); // changes when a place is to be entered again

  constructor() {
    addEventListener("hashchange", () => (this.place = read()));
  }

  get(name: string): string | null {
    return this.place.get(name);
  }

  /** The address of a place, to be linked to. */
  link(members: Record<string, string>): string {
    return `#${new URLSearchParams(members)}`;
  }

  go(members: Record<string, string>) {
    location.hash = this.link(members);
  }

  /** Go there without a step in the history: going back must not come here again. */
  instead(members: Record<string, string>) {
    history.replaceState(null, "", this.link(members));
    this.place = read();
  }
}

export const where = new Where();
