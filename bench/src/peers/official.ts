import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { importPeer } from "../../../peers/index.mjs";
import type { ToolSpec } from "../tools.ts";
import { zodOf } from "../zod.ts";
import { listenOnLoopback } from "./node-http.ts";
import type { Peer } from "./peer.ts";

/** The members used here of the official packages, which are installed on demand only. */
interface OfficialServer {
  registerTool(
    name: string,
    config: object,
    run: (args: Record<string, unknown>) => Promise<object>,
  ): void;
}
interface OfficialHandler {
  readonly notify: { toolsChanged(): void };
}
interface ServerModule {
  readonly McpServer: new (info: object, options: object) => OfficialServer;
  readonly createMcpHandler: (build: () => OfficialServer, options: object) => OfficialHandler;
}
interface StdioModule {
  readonly serveStdio: (build: () => OfficialServer) => void;
}
type NodeHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;
type Guard = (request: IncomingMessage, response: ServerResponse) => boolean;
interface NodeModule {
  readonly toNodeHandler: (handler: object) => NodeHandler;
  readonly localhostHostValidation: () => Guard;
  readonly localhostOriginValidation: () => Guard;
}

/** More than anyone asks for: what streams cost is measured, not where they end. */
const MAX_STREAMS = 100_000;

/** The official server as its documentation mounts it: guards, JSON answers, one server object a request. */
export const official: Peer = {
  name: "official v2",
  about: "@modelcontextprotocol/server 2.4.0 with @modelcontextprotocol/node, as documented",
  startHttp: async (tools) => {
    const { createMcpHandler } = await importPeer<ServerModule>("@modelcontextprotocol/server");
    const node = await importPeer<NodeModule>("@modelcontextprotocol/node");
    const options = { legacy: "reject", responseMode: "json", maxSubscriptions: MAX_STREAMS };
    const handler = createMcpHandler(await builderOf(tools), options);
    const handle = node.toNodeHandler(handler);
    const guards = [node.localhostHostValidation(), node.localhostOriginValidation()];
    const running = await listenOnLoopback(
      createServer((request, response) => {
        if (guards.every((guard) => guard(request, response))) void handle(request, response);
      }),
    );
    return { ...running, changeTools: () => handler.notify.toolsChanged() };
  },
  startStdio: async (tools) => {
    const { serveStdio } = await importPeer<StdioModule>("@modelcontextprotocol/server/stdio");
    serveStdio(await builderOf(tools));
  },
};

async function builderOf(tools: readonly ToolSpec[]): Promise<() => OfficialServer> {
  const { McpServer } = await importPeer<ServerModule>("@modelcontextprotocol/server");
  const registrations = tools.map(({ name, title, description, fields, run }) => {
    const config = { title, description, inputSchema: zodOf(fields) };
    const handler = async (args: Record<string, unknown>): Promise<object> => {
      return { content: [{ type: "text", text: run(args) }] };
    };
    return [name, config, handler] as const;
  });
  return () => {
    const options = { capabilities: { tools: { listChanged: true } } };
    const server = new McpServer({ name: "bench", version: "1.0.0" }, options);
    for (const registration of registrations) server.registerTool(...registration);
    return server;
  };
}
