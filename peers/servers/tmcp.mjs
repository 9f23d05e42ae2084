/** A harbour office, written with tmcp as its documentation shows: `node tmcp.mjs http|stdio`. */
import { getRequestListener } from "@hono/node-server";
import { ZodJsonSchemaAdapter } from "@tmcp/adapter-zod";
import { HttpTransport } from "@tmcp/transport-http";
import { StdioTransport } from "@tmcp/transport-stdio";
import { createServer } from "node:http";
import { McpServer } from "tmcp";
import * as z from "zod";
import { announce } from "./announce.mjs";
import { SHIPS, text } from "./harbour.mjs";

const server = new McpServer(
  { name: "harbour", version: "1.0.0", description: "a harbour" },
  {
    adapter: new ZodJsonSchemaAdapter(),
    capabilities: {
      tools: { listChanged: true },
      resources: {},
      prompts: {},
      completions: {},
    },
  },
);
server.tool(
  {
    name: "add",
    description: "Adds two numbers",
    schema: z.object({ a: z.number(), b: z.number() }),
    outputSchema: z.object({ sum: z.number() }),
  },
  async ({ a, b }) => ({ ...text(String(a + b)), structuredContent: { sum: a + b } }),
);
server.tool({ name: "fail", description: "Fails" }, async () => ({
  ...text("the crane is broken"),
  isError: true,
}));
server.tool(
  { name: "count", description: "Counts", schema: z.object({ to: z.number() }) },
  async ({ to }) => {
    for (let progress = 1; progress <= to; progress += 1) server.progress(progress, to);
    return text(`counted to ${to}`);
  },
);
server.tool(
  {
    name: "sink",
    description: "Sinks a ship",
    schema: z.object({ ship: z.string() }),
    replayable: true,
  },
  async ({ ship }) => {
    const answer = await server.elicitation(`Sink ${ship}?`, z.object({ sure: z.boolean() }));
    return text(answer.content?.sure === true ? `${ship} is gone` : `${ship} floats`);
  },
);
server.tool({ name: "change", description: "Changes the list of tools" }, async () => {
  setTimeout(() => server.changed("tools"), 0);
  return text("changed");
});
server.resource(
  { name: "harbour", description: "All ships", uri: "harbour://ships", mimeType: "text/plain" },
  async (uri) => ({ contents: [{ uri, text: SHIPS.join("\n") }] }),
);
server.template(
  { name: "ship", description: "One ship", uri: "harbour://ships/{name}" },
  async (uri, { name }) => ({ contents: [{ uri, text: `the ship ${String(name)}` }] }),
);
server.prompt(
  {
    name: "greet",
    description: "Greets a ship",
    schema: z.object({ ship: z.string() }),
    complete: {
      ship: (value) => ({
        completion: { values: SHIPS.filter((name) => name.startsWith(value)), hasMore: false },
      }),
    },
  },
  async ({ ship }) => ({
    messages: [{ role: "user", content: { type: "text", text: `Greet the ${ship}.` } }],
  }),
);

if (process.argv[2] === "stdio") {
  new StdioTransport(server).listen();
} else {
  const transport = new HttpTransport(server, { path: "/mcp", allowedOrigins: [] });
  const listener = getRequestListener(
    async (request) => (await transport.respond(request)) ?? new Response(null, { status: 404 }),
  );
  announce(createServer((request, response) => void listener(request, response)));
}
