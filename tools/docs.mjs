/**
 * Keeps the code in the documents equal to the code of the examples, which is compiled and run.
 *
 * In a document, an HTML comment before a fenced block names a file and, after `#`, a region of it:
 *
 *     <!-- include: examples/src/quickstart/server.ts#server -->
 *
 * and in the source, `// #region server` and `// #endregion` mark the region. Without a region, the whole file is meant.
 * A region is shown with the imports of its file that it uses, so that what a reader copies runs.
 *
 * The README of a package is shipped, and read where comments are not hidden: its blocks are named here instead.
 *
 *   node tools/docs.mjs            check; also that every relative link leads somewhere
 *   node tools/docs.mjs --write    bring the documents up to date
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { closingLine } from "./closing-line.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const INCLUDE = /(<!-- include: (\S+) -->\n+```\w*\n)([\s\S]*?)(^```$)/gm;
const PLAIN = /(^```ts\n)([\s\S]*?)(^```$)/gm;
const PLAIN_BLOCKS = {
  "packages/bowline/README.md": [
    "examples/src/quickstart/server.ts#server",
    "examples/src/quickstart/client.ts#client",
  ],
};
const IMPORT = /^import (type )?(.+) from ("[^"]+");$/;
const LINK = /\]\((?![a-z]+:|#)([^)\s#]+)(?:#[^)]*)?\)/g;

const write = process.argv.includes("--write");
const problems = [];
let checked = 0;

for (const document of documents()) {
  const text = readFileSync(join(ROOT, document), "utf8");
  const isPlain = Object.hasOwn(PLAIN_BLOCKS, document);
  const current = isPlain ? withBlocks(document, text) : withIncludes(document, text);
  if (text !== current && write) writeFileSync(join(ROOT, document), current);
  if (text !== current && !write) {
    problems.push(`${document}: its code is not that of the examples; run npm run fix`);
  }
  checkLinks(document, current);
}

for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(`${closingLine({ passed: checked, failed: problems.length })}\n`);
if (problems.length > 0) process.exitCode = 1;

function withIncludes(document, text) {
  return text.replaceAll(INCLUDE, (...match) => {
    const [, head, source, body, tail] = match;
    checked += 1;
    return head + (regionOf(document, source) ?? body) + tail;
  });
}

/** The code blocks of a document without includes, by their order. */
function withBlocks(document, text) {
  const sources = PLAIN_BLOCKS[document];
  const count = [...text.matchAll(PLAIN)].length;
  if (count !== sources.length || text.includes("<!--")) {
    report(`${document}: has ${sources.length} blocks of TypeScript and no comments, not ${count}`);
    return text;
  }
  let index = 0;
  return text.replaceAll(PLAIN, (...match) => {
    const [, head, body, tail] = match;
    checked += 1;
    return head + (regionOf(document, sources[index++]) ?? body) + tail;
  });
}

function documents() {
  const folders = [
    ".",
    "docs",
    "docs/patterns",
    "docs/server",
    "docs/transports",
    "packages/bowline",
  ];
  return folders.flatMap((folder) => {
    if (!existsSync(join(ROOT, folder))) return [];
    const names = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith(".md"));
    return names.map((name) => join(folder, name));
  });
}

function regionOf(document, source) {
  const [file, region] = source.split("#");
  if (!existsSync(join(ROOT, file))) return report(`${document}: there is no ${file}`);
  const lines = readFileSync(join(ROOT, file), "utf8").trimEnd().split("\n");
  if (region === undefined) return `${withoutMarks(lines).join("\n")}\n`;
  const start = lines.findIndex((line) => line.trim() === `// #region ${region}`);
  const end = lines.findIndex((line, index) => index > start && line.trim() === "// #endregion");
  if (start < 0 || end < 0) return report(`${document}: ${file} has no region ${region}`);
  const code = withoutIndent(lines.slice(start + 1, end));
  const imports = code.some((line) => IMPORT.test(line)) ? [] : importsFor(code, lines);
  return `${[...imports, ...code].join("\n")}\n`;
}

/** The imports at the head of a file, without the names that a part of it does not use; a blank line after them. */
function importsFor(code, lines) {
  const text = code.join("\n");
  const isUsed = (name) => new RegExp(`(?<![\\w$.])${name}(?![\\w$])`).test(text);
  const imports = lines.flatMap((line) => {
    const [, type = "", clause, from] = IMPORT.exec(line) ?? [];
    if (clause === undefined) return [];
    if (!clause.startsWith("{")) {
      return isUsed(clause.replace("* as ", "")) ? [line] : [];
    }
    const names = clause
      .slice(1, -1)
      .split(",")
      .map((name) => name.trim());
    const used = names.filter((name) => isUsed(name.replace(/^type /, "").replace(/^.* as /, "")));
    if (used.length === 0) return [];
    return [`import ${type}{ ${used.join(", ")} } from ${from};`];
  });
  return imports.length === 0 ? [] : [...imports, ""];
}

function withoutMarks(lines) {
  return lines.filter((line) => !/^\s*\/\/ #(?:end)?region\b/.test(line));
}

function withoutIndent(lines) {
  const depths = lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  const depth = Math.min(...depths);
  return lines.map((line) => line.slice(depth));
}

function checkLinks(document, text) {
  for (const [, target] of text.replaceAll(/^```[\s\S]*?^```$/gm, "").matchAll(LINK)) {
    checked += 1;
    if (!existsSync(join(ROOT, dirname(document), target))) {
      problems.push(`${document}: the link to ${target} leads nowhere`);
    }
  }
}

/** Note a problem and leave the block as it is. */
function report(problem) {
  problems.push(problem);
  return undefined;
}
