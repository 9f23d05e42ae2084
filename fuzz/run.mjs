/**
 * `npm run fuzz`: hostile input against decoders and a whole server, until the time is up.
 *
 *   -- --seconds 600   time for all targets together (default 30)
 *   -- --seed 7        repeat a run; the seed of every run is printed
 *   -- --only http     one target
 */
import { parseArgs } from "node:util";
import { check } from "fast-check";
import { closingLine } from "../tools/closing-line.mjs";
import { http } from "./http.mjs";
import { json } from "./json.mjs";
import { lines } from "./lines.mjs";
import { messages } from "./messages.mjs";
import { sse } from "./sse.mjs";
import { uri } from "./uri.mjs";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "30" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
    only: { type: "string" },
  },
});

const targets = Object.entries({ http, json, lines, messages, sse, uri }).filter(
  ([name]) => values.only === undefined || values.only === name,
);
const seed = Number(values.seed);
const budgetMs = (Number(values.seconds) * 1000) / Math.max(1, targets.length);
let escaped = 0;
process.on("unhandledRejection", (reason) => noteEscape("unhandled rejection", reason));
process.on("uncaughtException", (error) => noteEscape("uncaught exception", error));

process.stdout.write(`seed ${seed}\n`);
let failed = 0;
for (const [name, property] of targets) {
  const outcome = await check(property(), {
    seed,
    numRuns: 10_000_000,
    interruptAfterTimeLimit: budgetMs,
    markInterruptAsFailure: false,
    endOnFailure: false,
  });
  process.stdout.write(`${name}: ${outcome.numRuns} inputs${outcome.failed ? ", FAILED" : ""}\n`);
  if (outcome.failed) {
    failed += 1;
    process.stdout.write(`${describe(outcome)}\n`);
  }
}
failed += escaped;
const passed = Math.max(0, targets.length - failed);
process.stdout.write(`${closingLine({ passed, failed })}\n`);
process.exitCode = failed > 0 ? 1 : 0;

function describe({ counterexample, counterexamplePath, errorInstance }) {
  const shown = JSON.stringify(counterexample)?.slice(0, 2_000);
  return `  counterexample: ${shown}\n  path: ${counterexamplePath}\n  ${errorInstance?.stack ?? errorInstance}`;
}

function noteEscape(kind, reason) {
  escaped += 1;
  process.stdout.write(`${kind}: ${reason?.stack ?? reason}\n`);
}
