/* oxlint-disable no-await-in-loop -- measurements that overlap would measure each other */
import { Hosted } from "../hosted.ts";
import { Listeners } from "../listeners.ts";
import { median, pairedRatio, times } from "../statistics.ts";
import { table, type Cell } from "../table.ts";
import { atMost, type Section, type Settings, type Target } from "./section.ts";

/** Each round starts all processes anew, and takes long. */
const MAX_ROUNDS = 5;
const WARM_STREAMS = 50;
const WARM_CHANGES = 20;
const CHANGES = 15;
const TAKING_PART = ["floor", "bowline", "official v2"] as const;

/** What the streams of one server cost in one round. */
interface Sample {
  readonly heapKB: number;
  readonly rssKB: number;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly cpuMs: number;
  readonly openCpuMs: number;
}
interface Series {
  readonly name: string;
  readonly samples: Sample[];
  failure: string | undefined;
}

/** Many open streams of changes: what they hold, and what one change for all of them takes. */
export const streams: Section = {
  name: "streams",
  run: async (settings) => {
    const all = TAKING_PART.map((name): Series => ({ name, samples: [], failure: undefined }));
    const rounds = Math.min(settings.rounds, MAX_ROUNDS);
    for (let round = 0; round < rounds; round++) {
      for (let turn = 0; turn < all.length; turn++) {
        const series = all[(turn + round) % all.length];
        if (series?.failure === undefined) await measure(series, settings.streams);
      }
      settings.log(`streams: round ${round + 1} of ${rounds}`);
    }
    return { markdown: markdownOf(all, settings), targets: targetsOf(all) };
  },
};

async function measure(series: Series | undefined, count: number): Promise<void> {
  if (series === undefined) return;
  const servers: { stop(): Promise<void> }[] = [];
  try {
    const server = await Hosted.start(series.name, 1, "http");
    servers.push(server);
    const clients = new Listeners();
    servers.push(clients);
    series.samples.push(await measureStreams(server, clients, count));
  } catch (error) {
    series.failure = error instanceof Error ? error.message : String(error);
  } finally {
    await Promise.all(servers.map((one) => one.stop()));
  }
}

async function measureStreams(server: Hosted, clients: Listeners, count: number): Promise<Sample> {
  await clients.open(server.http, WARM_STREAMS);
  for (let change = 1; change <= WARM_CHANGES; change++) await tell(server, clients);
  const before = await server.collected();
  await clients.open(server.http, count - WARM_STREAMS);
  const opened = await server.usage();
  const after = await server.collected();
  const told: Told[] = [];
  for (let n = 1; n <= CHANGES; n++) told.push(await tell(server, clients));
  const added = count - WARM_STREAMS;
  return {
    heapKB: ((after.heapMB - before.heapMB) * 1024) / added,
    rssKB: ((after.rssMB - before.rssMB) * 1024) / added,
    openCpuMs: opened.cpuMs - before.cpuMs,
    firstMs: median(told.map(({ firstMs }) => firstMs)),
    lastMs: median(told.map(({ lastMs }) => lastMs)),
    cpuMs: median(told.map(({ cpuMs }) => cpuMs)),
  };
}

type Told = Pick<Sample, "firstMs" | "lastMs" | "cpuMs">;

async function tell(server: Hosted, clients: Listeners): Promise<Told> {
  const before = await server.usage();
  const { atMs } = await server.publish();
  const heard = await clients.hear();
  const after = await server.usage();
  return {
    firstMs: heard.firstMs - atMs,
    lastMs: heard.lastMs - atMs,
    cpuMs: after.cpuMs - before.cpuMs,
  };
}

const HEAD = [
  "peer",
  "heap kB a stream",
  "to official v2",
  "RSS kB a stream",
  "first told, ms",
  "last told, ms",
  "to official v2",
  "server CPU ms a change",
  "to floor",
  "to official v2",
  "CPU ms to open",
];

function markdownOf(all: readonly Series[], settings: Settings): string {
  const find = (name: string): Series | undefined => all.find((series) => series.name === name);
  const [floor, official] = [find("floor"), find("official v2")];
  const rows = all.map((series): readonly Cell[] => {
    const { failure, name } = series;
    if (failure !== undefined) {
      return [name, `failed: ${failure}`, ...HEAD.slice(2).map((): Cell => "–")];
    }
    return [
      name,
      middle(series, "heapKB"),
      times(ratio(series, official, "heapKB")),
      middle(series, "rssKB"),
      middle(series, "firstMs"),
      middle(series, "lastMs"),
      times(ratio(series, official, "lastMs")),
      middle(series, "cpuMs"),
      times(ratio(series, floor, "cpuMs")),
      times(ratio(series, official, "cpuMs")),
      middle(series, "openCpuMs"),
    ];
  });
  const count = settings.streams.toLocaleString("en-US");
  return `**${count} streams, one change of the list of tools**\n\n${table(HEAD, rows)}`;
}

function middle({ samples }: Series, key: keyof Sample): number {
  return median(samples.map((sample) => sample[key]));
}

/** Round by round; NaN where one is missing. */
function ratio(series: Series | undefined, base: Series | undefined, key: keyof Sample): number {
  const valuesOf = (of: Series | undefined): number[] => {
    return (of?.samples ?? []).map((sample) => sample[key]);
  };
  return pairedRatio(valuesOf(series), valuesOf(base));
}

function targetsOf(all: readonly Series[]): readonly Target[] {
  const find = (name: string): Series | undefined => all.find((series) => series.name === name);
  const [ours, official] = [find("bowline"), find("official v2")];
  const memory = ratio(ours, official, "heapKB");
  const time = ratio(ours, official, "lastMs");
  return [
    atMost("memory a stream ≤ 0.5 × official v2", memory, 0.5, times(memory)),
    atMost("one change to all streams ≤ 0.5 × the time of official v2", time, 0.5, times(time)),
  ];
}
