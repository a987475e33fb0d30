// The faces of a pack, fetched once and put into the page, where every card refers to its own.

const asked = new Set<string>();
const here = $state<Record<string, boolean>>({});

/** Whether the faces of a game are in the page; they are fetched where they are not. */
export function faces(game: string): boolean {
  if (!asked.has(game)) void fetchFaces(game);
  return here[game] ?? false;
}

async function fetchFaces(game: string) {
  asked.add(game);
  try {
    const answer = await fetch(`/faces/${game}.svg`);
    if (!answer.ok) throw new Error(answer.statusText);
    const sheet = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
    // not display: none, under which patterns and clips of the drawings would not work
    sheet.setAttribute("class", "unseen");
    sheet.setAttribute("aria-hidden", "true");
    document.body.append(document.importNode(sheet, true));
    here[game] = true;
  } catch {
    setTimeout(() => void fetchFaces(game), 2000);
  }
}
