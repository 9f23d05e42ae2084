import { Connection } from "./connection.ts";
import { quantile } from "./statistics.ts";
import { faultOf, httpHead, requestOf, type Work } from "./wire.ts";

export interface Load {
  readonly work: Work;
  readonly tools: number;
  readonly concurrency: number;
  readonly durationMs: number;
  /** Every how many answers are checked in full; the rest for status and expected text. */
  readonly checkEvery: number;
}

export interface Window {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly bytes: number;
  /** The share of one core the generator itself used: near 1, the rate is its own and not the server's. */
  readonly generatorShare: number;
}

/** A way to send one request and get the body of its answer. */
export type Lane = (body: string) => Promise<Buffer>;

let nextId = 1;

/** Load a server over HTTP, `concurrency` connections with one request outstanding on each. */
export async function loadHttp(port: number, path: string, load: Load): Promise<Window> {
  const head = httpHead(load.work, port, path);
  const connections = await Promise.all(
    Array.from({ length: load.concurrency }, () => Connection.open(port)),
  );
  const lanes = connections.map((connection): Lane => async (body) => {
    const reply = await connection.send(`${head}${body.length}\r\n\r\n${body}`);
    if (reply.status !== 200) {
      throw new Error(`status ${reply.status}: ${reply.body.toString("utf8").slice(0, 200)}`);
    }
    return reply.body;
  });
  try {
    return await runLanes(lanes, load);
  } finally {
    for (const connection of connections) connection.close();
  }
}

/** Keep every lane busy until the time is over; rejects at the first wrong answer. */
export async function runLanes(lanes: readonly Lane[], load: Load): Promise<Window> {
  const latencies: number[] = [];
  let bytes = 0;
  const cpu = process.cpuUsage();
  const start = performance.now();
  const end = start + load.durationMs;
  const busy = async (lane: Lane): Promise<void> => {
    for (let sentAt = start; sentAt < end; sentAt = performance.now()) {
      const id = nextId++;
      const { body, expected } = requestOf(load.work, id);
      // oxlint-disable-next-line no-await-in-loop -- a lane has one request outstanding
      const answer = await lane(body);
      latencies.push(performance.now() - sentAt);
      bytes += answer.length;
      if (!answer.includes(expected)) throw new Error(`wrong: ${answer.toString().slice(0, 200)}`);
      if (latencies.length % load.checkEvery !== 0) continue;
      const fault = faultOf(answer.toString("utf8"), load.work, id, load.tools);
      if (fault !== undefined) throw new Error(fault);
    }
  };
  await Promise.all(lanes.map(busy));
  const wallMs = performance.now() - start;
  const used = process.cpuUsage(cpu);
  latencies.sort((a, b) => a - b);
  return {
    requests: latencies.length,
    perSecond: latencies.length / (wallMs / 1000),
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    bytes: bytes / latencies.length,
    generatorShare: (used.user + used.system) / 1000 / wallMs,
  };
}
