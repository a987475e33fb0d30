// Where answers come from: a server, or the Worker that plays here where there is none.

/** How this page came: from a server (undefined), from a folder ("folder"), or as one file ("file"). */
export const alone = document.documentElement.dataset["alone"];
/** Whether a table is played in the Worker: no server gives such a name. */
export const isHere = (table: string) => table.startsWith("~");
/** In one file: the addresses of its drawings, once they are unpacked. */
export const covers = new Map<string, string>();

/** The address of some cards of a game, as on the lid of its box. */
export function cover(game: string): string {
  if (alone !== "file") return alone ? `data/covers-${game}.svg` : `/covers/${game}.svg`;
  return covers.get(game) ?? "";
}

/** Ask once: the server, unless there is none; what it alone knows can only be had there. */
export async function reach(path: string, init?: RequestInit): Promise<Response> {
  const table = /^\/api\/tables\/([^/?]+)/.exec(path)?.[1];
  if (alone || (table && isHere(decodeURIComponent(table)))) return (await import("./alone")).reach(path, init);
  try {
    return await fetch(path, init);
  } catch (error) {
    if (table || init?.signal?.aborted) throw error;
    const answer = await import("./alone").then(({ reach }) => reach(path, init)).catch(() => null);
    if (!answer) throw error;
    return answer;
  }
}
