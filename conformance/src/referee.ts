import { spawn } from "node:child_process";
import { readFileSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Side } from "./requirements.ts";
import type { Check } from "./verdict.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const REFEREE = join(ROOT, "peers/node_modules/@modelcontextprotocol/conformance");
const LOOPBACK = new URL("loopback.js", import.meta.url).href;
const OLDEST_NODE = 22;
/** `server-tools-list-2026-11-30T23-41-42-776Z`, one folder a scenario; a client's has no such beginning. */
const RESULT_FOLDER = /^(?:server-)?(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/;

/** The Node binary the referee can run under: this one, or the published one; else undefined. */
export function refereeNode(published: string | undefined): string | undefined {
  if (Number.parseInt(process.versions.node, 10) >= OLDEST_NODE) return process.execPath;
  return published;
}

/** The referee's requirement file for a revision; throws where it has none. */
export function requirementFile(revision: string): string {
  return readFileSync(join(REFEREE, "requirements", `${revision}.yaml`), "utf8");
}

export interface RefereeRun {
  readonly node: string;
  readonly side: Side;
  /** What is judged: a server that runs, or the command that starts a client. */
  readonly subject: readonly ["--url" | "--command", string];
  readonly revision: string;
  readonly out: string;
  readonly verbose: boolean;
}

/**
 * Let the referee judge a side, and read what it found, by scenario.
 *
 * Its exit code is of no interest: what it checked is judged here. Rejects when it cannot be started.
 */
export async function runReferee(run: RefereeRun): Promise<ReadonlyMap<string, Check[]>> {
  rmSync(run.out, { recursive: true, force: true });
  const args = [...run.subject, "--requirements", run.revision, "-o", run.out];
  const child = spawn(
    run.node,
    ["--import", LOOPBACK, join(REFEREE, "dist/index.js"), run.side, ...args],
    { stdio: ["ignore", run.verbose ? "inherit" : "ignore", "inherit"] },
  );
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => resolve());
  });
  return readChecks(run.out);
}

function readChecks(out: string): ReadonlyMap<string, Check[]> {
  const checks = new Map<string, Check[]>();
  for (const file of readdirSync(out, { recursive: true, encoding: "utf8" })) {
    if (basename(file) !== "checks.json") continue;
    const scenario = RESULT_FOLDER.exec(dirname(file).replaceAll("\\", "/"))?.[1];
    if (scenario === undefined) continue;
    const found: Check[] = JSON.parse(readFileSync(join(out, file), "utf8"));
    checks.set(scenario, found);
  }
  return checks;
}
