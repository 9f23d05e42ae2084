/**
 * `npm run check`: every gate of the repository, one after the other. All of them run, whatever fails.
 *
 *   --without-tests   for a caller that has just run `npm test`
 */
import { spawnSync } from "node:child_process";
import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";
import { closingLine, readClosingLine } from "./closing-line.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

const STAGES = [
  ["format", "oxfmt --check"],
  ["lint", "oxlint --type-aware --deny-warnings"],
  ["build", "npm run --silent build"],
  ["types", "tsc -p packages/bowline/tsconfig.json && tsc -p tsconfig.check.json"],
  ["tests", "vitest run"],
  ["documents", "node tools/docs.mjs"],
  ["unused code", "knip"],
  ["package", "publint --strict packages/bowline"],
  ["package types", "attw --pack packages/bowline --profile esm-only"],
];

const withoutTests = process.argv.includes("--without-tests");
const stages = STAGES.filter(([name]) => !(withoutTests && name === "tests"));
const reports = stages.map(run);

process.stdout.write("\n");
for (const { name, ok, seconds } of reports) {
  process.stdout.write(`${ok ? "ok    " : "FAILED"}  ${name} (${seconds} s)\n`);
}
const total = reports.reduce(
  (sum, { counts }) => ({
    passed: sum.passed + counts.passed,
    failed: sum.failed + counts.failed,
    skipped: sum.skipped + counts.skipped,
  }),
  { passed: 0, failed: 0, skipped: 0 },
);
process.stdout.write(`${closingLine(total)}\n`);
if (total.failed > 0) process.exitCode = 1;

function run([name, command]) {
  process.stdout.write(`\n— ${name}: ${command}\n`);
  const start = performance.now();
  const { status, stdout } = spawnSync(command, {
    cwd: ROOT,
    env: { ...process.env, PATH: `${ROOT}node_modules/.bin${delimiter}${process.env.PATH}` },
    shell: true,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 64 * 1024 * 1024,
  });
  process.stdout.write(stdout);
  const ok = status === 0;
  const seconds = Math.round((performance.now() - start) / 100) / 10;
  return { name, ok, seconds, counts: countsOf(ok, stdout) };
}

/** A stage without a closing line of its own counts as one. */
function countsOf(ok, stdout) {
  const counts = readClosingLine(stdout) ?? { passed: ok ? 1 : 0, failed: 0, skipped: 0 };
  return ok || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}
