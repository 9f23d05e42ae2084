import type { Server } from "bowline";
import type { ToolSpec } from "../tools.ts";
import { zodOf } from "../zod.ts";
import { serveFetch } from "./node-http.ts";
import type { Peer } from "./peer.ts";

/** bowline's listener straight on `node:http`. */
export const bowlineNode: Peer = {
  name: "bowline",
  about: "bowline, node:http face",
  startHttp: async (tools) => {
    const { listen } = await import("bowline/node");
    const running = await listen(await serverOf(tools), { port: 0 });
    const url = new URL(running.url);
    return { port: Number(url.port), path: url.pathname };
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
