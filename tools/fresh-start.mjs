/**
 * Proves the README's first promise from a fresh clone: `npm ci && npm start` serves the example, and the `curl` line
 * it prints gets an answer.
 *
 *   node tools/fresh-start.mjs     exits non-zero when any step fails; every wait is bounded
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { closingLine } from "./closing-line.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const START_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 10_000;

const scratch = mkdtempSync(join(tmpdir(), "bowline-fresh-"));
const clone = join(scratch, "clone");
let failed = 1;
try {
  git("clone", "--quiet", "--no-hardlinks", ROOT, clone);
  npm("ci");
  await startAndCall();
  failed = 0;
} catch (error) {
  process.stderr.write(`${error.stack ?? error}\n`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
process.stdout.write(`${closingLine({ passed: 1 - failed, failed })}\n`);
process.exitCode = failed;

function git(...args) {
  execFileSync("git", args, { stdio: ["ignore", "inherit", "inherit"] });
}

function npm(...args) {
  execFileSync("npm", args, { cwd: clone, stdio: ["ignore", "inherit", "inherit"] });
}

/** `npm start` in a process group of its own, so that stopping it leaves nothing behind. */
async function startAndCall() {
  const server = spawn("npm", ["start"], {
    cwd: clone,
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  try {
    const curl = await curlLine(server);
    process.stdout.write(`${curl}\n`);
    const { status, stdout, stderr } = spawnSync("bash", ["-c", curl], {
      encoding: "utf8",
      timeout: 30_000,
    });
    if (status !== 0) throw new Error(`curl ended with ${status}: ${stderr}`);
    const answer = JSON.parse(stdout);
    if (answer.jsonrpc !== "2.0" || answer.result?.resultType !== "complete") {
      throw new Error(`not the answer of a served call: ${stdout}`);
    }
  } finally {
    await stop(server, ended);
  }
}

/** The command that the server prints; it may go on over several lines by a backslash. */
function curlLine(server) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error("npm start printed no curl line in time")),
      START_TIMEOUT_MS,
    );
    let printed = "";
    server.stdout.setEncoding("utf8").on("data", (text) => {
      process.stdout.write(text);
      printed += text;
      const line = /^\s*(curl (?:[^\n]*\\\n)*[^\n]*[^\n\\])\n/m.exec(printed)?.[1];
      if (line === undefined) return;
      clearTimeout(timer);
      resolve(line);
    });
    server.once("exit", (code) => {
      clearTimeout(timer);
      reject(new Error(`npm start ended with ${code} before it printed a curl line`));
    });
  });
}

async function stop(server, ended) {
  if (server.exitCode !== null) return;
  process.kill(-server.pid, "SIGTERM");
  const timer = setTimeout(() => process.kill(-server.pid, "SIGKILL"), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}
