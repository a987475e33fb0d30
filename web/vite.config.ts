import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// The page is part of the Python package: the build hook puts it there, and an installed package needs no Node.
export default defineConfig({
  plugins: [svelte()],
  build: { outDir: "../src/parlour/web", emptyOutDir: true, target: "es2022", assetsInlineLimit: 0 },
});
