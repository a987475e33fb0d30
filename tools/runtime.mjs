// Puts the runtime together, within Pyodide itself: the package and the library as bytecode, cut to what is used.
// node runtime.mjs <pyodide> <package> <out>

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, staged, out] = process.argv.slice(2);

// what the compiled modules want must be there: the loader itself would only find out when it is called
const main = await WebAssembly.compile(readFileSync(join(pyodide, "pyodide.asm.wasm")));
const given = new Set(WebAssembly.Module.exports(main).map(({ name }) => name));
const OWN = ["memory", "__indirect_function_table", "__stack_pointer", "__memory_base", "__table_base"];
const missing = [];
for (const name of readdirSync(staged, { recursive: true }).filter((each) => each.endsWith(".so")))
  for (const wanted of WebAssembly.Module.imports(await WebAssembly.compile(readFileSync(join(staged, name)))))
    if (!given.has(wanted.name) && !OWN.includes(wanted.name)) missing.push(`${name}: ${wanted.name}`);
if (missing.length) throw new Error(`Pyodide has nothing of these names:\n${missing.join("\n")}`);

const { loadPyodide } = await import(pathToFileURL(join(pyodide, "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: `${pyodide}/` });
python.FS.mkdir("/staged");
python.FS.mount(python.FS.filesystems.NODEFS, { root: staged }, "/staged");
await python.runPythonAsync(readFileSync(new URL("runtime_parts.py", import.meta.url), "utf8"));
for (const name of ["library.packed", "parlour.packed"]) writeFileSync(join(out, name), python.FS.readFile(`/${name}`));
process.exit(0);
