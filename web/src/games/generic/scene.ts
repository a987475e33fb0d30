import type { Scene } from "../../lib/scene";
export const scene: Scene = {};
