/** Reads the sources of this repository for the gates beside this file. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAst } from "vitest/node";

export const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
export const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url));

/** Every file below a folder, relative to it, with forward slashes, sorted; no dependencies, no builds. */
export function filesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const skipped = new Set(["node_modules", "dist", "out"]);
  const walk = (path: string): string[] =>
    readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
      if (skipped.has(entry.name)) return [];
      const child = join(path, entry.name);
      return entry.isDirectory() ? walk(child) : [relative(folder, child).split(sep).join("/")];
    });
  return walk(folder).toSorted();
}

/** The modules one file names: static, dynamic and type imports, and re-exports. */
export function importsOf(file: string): readonly string[] {
  const found = new Set<string>();
  visit(treeOf(file), (node) => {
    const source = node["source"];
    if (!isNode(source) || typeof source["value"] !== "string") return;
    found.add(source["value"]);
  });
  return [...found];
}

/** Resolve a relative import of one file, both relative to `root`. */
export function resolveImport(file: string, specifier: string): string {
  return join(dirname(file), specifier).split(sep).join("/");
}

/**
 * The ids that lead the titles of the tests in one file: `"HDR-03 T-21 refuses …"` names two.
 *
 * Texts in a table that are or begin with ids count, because `test.each` makes titles of them. What stands inside `skip` or `todo` does not.
 */
export function idsInTitles(file: string): readonly string[] {
  const found = new Set<string>();
  visit(treeOf(file), (node) => {
    if (isIdle(node)) return false;
    const text = textOf(node);
    const lead = text === undefined ? undefined : /^(?:[A-Z]+-\d+(?:[ ,]+|$))+/.exec(text)?.[0];
    for (const id of lead?.match(/[A-Z]+-\d+/g) ?? []) found.add(id);
    return true;
  });
  return [...found];
}

/** Every test file that `npm test` runs, except the gates that list ids themselves. */
export function testFiles(): readonly string[] {
  const gates = /packages\/bowline\/test\/(?:requirements|threats)\.test\.ts$/;
  return ["packages", "examples", "conformance", "interop", "bench", "runtimes", "tools"]
    .flatMap((folder) => filesBelow(join(REPOSITORY, folder)).map((file) => `${folder}/${file}`))
    .filter((file) => file.endsWith(".test.ts") && !gates.test(file))
    .map((file) => join(REPOSITORY, file));
}

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof Reflect.get(value, "type") === "string";

function treeOf(file: string): Node {
  const tree: unknown = parseAst(readFileSync(file, "utf8"), { lang: "ts" });
  if (!isNode(tree)) throw new TypeError(`cannot parse ${file}`);
  return tree;
}

/** Walk a tree; a visitor that returns `false` keeps the walk out of that node. */
function visit(node: Node, enter: (node: Node) => boolean | void): void {
  if (enter(node) === false) return;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value])
      if (isNode(child)) visit(child, enter);
  }
}

function textOf(node: Node): string | undefined {
  if (node.type === "Literal" && typeof node["value"] === "string") return node["value"];
  if (node.type !== "TemplateLiteral" || !Array.isArray(node["quasis"])) return undefined;
  const first: unknown = node["quasis"][0];
  const value = isNode(first) ? first["value"] : undefined;
  const raw: unknown =
    typeof value === "object" && value !== null ? Reflect.get(value, "raw") : undefined;
  return typeof raw === "string" ? `${raw}…` : undefined;
}

/** A call such as `test.skip(…)` or `describe.todo(…)`. */
function isIdle(node: Node): boolean {
  if (node.type !== "CallExpression" || !isNode(node["callee"])) return false;
  const property = node["callee"]["property"];
  return isNode(property) && (property["name"] === "skip" || property["name"] === "todo");
}
