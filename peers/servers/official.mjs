/** A harbour office, written with the official server as its documentation shows: `node official.mjs http|stdio`. */
import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
} from "@modelcontextprotocol/node";
import {
  acceptedContent,
  completable,
  createMcpHandler,
  inputRequired,
  McpServer,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createServer } from "node:http";
import * as z from "zod";
import { announce } from "./announce.mjs";
import { SHIPS, text } from "./harbour.mjs";

const Consent = z.object({ sure: z.boolean() });
let onChange = () => {};

function build() {
  const server = new McpServer(
    { name: "harbour", version: "1.0.0" },
    { capabilities: { tools: { listChanged: true } } },
  );
  server.registerTool(
    "add",
    {
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
    },
    async ({ a, b }) => ({ ...text(String(a + b)), structuredContent: { sum: a + b } }),
  );
  server.registerTool("fail", { inputSchema: z.object({}) }, async () => {
    throw new Error("the crane is broken");
  });
  server.registerTool(
    "count",
    { inputSchema: z.object({ to: z.number() }) },
    async ({ to }, context) => {
      const { progressToken } = context.mcpReq["_meta"] ?? {};
      for (let progress = 1; progress <= to; progress += 1) {
        await context.mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken, progress, total: to },
        });
      }
      return text(`counted to ${to}`);
    },
  );
  server.registerTool(
    "sink",
    { inputSchema: z.object({ ship: z.string() }) },
    async ({ ship }, context) => {
      const consent = acceptedContent(context.mcpReq.inputResponses, "consent", Consent);
      if (consent?.sure === true) return text(`${ship} is gone`);
      const message = `Sink ${ship}?`;
      return inputRequired({
        inputRequests: { consent: inputRequired.elicit({ message, requestedSchema: Consent }) },
      });
    },
  );
  server.registerTool("change", { inputSchema: z.object({}) }, async () => {
    setTimeout(onChange, 0);
    return text("changed");
  });
  addRest(server);
  if (process.argv[2] === "stdio") onChange = () => server.sendToolListChanged();
  return server;
}

/** What is there besides tools. */
function addRest(server) {
  server.registerResource(
    "harbour",
    "harbour://ships",
    { mimeType: "text/plain" },
    async (uri) => ({
      contents: [{ uri: uri.href, text: SHIPS.join("\n") }],
    }),
  );
  server.registerResource(
    "ship",
    new ResourceTemplate("harbour://ships/{name}", { list: undefined }),
    { mimeType: "text/plain" },
    async (uri, { name }) => ({ contents: [{ uri: uri.href, text: `the ship ${String(name)}` }] }),
  );
  const ship = completable(z.string(), (value) => SHIPS.filter((name) => name.startsWith(value)));
  server.registerPrompt("greet", { argsSchema: z.object({ ship }) }, ({ ship: name }) => ({
    messages: [{ role: "user", content: { type: "text", text: `Greet the ${name}.` } }],
  }));
}

if (process.argv[2] === "stdio") {
  serveStdio(build);
} else {
  const handler = createMcpHandler(build);
  onChange = () => handler.notify.toolsChanged();
  const handle = toNodeHandler(handler);
  const guards = [localhostHostValidation(), localhostOriginValidation()];
  announce(
    createServer((request, response) => {
      if (guards.every((guard) => guard(request, response))) void handle(request, response);
    }),
  );
}
