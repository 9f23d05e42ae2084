/* oxlint-disable no-await-in-loop -- windows that overlap would measure each other */
import { Hosted } from "../hosted.ts";
import { loadHttp } from "../load.ts";
import { PEERS } from "../peers/all.ts";
import { cpuRatio, inRounds, middle, type Measure, type Series } from "../rounds.ts";
import { times } from "../statistics.ts";
import { table, type Cell } from "../table.ts";
import { METHODS, type Work } from "../wire.ts";
import { atMost, type Section, type Settings, type Target } from "./section.ts";

/** The concurrency the targets are read at: busy, and not yet queueing. */
const REFERENCE = 16;
const MANY_TOOLS = 1000;

interface Measured {
  readonly work: Work;
  readonly tools: number;
  readonly concurrency: number;
  readonly all: readonly Series[];
}

/** `tools/call` and `tools/list` over HTTP, every peer in a process of its own. */
export const http: Section = {
  name: "http",
  run: async (settings) => {
    const measured: Measured[] = [];
    for (const tools of settings.tools) measured.push(...(await measureTools(tools, settings)));
    return { markdown: measured.map(markdownOf).join("\n\n"), targets: targetsOf(measured) };
  },
};

async function measureTools(tools: number, settings: Settings): Promise<readonly Measured[]> {
  const servers: Hosted[] = [];
  try {
    for (const peer of PEERS) servers.push(await Hosted.start(peer.name, tools, "http"));
    // Beside the big registry runs a small one, so that their ratio is taken inside each round too.
    const small = tools > 1 ? [await Hosted.start("bowline", 1, "http")] : [];
    servers.push(...small);
    const measured: Measured[] = [];
    for (const work of ["call", "list"] as const) {
      const taking =
        work === "call" ? servers : servers.filter((server) => !small.includes(server));
      for (const concurrency of settings.concurrency) {
        const all = await inRounds(taking, measureOf(work, concurrency), settings);
        measured.push({ work, tools, concurrency, all });
        settings.log(`http: ${METHODS[work]}, ${tools} tools, concurrency ${concurrency}`);
      }
    }
    return measured;
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

function measureOf(work: Work, concurrency: number): Measure {
  return (server, durationMs, checkEvery) => {
    const { port, path } = server.http;
    const { tools } = server;
    return loadHttp(port, path, { work, tools, concurrency, durationMs, checkEvery });
  };
}

function markdownOf({ work, tools, concurrency, all }: Measured): string {
  const find = (name: string): Series | undefined => seriesOf(all, name, tools);
  const rows = all.map((series): readonly Cell[] => {
    const { server } = series;
    const generator = middle(series, "generatorShare") > 0.9 ? " (g)" : "";
    const fewer = server.tools === tools ? "" : `, ${server.tools} tool`;
    if (series.failure !== undefined) {
      const rest = HEAD.slice(2).map((): Cell => "–");
      return [`${server.name}${fewer}`, `failed: ${series.failure}`, ...rest];
    }
    return [
      `${server.name}${fewer}${generator}`,
      middle(series, "perSecond"),
      middle(series, "p50Ms"),
      middle(series, "p99Ms"),
      middle(series, "cpuMicrosPerCall"),
      times(cpuRatio(series, find("floor"))),
      times(cpuRatio(series, find("web floor"))),
      times(cpuRatio(series, find("official v2"))),
      middle(series, "bytes"),
      middle(series, "rssMB"),
    ];
  });
  const title = `**${METHODS[work]}, ${tools} ${tools === 1 ? "tool" : "tools"}, concurrency ${concurrency}**`;
  return `${title}\n\n${table(HEAD, rows)}`;
}

const HEAD = [
  "peer",
  "per second",
  "p50 ms",
  "p99 ms",
  "server CPU µs a call",
  "CPU to floor",
  "CPU to web floor",
  "CPU to official v2",
  "answer bytes",
  "RSS MB",
];

function seriesOf(all: readonly Series[], name: string, tools: number): Series | undefined {
  return all.find(({ server }) => server.name === name && server.tools === tools);
}

function targetsOf(measured: readonly Measured[]): readonly Target[] {
  const calls = (tools: number): readonly Series[] => {
    const isIt = (m: Measured): boolean =>
      m.work === "call" && m.tools === tools && m.concurrency === REFERENCE;
    return measured.find(isIt)?.all ?? [];
  };
  const [few, many] = [calls(1), calls(MANY_TOOLS)];
  const toFloor = cpuRatio(seriesOf(few, "bowline", 1), seriesOf(few, "floor", 1));
  const toOfficial = cpuRatio(seriesOf(few, "official v2", 1), seriesOf(few, "bowline", 1));
  const growth = cpuRatio(seriesOf(many, "bowline", MANY_TOOLS), seriesOf(many, "bowline", 1));
  // A selection of tables decides only the targets whose tables are in it.
  const ofFew = [
    atMost("CPU a tools/call ≤ 1.6 × the floor", toFloor, 1.6, times(toFloor)),
    atMost("CPU a tools/call ≥ 10 × less than official v2", 10, toOfficial, times(toOfficial)),
  ];
  const ofMany = [
    atMost("1,000 tools ≤ 1.1 × the CPU a call of 1 tool", growth, 1.1, times(growth)),
  ];
  return [...(few.length > 0 ? ofFew : []), ...(many.length > 0 ? ofMany : [])];
}
