// The faces of a pack, fetched once and put into the page, where every card refers to its own.

const wanted = new Map<string, string>(); // by game: how its faces were asked for last
const sheets = new Map<string, Element>();
const here = $state<Record<string, boolean>>({});
const USUAL_KNIGHT = 10; // as the pack is drawn by itself

/** Whether the faces of a game are in the page; they are fetched where they are not. */
export function faces(game: string): boolean {
  if (!wanted.has(game)) void fetchFaces(game, "");
  return here[game] ?? false;
}

/** Let the pack of a table be drawn as its options say: in Heraldry, with its own Knight. */
export function dress(game: string, options: Record<string, string | number>) {
  const asked = (options["knight"] ?? USUAL_KNIGHT) === USUAL_KNIGHT ? "" : `?knight=${options["knight"]}`;
  if (wanted.get(game) !== asked) void fetchFaces(game, asked);
}

async function fetchFaces(game: string, asked: string) {
  wanted.set(game, asked);
  try {
    const answer = await fetch(`/faces/${game}.svg${asked}`);
    if (!answer.ok) throw new Error(answer.statusText);
    const sheet = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
    if (wanted.get(game) !== asked) return; // another was asked for meanwhile
    // not display: none, under which patterns and clips of the drawings would not work
    sheet.setAttribute("class", "unseen");
    sheet.setAttribute("aria-hidden", "true");
    const node = document.importNode(sheet, true);
    sheets.get(game)?.remove();
    sheets.set(game, node);
    document.body.append(node);
    here[game] = true;
  } catch {
    setTimeout(() => wanted.get(game) === asked && void fetchFaces(game, asked), 2000);
  }
}
