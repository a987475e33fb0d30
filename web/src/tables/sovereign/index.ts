export { default } from "./Table.svelte";
export { scene } from "./scene";
