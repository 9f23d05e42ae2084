import { setImmediate } from "node:timers/promises";
import { nowMs } from "./clock.ts";
import { peerNamed } from "./peers/all.ts";
import type { Running, Serving } from "./peers/peer.ts";
import { toolSpecs } from "./tools.ts";

/** What the process of a peer tells its parent when it is ready, and when it is asked. */
export interface Ready {
  readonly ready: Running | null;
}
export interface Usage {
  readonly cpuMs: number;
  readonly rssMB: number;
  readonly heapMB: number;
}
export interface Published {
  readonly atMs: number;
}
export interface Question {
  readonly ask: "usage" | "collected" | "publish";
}

// argv: peer, number of tools, "http" or "stdio". One peer runs in this process, and nothing else.
const [peerName = "", tools = "1", transport = "http"] = process.argv.slice(2);
const peer = peerNamed(peerName);
const specs = toolSpecs(Number(tools));
let serving: Serving | undefined;
const tell = (message: Ready | Usage | Published): boolean | undefined => process.send?.(message);

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  return { cpuMs: (user + system) / 1000, rssMB: rss / 2 ** 20, heapMB: heapUsed / 2 ** 20 };
}

/** What finalisers and closed handles hold goes a turn later, so one collection is not enough. */
async function collect(): Promise<void> {
  for (let run = 0; run < 3; run++) {
    globalThis.gc?.();
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await setImmediate();
  }
}

async function answer({ ask }: Question): Promise<Usage | Published> {
  if (ask === "collected") await collect();
  if (ask !== "publish") return usage();
  const atMs = nowMs();
  serving?.changeTools?.();
  return { atMs };
}

process.on("message", (question: Question) => void answer(question).then(tell));
process.on("disconnect", () => process.exit(0));

if (transport === "http") {
  serving = await peer.startHttp(specs);
  tell({ ready: { port: serving.port, path: serving.path } });
} else {
  await peer.startStdio?.(specs);
  tell({ ready: null });
}
