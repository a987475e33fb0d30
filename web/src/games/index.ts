// The five tables, each fetched when it is first played at.

import type { Component } from "svelte";
import type { Play } from "../lib/play.svelte";
import type { Scene } from "../lib/stage.svelte";

export type GameTable = { default: Component<{ play: Play }>; scene: Scene };

export const tables: Record<string, () => Promise<GameTable>> = {
  masquerade: () => import("./masquerade"),
  "lost-heir": () => import("./lost-heir"),
  sovereign: () => import("./sovereign"),
  heraldry: () => import("./heraldry"),
  tontine: () => import("./tontine"),
};
