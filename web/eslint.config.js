// Lint rules of the page; how code is laid out is left to Prettier.

import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import { defineConfig } from "eslint/config";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

/** What a folder may not import: lib nothing of parts, parts nothing of games, and no game anything of another. */
function layer(files, regex) {
  const pattern = { regex, message: "that folder lies above this one, or belongs to another game (docs/browser.md)" };
  return { files: [files], rules: { "no-restricted-imports": ["error", { patterns: [pattern] }] } };
}

export default defineConfig(
  { ignores: ["node_modules", "public"] },
  js.configs.recommended,
  ts.configs.recommended,
  svelte.configs.recommended,
  {
    rules: {
      "svelte/no-useless-mustaches": "off", // {" "} is a space that must be seen
      "svelte/prefer-svelte-reactivity": "off", // a map from which nothing on the page is derived stays plain
      "no-undef": "off", // TypeScript knows the browser's names
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
  layer("src/{lib,words}/**", "/(parts|screens|games)(/|$)"),
  layer("src/parts/**", "/(screens|games)(/|$)"),
  layer("src/games/*/**", "/screens/|^\\.\\./(?!\\.\\./)"),
);
