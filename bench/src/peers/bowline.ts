import type { Server } from "bowline";
import type { ToolSpec } from "../tools.ts";
import { zodOf } from "../zod.ts";
import { serveFetch } from "./node-http.ts";
import type { Peer } from "./peer.ts";

/** More than anyone asks for: what streams cost is measured, not where they end. */
const MAX_STREAMS = 100_000;

/** bowline's listener straight on `node:http`. */
export const bowlineNode: Peer = {
  name: "bowline",
  about: "bowline, node:http face",
  startHttp: async (tools) => {
    const { listen } = await import("bowline/node");
    const server = await serverOf(tools);
    const { port, url } = await listen(server, { maxConnections: MAX_STREAMS });
    return { port, path: new URL(url).pathname, changeTools: () => changeTools(server) };
  },
  startStdio: async (tools) => {
    const { serveStdio } = await import("bowline/stdio");
    serveStdio(await serverOf(tools));
  },
};

/** bowline's fetch handler, behind an adapter that makes real web objects. */
export const bowlineWeb: Peer = {
  name: "bowline web",
  about: "bowline, web face",
  startHttp: async (tools) => {
    const { serveHttp } = await import("bowline/http");
    return serveFetch(serveHttp(await serverOf(tools)));
  },
};

function changeTools(server: Server): void {
  if (!server.removeTool("changing")) server.tool("changing", {}, () => "");
}

async function serverOf(tools: readonly ToolSpec[]): Promise<Server> {
  const { createServer } = await import("bowline/server");
  // One page, as the other peers answer.
  const options = { pageSize: Math.max(tools.length, 1) };
  const server: Server = createServer({ name: "bench", version: "1.0.0" }, options);
  for (const { name, title, description, fields, run } of tools) {
    server.tool(name, { title, description, inputSchema: zodOf(fields) }, (args) => run(args));
  }
  return server;
}
