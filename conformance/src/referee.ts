import { spawn } from "node:child_process";
import { readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Side } from "./requirements.ts";
import type { Check } from "./verdict.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const REFEREE = join(ROOT, "peers/node_modules/@modelcontextprotocol/conformance");
const OLDEST_NODE = 22;
/** `server-tools-list-2026-11-30T23-41-42-776Z`, one folder a scenario. */
const RESULT_FOLDER = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/;

/** The Node binary the referee can run under: this one, or the published one; else undefined. */
export function refereeNode(published: string | undefined): string | undefined {
  if (Number.parseInt(process.versions.node, 10) >= OLDEST_NODE) return process.execPath;
  return published;
}

/** The referee's requirement file for a revision; throws where it has none. */
export function requirementFile(revision: string): string {
  return readFileSync(join(REFEREE, "requirements", `${revision}.yaml`), "utf8");
}

export interface ServerRun {
  readonly node: string;
  readonly url: string;
  readonly revision: string;
  readonly out: string;
  readonly verbose: boolean;
}

/**
 * Let the referee judge a running server, and read what it found, by scenario.
 *
 * Its exit code is of no interest: what it checked is judged here. Rejects when it cannot be started.
 */
export async function runServerReferee(run: ServerRun): Promise<ReadonlyMap<string, Check[]>> {
  rmSync(run.out, { recursive: true, force: true });
  const args = ["--url", run.url, "--requirements", run.revision, "-o", run.out];
  const child = spawn(
    run.node,
    [join(REFEREE, "dist/index.js"), "server" satisfies Side, ...args],
    {
      stdio: ["ignore", run.verbose ? "inherit" : "ignore", "inherit"],
    },
  );
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => resolve());
  });
  return readChecks(run.out);
}

function readChecks(out: string): ReadonlyMap<string, Check[]> {
  const checks = new Map<string, Check[]>();
  for (const folder of readdirSync(out)) {
    const scenario = RESULT_FOLDER.exec(folder)?.[1];
    if (scenario === undefined) continue;
    const found: Check[] = JSON.parse(readFileSync(join(out, folder, "checks.json"), "utf8"));
    checks.set(scenario, found);
  }
  return checks;
}
