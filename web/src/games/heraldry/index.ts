import { heraldry } from "./words";

export { default } from "./Board.svelte";
export { scene } from "./scene";
export const steps = () => heraldry.steps;
