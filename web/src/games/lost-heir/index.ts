import { lostHeir } from "./words";

export { default } from "./Board.svelte";
export { scene } from "./scene";
export const steps = () => lostHeir.steps;
