/* oxlint-disable no-await-in-loop -- processes that start side by side would slow each other */
import { spawn } from "node:child_process";
import { resolvePeer } from "../../../peers/index.mjs";
import { figure, median, times } from "../statistics.ts";
import { table } from "../table.ts";
import { atMost, type Section } from "./section.ts";

/** A process start is short and scatters widely, so there are more rounds of it. */
const ROUNDS_PER_ROUND = 3;
const MAX_EXTRA_MS = 25;
const MAX_RATIO = 0.35;

interface Start {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly rssMB: number;
}
interface Import {
  readonly what: string;
  readonly url: string | undefined;
  readonly starts: Start[];
}

/** What importing the server costs a process, against an empty one and against the official server. */
export const start: Section = {
  name: "start",
  run: async ({ rounds, log }) => {
    const imports: readonly Import[] = [
      { what: "nothing", url: undefined, starts: [] },
      { what: "bowline/server", url: import.meta.resolve("bowline/server"), starts: [] },
      { what: "bowline", url: import.meta.resolve("bowline"), starts: [] },
      {
        what: "@modelcontextprotocol/server",
        url: resolvePeer("@modelcontextprotocol/server"),
        starts: [],
      },
    ];
    for (const { url } of imports) await startOnce(url); // fills the file cache
    for (let round = 0; round < rounds * ROUNDS_PER_ROUND; round++) {
      for (const one of imports) one.starts.push(await startOnce(one.url));
    }
    log("start: imports");
    return findings(imports);
  },
};

function findings(imports: readonly Import[]): Awaited<ReturnType<Section["run"]>> {
  const middle = (one: Import | undefined, key: keyof Start): number => {
    return median((one?.starts ?? []).map((s) => s[key]));
  };
  const extra = (one: Import | undefined): number => {
    const empty = imports[0]?.starts ?? [];
    return median((one?.starts ?? []).map((s, round) => s.wallMs - (empty[round]?.wallMs ?? 0)));
  };
  const rows = imports.map((one) => [
    one.what,
    middle(one, "wallMs"),
    extra(one),
    middle(one, "cpuMs"),
    middle(one, "rssMB"),
  ]);
  const ours = extra(imports.find((one) => one.what === "bowline/server"));
  const ratio = ours / extra(imports.find((one) => one.what === "@modelcontextprotocol/server"));
  const head = ["imported", "process ms", "more than nothing, ms", "CPU ms", "RSS MB"];
  return {
    markdown: `**Cold import, process start to exit**\n\n${table(head, rows)}`,
    targets: [
      atMost("import of the server ≤ 25 ms", ours, MAX_EXTRA_MS, `${figure(ours)} ms`),
      atMost("import of the server ≤ 0.35 × the official one", ratio, MAX_RATIO, times(ratio)),
    ],
  };
}

async function startOnce(url: string | undefined): Promise<Start> {
  const code = `${url === undefined ? "" : `await import(${JSON.stringify(url)});`}
    const { user, system } = process.cpuUsage();
    const rssMB = process.memoryUsage().rss / 2 ** 20;
    process.stdout.write(JSON.stringify({ cpuMs: (user + system) / 1000, rssMB }));`;
  const startedAt = performance.now();
  const child = spawn(process.execPath, ["--input-type=module", "--eval", code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const wallMs = performance.now() - startedAt;
  if (exitCode !== 0) throw new Error(`importing ${url} ended with ${exitCode}`);
  const own: { readonly cpuMs: number; readonly rssMB: number } = JSON.parse(out);
  return { wallMs, ...own };
}
