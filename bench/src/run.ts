/* oxlint-disable no-await-in-loop -- sections that overlap would measure each other */
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ensurePeers } from "../../tools/peers.mjs";
import type { Findings, Section, Settings, Target } from "./sections/section.ts";

const USAGE = `usage: npm run bench -- [--quick] [--only http,stdio,client,streams,start,size] [--rounds N] [--report]
  --quick      short windows and few rounds: shows that everything runs, decides nothing
  --only A,B   these sections
  --rounds N   measured rounds (default 9)
  --tools A,B  sizes of the registry over HTTP (default 1,100,1000)
  --concurrency A,B  calls in flight over HTTP (default 1,16,64)
  --streams N  open streams of changes, more than 50 (default 1000)
  --report     also write bench/RESULTS.md`;
const NORMAL = {
  rounds: 9,
  windowMs: 1000,
  warmMs: 1500,
  tools: [1, 100, 1000],
  concurrency: [1, 16, 64],
  streams: 1000,
};
const QUICK = {
  rounds: 2,
  windowMs: 200,
  warmMs: 200,
  tools: [1, 1000],
  concurrency: [16],
  streams: 250,
};
const REPORT = fileURLToPath(new URL("../RESULTS.md", import.meta.url));

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean" },
      only: { type: "string" },
      rounds: { type: "string" },
      tools: { type: "string" },
      concurrency: { type: "string" },
      streams: { type: "string" },
      report: { type: "boolean" },
      help: { type: "boolean" },
    },
  });
  const settings: Settings = {
    ...(values.quick === true ? QUICK : NORMAL),
    ...(values.rounds === undefined ? {} : { rounds: Number(values.rounds) }),
    ...(values.tools === undefined ? {} : { tools: values.tools.split(",").map(Number) }),
    ...(values.concurrency === undefined
      ? {}
      : { concurrency: values.concurrency.split(",").map(Number) }),
    ...(values.streams === undefined ? {} : { streams: Number(values.streams) }),
    log: (line) => process.stderr.write(`${line} (load ${(loadavg()[0] ?? 0).toFixed(1)})\n`),
  };
  const counts = [
    settings.rounds,
    settings.streams - 50,
    ...settings.tools,
    ...settings.concurrency,
  ];
  if (values.help === true) return say(USAGE, 0);
  if (!counts.every((count) => Number.isInteger(count) && count > 0)) return say(USAGE, 2);
  ensurePeers();
  const sections = await sectionsNamed(values.only?.split(","));
  if (sections.length === 0) return say(USAGE, 2);

  const findings: Findings[] = [];
  for (const section of sections) findings.push(await section.run(settings));
  const targets = findings.flatMap((found) => found.targets);
  const report = markdownOf(settings, findings, targets);
  if (values.report === true) writeFileSync(REPORT, report);
  console.log(report);
  const missed = targets.filter((target) => !target.isMet).length;
  console.log(`${targets.length - missed} passed, ${missed} failed, 0 skipped`);
  return missed === 0 ? 0 : 1;
}

/** The sections asked for, or all; none if a name is unknown. They load the peers, so they come last. */
async function sectionsNamed(names: readonly string[] | undefined): Promise<readonly Section[]> {
  const [{ http }, { stdio }, { client }, { streams }, { start }, { size }] = await Promise.all([
    import("./sections/http.ts"),
    import("./sections/stdio.ts"),
    import("./sections/client.ts"),
    import("./sections/streams.ts"),
    import("./sections/start.ts"),
    import("./sections/size.ts"),
  ]);
  const all = [http, stdio, client, streams, start, size];
  if (names === undefined) return all;
  const wanted = all.filter((section) => names.includes(section.name));
  return wanted.length === names.length ? wanted : [];
}

function markdownOf(
  { rounds, windowMs }: Settings,
  findings: readonly Findings[],
  targets: readonly Target[],
): string {
  const { version }: { readonly version: string } = JSON.parse(
    readFileSync(fileURLToPath(import.meta.resolve("bowline/package.json")), "utf8"),
  );
  const results = targets.map((t) => `- ${t.isMet ? "met" : "MISSED"}: ${t.claim} — ${t.measured}`);
  return [
    "# Results",
    `bowline ${version}, Node ${process.version}, ${cpus()[0]?.model ?? "unknown processor"}, ` +
      `${cpus().length} cores, ${process.platform}; ${rounds} rounds of ${windowMs} ms. ` +
      "`README.md` says how figures are taken.",
    ...(results.length === 0 ? [] : [`## Targets\n\n${results.join("\n")}`]),
    "## Measurements",
    ...findings.map((found) => found.markdown),
    "",
  ].join("\n\n");
}

function say(text: string, code: number): number {
  console.log(text);
  return code;
}

process.exitCode = await main();
