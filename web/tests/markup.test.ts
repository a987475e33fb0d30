// No component has a text of its own: it could not be translated.

import { readFileSync, readdirSync } from "node:fs";
import { parse, type AST } from "svelte/compiler";
import { expect, test } from "vitest";

type Node = { type: string } & Record<string, unknown>;
const SOURCE = new URL("../src/", import.meta.url);
const components = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((path) =>
  path.endsWith(".svelte"),
);
// attributes of elements that people read or hear, and properties by which parts are given texts
const SPOKEN = /^(aria-(label|description|roledescription|valuetext|placeholder)|alt|title|placeholder|label|summary)$/;
const GIVEN = /^(says|why|does|note|prompt|name|heading|score)$/;
const LETTERS = /\p{L}{2}/u;

/** The texts that an expression can have as its value: not those that it only compares, looks up or passes on. */
function texts(node: Node): string[] {
  const from = (...names: string[]) => names.flatMap((name) => texts(node[name] as Node));
  switch (node.type) {
    case "Literal":
      return typeof node["value"] === "string" ? [node["value"]] : [];
    case "TemplateLiteral":
      return [
        ...(node["quasis"] as { value: { cooked: string } }[]).map(({ value }) => value.cooked),
        ...(node["expressions"] as Node[]).flatMap(texts),
      ];
    case "ConditionalExpression":
      return from("consequent", "alternate");
    case "LogicalExpression":
    case "BinaryExpression":
      return node["operator"] === "+" || node.type === "LogicalExpression" ? from("left", "right") : [];
    case "ArrayExpression":
      return (node["elements"] as Node[]).flatMap(texts);
    case "TSAsExpression":
      return from("expression");
    case "CallExpression": {
      const { callee } = node as unknown as { callee: Node };
      return callee.type === "MemberExpression" ? texts(callee["object"] as Node) : []; // ["…"].filter().join()
    }
    default:
      return [];
  }
}

/** The texts that stand in the markup of a component. */
function literals(markup: unknown): string[] {
  if (Array.isArray(markup)) return markup.flatMap(literals);
  if (typeof markup !== "object" || markup === null) return [];
  const node = markup as Node;
  if (node.type?.endsWith("Directive")) return []; // classes and styles
  if (node.type === "Text") return [node["data"] as string];
  if (node.type === "ExpressionTag") return texts(node["expression"] as Node);
  if (node.type === "Attribute") {
    const { name, value } = node as unknown as { name: string; value: unknown };
    return SPOKEN.test(name) || GIVEN.test(name) ? literals(value) : [];
  }
  const inner = Object.entries(node).filter(([key]) => !["expression", "context", "metadata", "parent"].includes(key));
  // the name of a form's field is not read by anyone
  const isElement = node.type === "RegularElement";
  return inner.flatMap(([key, value]) =>
    key === "attributes" && isElement
      ? literals((value as Node[]).filter((each) => !GIVEN.test(String(each["name"]))))
      : literals(value),
  );
}

const spoken = (source: string) =>
  literals((parse(source, { modern: true }) as AST.Root).fragment).filter((text) => LETTERS.test(text));

test.each(components)("%s has no text of its own", (path) => {
  expect(spoken(readFileSync(new URL(path, SOURCE), "utf8"))).toEqual([]);
});

test("a text is found wherever it stands", () => {
  expect(spoken("<p>Play</p>")).toEqual(["Play"]);
  expect(spoken('<button aria-label="Play: {game}">{on ? "Pause" : words.play}</button>')).toEqual(["Play: ", "Pause"]);
  expect(spoken('{#if on}<Ended says="Game over" />{:else}<i title={`${count} cards`}></i>{/if}')).toEqual([
    "Game over",
    " cards",
  ]);
  expect(spoken('{#each all as each}{each || "none"}{/each}{[each, "free"].join(", ")}')).toEqual(["none", "free"]);
  expect(spoken('<input name="who" class="wide" value="Ada" /> {" "}{words.get("play")}{at === "end"} · §')).toEqual(
    [],
  );
});
