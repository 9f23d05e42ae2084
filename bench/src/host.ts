import { peerNamed } from "./peers/all.ts";
import type { Running } from "./peers/peer.ts";
import { toolSpecs } from "./tools.ts";

/** What the process of a peer tells its parent, when it is ready and whenever it is asked. */
export interface Ready {
  readonly ready: Running | null;
}
export interface Usage {
  readonly cpuMs: number;
  readonly rssMB: number;
}

// argv: peer, number of tools, "http" or "stdio". One peer runs in this process, and nothing else.
const [peerName = "", tools = "1", transport = "http"] = process.argv.slice(2);
const peer = peerNamed(peerName);
const specs = toolSpecs(Number(tools));
const tell = (message: Ready | Usage): boolean | undefined => process.send?.(message);

process.on("message", () => {
  const { user, system } = process.cpuUsage();
  tell({ cpuMs: (user + system) / 1000, rssMB: process.memoryUsage().rss / 2 ** 20 });
});
process.on("disconnect", () => process.exit(0));

if (transport === "http") tell({ ready: await peer.startHttp(specs) });
else {
  await peer.startStdio?.(specs);
  tell({ ready: null });
}
