import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ensurePeers, peerNode } from "../../tools/peers.mjs";
import { startFixture } from "./fixture.ts";
import { refereeNode, requirementFile, runReferee } from "./referee.ts";
import { parseRequirements, type Side } from "./requirements.ts";
import { judge, type Outcome, type Verdict } from "./verdict.ts";

const USAGE = `usage: npm run conformance -- [server] [2026-07-28] [--url URL] [--verbose]
  server, client   which side is judged (default: server)
  2026-07-28       the revision (default)
  --url URL        judge a server that runs already, in place of the fixture
  --verbose        show what the referee prints`;
const REVISIONS = new Set(["2026-07-28"]);
const CLIENT = fileURLToPath(new URL("client/main.js", import.meta.url));
const FOLDER = new URL("../", import.meta.url);

type Expected = Readonly<Record<string, Readonly<Record<string, string>>>>;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { url: { type: "string" }, verbose: { type: "boolean" }, help: { type: "boolean" } },
  });
  const [side = "server", revision = "2026-07-28"] = positionals;
  if (values.help === true) return say(USAGE, 0);
  if (!isSide(side) || !REVISIONS.has(revision)) return say(USAGE, 2);

  ensurePeers();
  const node = refereeNode(peerNode());
  if (node === undefined) return withoutReferee();
  const needsServer = side === "server" && values.url === undefined;
  const fixture = needsServer ? await startFixture() : undefined;
  try {
    const checks = await runReferee({
      node,
      side,
      subject:
        side === "server"
          ? ["--url", values.url ?? fixture?.url ?? ""]
          : ["--command", `"${process.execPath}" "${CLIENT}"`],
      revision,
      out: fileURLToPath(new URL(`out/${side}-${revision}`, FOLDER)),
      verbose: values.verbose === true,
    });
    const requirements = parseRequirements(requirementFile(revision), side);
    const expected = expectedFailures()[`${side} ${revision}`] ?? {};
    return report(`${side} ${revision}`, judge(requirements, checks, expected));
  } finally {
    await fixture?.stop();
  }
}

const isSide = (text: string): text is Side => text === "server" || text === "client";

/** No Node the referee runs under is a gap in what was judged, so it is said, and in CI it is a failure. */
function withoutReferee(): number {
  console.log("the referee needs Node 22 or newer, and none is published for this platform");
  const mustRun = process.env["CI"] === "true";
  console.log(mustRun ? "0 passed, 1 failed, 0 skipped" : "0 passed, 0 failed, 1 skipped");
  return mustRun ? 1 : 0;
}

function expectedFailures(): Expected {
  const expected: Expected = JSON.parse(
    readFileSync(new URL("expected-failures.json", FOLDER), "utf8"),
  );
  return expected;
}

function report(title: string, verdicts: readonly Verdict[]): number {
  console.log(`\n${title}\n`);
  const width = Math.max(...verdicts.map((v) => v.scenario.length));
  for (const v of verdicts) {
    const score = `${v.succeeded}/${v.deciding}`.padStart(6);
    const kind = v.scored ? "scored" : "extra ";
    console.log(`${v.scenario.padEnd(width)}  ${kind} ${score}  ${v.outcome}`);
    for (const reason of v.outcome === "passed" ? [] : v.reasons) console.log(`    ${reason}`);
  }
  const count = (outcome: Outcome): number => verdicts.filter((v) => v.outcome === outcome).length;
  const checks = verdicts.reduce((sum, v) => sum + v.succeeded, 0);
  const expected = count("expected failure");
  console.log(
    `\n${checks} checks succeeded; ${expected} scenarios may fail (expected-failures.json)`,
  );
  // What may fail was not judged, so it is among the skipped.
  const skipped = count("skipped") + expected;
  console.log(`${count("passed")} passed, ${count("failed")} failed, ${skipped} skipped`);
  return count("failed") === 0 ? 0 : 1;
}

function say(text: string, code: number): number {
  console.log(text);
  return code;
}

process.exitCode = await main();
