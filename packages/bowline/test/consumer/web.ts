/** A program for the web that publishes its server: compiled against the build, without the types of Node. */
import { connect, createServer, defineTool, serveHttp } from "bowline";
import { createClient } from "bowline/client";
import { createMemoryEngine } from "bowline/engine";
import { serveHttp as serve } from "bowline/http";
import * as schema from "bowline/schema";
import * as serverOnly from "bowline/server";

export const echo = defineTool(
  "echo",
  { inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] } },
  ({ text }) => text,
);

export const server = createServer({ name: "consumer", version: "1.0.0" })
  .add(echo)
  .tool("now", { outputSchema: { type: "string" } }, () => "now")
  .prompt("review", { argsSchema: { type: "object" } }, () => "review")
  .resourceTemplate("note://{name}", {}, ({ name }) => name);

export const handler = serveHttp(server);
export const worker = { fetch: serve(server) };
export const inMemory = createClient(server);
export const remote = () => connect<typeof server>("https://example.com/mcp");
export const parts = { schema, serverOnly };
export const shared = createMemoryEngine({ limits: { maxEntries: 100 } });
