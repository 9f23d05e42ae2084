/* oxlint-disable no-await-in-loop -- windows that overlap would measure each other */
import { fileURLToPath } from "node:url";
import { CALLERS } from "../callers/all.ts";
import type { Reach } from "../callers/caller.ts";
import type { Calls, CallsQuestion } from "../calls.ts";
import { Child } from "../child.ts";
import { Hosted } from "../hosted.ts";
import { median, pairedRatio, times } from "../statistics.ts";
import { table, type Cell } from "../table.ts";
import { atMost, type Section, type Settings, type Target } from "./section.ts";

const HOST = fileURLToPath(new URL("../host.js", import.meta.url));
const IN_FLIGHT = [1, 16, 64];
const OVER_LINES: Reach = {
  transport: "stdio",
  command: process.execPath,
  args: [HOST, "floor", "1", "stdio"],
};

interface Series {
  readonly name: string;
  readonly samples: Calls[];
}

/** What a call costs the process of a client, with the floor as the server. */
export const client: Section = {
  name: "client",
  run: async (settings) => {
    const server = await Hosted.start("floor", 1, "http");
    try {
      const { port, path } = server.http;
      const http: Reach = { transport: "http", url: `http://127.0.0.1:${port}${path}` };
      const overHttp = await measure(http, settings);
      const overLines = await measure(OVER_LINES, settings);
      return {
        markdown: [...overHttp.markdown, ...overLines.markdown].join("\n\n"),
        targets: [...targetsOverHttp(overHttp), ...targetsOverLines(overLines)],
      };
    } finally {
      await server.stop();
    }
  },
};

interface Measured {
  readonly markdown: readonly string[];
  /** By how many calls were in flight. */
  readonly series: ReadonlyMap<number, readonly Series[]>;
}

async function measure(reach: Reach, settings: Settings): Promise<Measured> {
  const { transport } = reach;
  // Over lines there is no second face.
  const names = CALLERS.map(({ name }) => name).filter(
    (name) => transport === "http" || name !== "bowline fetch",
  );
  const children = names.map(
    (name) => new Child(name, "calls.js", { args: [name, JSON.stringify(reach)] }),
  );
  try {
    for (const child of children) await child.next();
    const series = new Map<number, readonly Series[]>();
    for (const concurrency of IN_FLIGHT) {
      series.set(concurrency, await inRounds(children, concurrency, settings));
      settings.log(`client, ${transport}: ${concurrency} in flight`);
    }
    const markdown = Array.from(series, ([concurrency, all]) => {
      return `**a client's tools/call over ${transport}, ${concurrency} in flight**\n\n${tableOf(all)}`;
    });
    return { markdown, series };
  } finally {
    await Promise.all(children.map((child) => child.stop()));
  }
}

async function inRounds(
  children: readonly Child[],
  concurrency: number,
  { rounds, warmMs, windowMs }: Settings,
): Promise<readonly Series[]> {
  const all = children.map(({ name }): Series => ({ name, samples: [] }));
  const ask = (child: Child, durationMs: number): Promise<Calls> =>
    child.ask({ concurrency, durationMs } satisfies CallsQuestion);
  for (const child of children) await ask(child, warmMs);
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < children.length; turn++) {
      const index = (turn + round) % children.length;
      const child = children[index];
      if (child !== undefined) all[index]?.samples.push(await ask(child, windowMs));
    }
  }
  return all;
}

function tableOf(all: readonly Series[]): string {
  return table(
    [
      "client",
      "per second",
      "p50 ms",
      "p99 ms",
      "client CPU µs a call",
      "CPU to floor",
      "CPU to official v2",
      "RSS MB",
    ],
    all.map((series): readonly Cell[] => [
      series.name,
      middle(series, "perSecond"),
      middle(series, "p50Ms"),
      middle(series, "p99Ms"),
      middle(series, "cpuMicrosPerCall"),
      times(ratio(all, series.name, "floor")),
      times(ratio(all, series.name, "official v2")),
      middle(series, "rssMB"),
    ]),
  );
}

const middle = ({ samples }: Series, key: keyof Calls): number =>
  median(samples.map((sample) => sample[key]));

/** How the CPU a call of one compares with another's, round by round. */
function ratio(all: readonly Series[], name: string, base: string): number {
  const costs = (of: string): number[] => {
    const samples = all.find((series) => series.name === of)?.samples ?? [];
    return samples.map(({ cpuMicrosPerCall }) => cpuMicrosPerCall);
  };
  return pairedRatio(costs(name), costs(base));
}

function targetsOverHttp({ series }: Measured): readonly Target[] {
  const all = series.get(16) ?? [];
  const toFloor = ratio(all, "bowline", "floor");
  const less = ratio(all, "official v2", "bowline");
  return [
    atMost(
      "client CPU a call over HTTP ≤ 1.6 × bare node:http, 16 in flight",
      toFloor,
      1.6,
      times(toFloor),
    ),
    atMost(
      "client CPU a call over HTTP ≥ 4 × less than the official one, 16 in flight",
      4,
      less,
      times(less),
    ),
  ];
}

function targetsOverLines({ series }: Measured): readonly Target[] {
  const less = ratio(series.get(64) ?? [], "official v2", "bowline");
  return [
    atMost(
      "client CPU a call over stdio ≥ 4 × less than the official one, 64 in flight",
      4,
      less,
      times(less),
    ),
  ];
}
