import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// Tests of the pure modules; a component is tested in a real browser, by tests/web.
export default defineConfig({
  plugins: [svelte()],
  test: { include: ["tests/**/*.test.ts"], environment: "node", testTimeout: 60_000 },
});
