import { callerNamed } from "./callers/all.ts";
import type { Reach } from "./callers/caller.ts";
import { quantile } from "./statistics.ts";

/** What the process of a caller is asked. */
export interface CallsQuestion {
  readonly concurrency: number;
  readonly durationMs: number;
}
/** What it did, and what that cost it. */
export interface Calls {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuMicrosPerCall: number;
  readonly rssMB: number;
}

// argv: caller, and how to reach the server as JSON. One caller runs in this process, and nothing else.
const [name = "", given = ""] = process.argv.slice(2);
const reach: Reach = JSON.parse(given);
const calling = await callerNamed(name).connect(reach);
let calls = 0;

async function run({ concurrency, durationMs }: CallsQuestion): Promise<Calls> {
  const latencies: number[] = [];
  const cpu = process.cpuUsage();
  const start = performance.now();
  const end = start + durationMs;
  const busy = async (): Promise<void> => {
    for (let sentAt = start; sentAt < end; sentAt = performance.now()) {
      const a = (calls += 1) % 9973;
      // oxlint-disable-next-line no-await-in-loop -- a lane has one call outstanding
      const text = await calling.add(a, 7);
      if (text !== String(a + 7)) throw new Error(`wrong: ${text}`);
      latencies.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, busy));
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  latencies.sort((a, b) => a - b);
  return {
    perSecond: latencies.length / (wallMs / 1000),
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    cpuMicrosPerCall: (user + system) / latencies.length,
    rssMB: process.memoryUsage().rss / 2 ** 20,
  };
}

process.on("message", (question: CallsQuestion) => {
  void run(question).then((answer) => process.send?.(answer));
});
process.on("disconnect", () => process.exit(0));
process.send?.({});
