/**
 * Keeps the code in the documents equal to the code of the examples, which is compiled and run.
 *
 * In a document, an HTML comment before a fenced block names a file and, after `#`, a region of it:
 *
 *     <!-- include: examples/src/quickstart/server.ts#server -->
 *
 * and in the source, `// #region server` and `// #endregion` mark the region. Without a region, the whole file is meant.
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
const LINK = /\]\((?![a-z]+:|#)([^)\s#]+)(?:#[^)]*)?\)/g;

const write = process.argv.includes("--write");
const problems = [];
let checked = 0;

for (const document of documents()) {
  const text = readFileSync(join(ROOT, document), "utf8");
  const current = text.replaceAll(INCLUDE, (...match) => {
    const [, head, source, body, tail] = match;
    checked += 1;
    return head + (regionOf(document, source) ?? body) + tail;
  });
  if (text !== current && write) writeFileSync(join(ROOT, document), current);
  if (text !== current && !write) {
    problems.push(`${document}: its code is not that of the examples; run npm run fix`);
  }
  checkLinks(document, current);
}

for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(`${closingLine({ passed: checked, failed: problems.length })}\n`);
if (problems.length > 0) process.exitCode = 1;

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
  return `${withoutIndent(lines.slice(start + 1, end)).join("\n")}\n`;
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
