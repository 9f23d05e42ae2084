/* oxlint-disable no-await-in-loop -- windows that overlap would measure each other */
import { Hosted } from "../hosted.ts";
import { runLanes, type Lane } from "../load.ts";
import { PEERS } from "../peers/all.ts";
import { cpuRatio, inRounds, middle, type Measure, type Series } from "../rounds.ts";
import { times } from "../statistics.ts";
import { table, type Cell } from "../table.ts";
import type { Section } from "./section.ts";

const TOOLS = 1;
const IN_FLIGHT = [1, 64];

/** `tools/call` over a child's pipes, one at a time and many in flight. */
export const stdio: Section = {
  name: "stdio",
  run: async (settings) => {
    const servers: Hosted[] = [];
    try {
      for (const peer of PEERS) {
        if (peer.startStdio === undefined) continue;
        servers.push(await Hosted.start(peer.name, TOOLS, "stdio"));
      }
      const sendOf = new Map(servers.map((server) => [server, laneOver(server)]));
      const parts: string[] = [];
      for (const concurrency of IN_FLIGHT) {
        const measure: Measure = (server, durationMs, checkEvery) => {
          const lane = sendOf.get(server);
          if (lane === undefined) throw new Error(`${server.name} has no pipes`);
          const lanes = Array.from({ length: concurrency }, () => lane);
          const load = { work: "call", tools: TOOLS, concurrency, durationMs, checkEvery } as const;
          return runLanes(lanes, load);
        };
        const all = await inRounds(servers, measure, settings);
        parts.push(`**tools/call over stdio, ${concurrency} in flight**\n\n${tableOf(all)}`);
        settings.log(`stdio: ${concurrency} in flight`);
      }
      return { markdown: parts.join("\n\n"), targets: [] };
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
    }
  },
};

/** Send lines to a server and match its answers by their id. */
function laneOver(server: Hosted): Lane {
  const waiting = new Map<number, (line: Buffer) => void>();
  const { stdin, stdout } = server.pipes;
  const parts: Buffer[] = [];
  stdout.on("data", (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      parts.push(chunk.subarray(start, end));
      const line = parts.length === 1 ? chunk.subarray(start, end) : Buffer.concat(parts);
      parts.length = 0;
      start = end + 1;
      const id = idIn(line.toString("latin1"));
      waiting.get(id)?.(line);
      waiting.delete(id);
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  });
  return (body) =>
    new Promise((resolve) => {
      waiting.set(idIn(body), resolve);
      stdin.write(`${body}\n`);
    });
}

function idIn(line: string): number {
  return Number(/"id":(\d+)/.exec(line)?.[1]);
}

function tableOf(all: readonly Series[]): string {
  const find = (name: string): Series | undefined => all.find((s) => s.server.name === name);
  return table(
    [
      "peer",
      "per second",
      "p50 ms",
      "p99 ms",
      "server CPU µs a call",
      "CPU to floor",
      "CPU to official v2",
      "RSS MB",
    ],
    all.map((series): readonly Cell[] => [
      series.server.name,
      middle(series, "perSecond"),
      middle(series, "p50Ms"),
      middle(series, "p99Ms"),
      middle(series, "cpuMicrosPerCall"),
      times(cpuRatio(series, find("floor"))),
      times(cpuRatio(series, find("official v2"))),
      middle(series, "rssMB"),
    ]),
  );
}
