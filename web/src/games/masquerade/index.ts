export { default } from "./Board.svelte";
export { scene } from "./scene";
export const least = (players: number) => (players > 5 ? "42rem" : "36rem");
