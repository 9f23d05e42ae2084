/**
 * Writes `packages/bowline/test/requirements/rows.json` from the written list of requirements.
 *
 * The list itself lies beside the repository and is not part of it; the repository keeps the ids with their
 * level and role, so that the gate in `test/requirements.test.ts` runs everywhere.
 *
 *   node tools/requirements.mjs            write the file
 *   node tools/requirements.mjs --check    say whether it is current
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const LIST = fileURLToPath(new URL("../../shared/spec/requirements-core.md", import.meta.url));
const ROWS = fileURLToPath(
  new URL("../packages/bowline/test/requirements/rows.json", import.meta.url),
);

/** The file as it should be, or undefined where the list is not at hand. */
export function renderRows() {
  if (!existsSync(LIST)) return undefined;
  const row = /^\| ([A-Z]+-\d+) \| (MUST NOT|MUST|SHOULD NOT|SHOULD|MAY|FACT) \| ([a-z, ]+) \|/gm;
  const rows = [...readFileSync(LIST, "utf8").matchAll(row)].map(
    ([, id, level, role]) => `  "${id}": ["${level}", "${role}"]`,
  );
  return `{\n${rows.join(",\n")}\n}\n`;
}

function main() {
  const rows = renderRows();
  if (rows === undefined) throw new Error("the list of requirements is not at hand");
  if (!process.argv.includes("--check")) writeFileSync(ROWS, rows);
  else if (readFileSync(ROWS, "utf8") !== rows) throw new Error("rows.json is not current");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
