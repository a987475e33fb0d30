import { sovereign } from "./words";

export { default } from "./Board.svelte";
export { scene } from "./scene";
export const steps = () => sovereign.steps;
