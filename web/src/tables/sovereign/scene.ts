import type { Scene } from "../../lib/stage.svelte";

export const scene: Scene = {};
