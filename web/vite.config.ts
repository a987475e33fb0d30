import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import subsetFont from "subset-font";
import { defineConfig, type Plugin } from "vite";

const LETTERS = `${String.fromCharCode(...Array.from({ length: 95 }, (_, at) => 32 + at))}£·×–—‘’“”…−‹›«»àâäæçèéêëíîïñóôöøùúûüßÄÉÖÜ`;

/** Fonts with the letters that the page uses; a name in other letters is shown in the device's own. */
function fewLetters(): Plugin {
  return {
    name: "few-letters",
    async generateBundle(_, bundle) {
      for (const part of Object.values(bundle))
        if (part.type === "asset" && part.fileName.endsWith(".woff2"))
          // the figures of the text face come in two kinds, which other glyphs stand for; nothing of the other's is used
          part.source = await subsetFont(Buffer.from(part.source), LETTERS, {
            targetFormat: "woff2",
            noLayoutClosure: part.fileName.includes("old-standard"),
          });
    },
  };
}

/** The licences of all that becomes part of the page: what it depends on, and what else is bundled, such as Svelte. */
function licences(): Plugin {
  return {
    name: "licences",
    generateBundle(_, bundle) {
      const own = JSON.parse(readFileSync("package.json", "utf8")) as { dependencies: Record<string, string> };
      const bundled = Object.values(bundle)
        .flatMap((part) => (part.type === "chunk" ? Object.keys(part.modules) : []))
        .flatMap((id) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(id)?.[1] ?? []);
      const texts = [...new Set([...bundled, ...Object.keys(own.dependencies)])].sort().map((name) => {
        const folder = `node_modules/${name}`;
        const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as Record<
          string,
          string
        >;
        const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
        if (!file || !existsSync(`${folder}/${file}`)) this.error(`${name} comes without its licence`);
        return `${name} ${version} (${license})\n\n${readFileSync(`${folder}/${file}`, "utf8").trim()}\n`;
      });
      const head = "Fonts and libraries that are part of Parlour's page, and their licences.\n";
      this.emitFile({
        type: "asset",
        fileName: "licences.txt",
        source: [head, ...texts].join(`\n${"-".repeat(80)}\n\n`),
      });
    },
  };
}

/** A copy of each text, compressed with more patience than a server has while it is asked. */
function compressed(): Plugin {
  return {
    name: "compressed",
    enforce: "post",
    writeBundle({ dir }, bundle) {
      for (const name of Object.keys(bundle).filter((each) => /\.(js|css|html|txt)$/.test(each)))
        writeFileSync(`${dir}/${name}.br`, brotliCompressSync(readFileSync(`${dir}/${name}`)));
    },
  };
}

/** The list of all files of the page, which the service worker asks for when the page has come to rest. */
function listed(): Plugin {
  return {
    name: "listed",
    enforce: "post",
    generateBundle(_, bundle) {
      const files = Object.keys(bundle).filter((each) => each.startsWith("assets/"));
      const own = ["./", "alone.js", "icon.svg", "manifest.webmanifest"];
      this.emitFile({
        type: "asset",
        fileName: "kept.json",
        source: JSON.stringify({ files: [...own, ...files.sort()] }),
      });
    },
  };
}

const ONE = process.env["PARLOUR_ONE_FILE"] === "1"; // everything as one script and one style, for a page in one file

type Modules = { getModuleInfo(id: string): { isEntry: boolean; importers: readonly string[] } | null };

/** Everything that every table needs beyond the room comes as one part: many small ones are compressed badly. */
function tablePart(id: string, modules: Modules): string | null {
  const first = reached(id, modules, (each) => modules.getModuleInfo(each)?.isEntry === true);
  const table = reached(id, modules, (each) =>
    /src\/(games\/[^/]+\/index\.ts|screens\/table\/Frame\.svelte)$/.test(each),
  );
  return !first && table && !/src\/games\/[^/]+\//.test(id) ? "table" : null;
}

/** Whether a module is, or is imported by, one that is wanted. */
function reached(id: string, modules: Modules, wanted: (id: string) => boolean, seen = new Set<string>()): boolean {
  if (wanted(id)) return true;
  if (seen.has(id)) return false;
  seen.add(id);
  return (modules.getModuleInfo(id)?.importers ?? []).some((each) => reached(each, modules, wanted, seen));
}

// The page is part of the Python package: the build hook puts it there, and an installed package needs no Node.
export default defineConfig({
  plugins: ONE ? [svelte(), fewLetters()] : [svelte(), fewLetters(), licences(), listed(), compressed()],
  build: {
    outDir: ONE ? "../build/runtime/page" : "../src/parlour/web",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    cssCodeSplit: !ONE,
    copyPublicDir: !ONE,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: ONE
        ? { codeSplitting: false, entryFileNames: "page.js", assetFileNames: "[name][extname]" }
        : {
            codeSplitting: { groups: [{ name: tablePart, debugName: "table" }], includeDependenciesRecursively: false },
          },
    },
  },
});
