/**
 * The same few calls on every runtime, with what every runtime has: prints a line per case and the closing line.
 */
import { createClient, createServer, RpcError, serveHttp, ToolError } from "bowline";

const text = {
  type: "object",
  properties: { text: { type: "string", minLength: 1 } },
  required: ["text"],
} as const;

const server = createServer({ name: "smoke", version: "1.0.0" })
  .tool("echo", { inputSchema: text, outputSchema: text }, (args) => args)
  .tool("slow", {}, async (_args, ctx) => {
    await ctx.progress(1, 2, "half way");
    return "done";
  })
  .tool("fail", {}, () => {
    throw new ToolError("as planned");
  })
  .resourceTemplate("note:///{name}", { mimeType: "text/plain" }, ({ name }) => `note ${name}`);

const handle = serveHttp(server);

const CASES: Readonly<Record<string, () => Promise<unknown>>> = {
  "one JSON body": async () => {
    const response = await post("tools/call", { name: "echo", arguments: { text: "héllo" } });
    const { result } = await response.json();
    return [response.status, result.structuredContent];
  },
  "an event stream": async () => {
    const response = await post("tools/call", { name: "slow", _meta: { progressToken: "p" } });
    const events = [...(await response.text()).matchAll(/^data: (.*)$/gm)];
    return events.map(([, data = ""]) => JSON.parse(data).method ?? "result");
  },
  "a refusal": async () => {
    const response = await post("tools/call", { name: "echo" }, { "mcp-name": "other" });
    const { error } = await response.json();
    return [response.status, error.code];
  },
  "a typed client": async () => {
    await using client = createClient(server);
    const result = await client.callTool("echo", { text: "hello" });
    return result.isError === true ? "failed" : result.structuredContent.text;
  },
  "a failing tool": async () => {
    await using client = createClient(server);
    return (await client.callTool("fail")).isError;
  },
  "a template": async () => {
    await using client = createClient(server);
    return (await client.readResource("note:///a%20b")).contents;
  },
  "an error": async () => {
    await using client = createClient(server);
    return await client.readResource("nowhere://").then(
      () => "found",
      (error: unknown) => (RpcError.is(error) ? error.rpcCode : error),
    );
  },
};

const EXPECTED: Readonly<Record<string, unknown>> = {
  "one JSON body": [200, { text: "héllo" }],
  "an event stream": ["notifications/progress", "result"],
  "a refusal": [400, -32020],
  "a typed client": "hello",
  "a failing tool": true,
  "a template": [{ uri: "note:///a%20b", mimeType: "text/plain", text: "note a b" }],
  "an error": -32602,
};

function post(
  method: string,
  params: { readonly name: string; readonly [key: string]: unknown },
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    ...Object(params["_meta"]),
  };
  return handle(
    new Request("http://127.0.0.1:3000/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
        "mcp-name": params.name,
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } }),
    }),
  );
}

let failed = 0;
for (const [name, run] of Object.entries(CASES)) {
  const found = await run().catch((error: unknown) => String(error));
  const ok = JSON.stringify(found) === JSON.stringify(EXPECTED[name]);
  if (!ok) failed += 1;
  console.log(`  ${ok ? "ok    " : "FAILED"} ${name}${ok ? "" : `: ${JSON.stringify(found)}`}`);
}
console.log(`${Object.keys(CASES).length - failed} passed, ${failed} failed`);
