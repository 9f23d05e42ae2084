/** A real server and a real client over Streamable HTTP, looked at between the two. */
import { describe, expect, test } from "vitest";
import { connect, createServer, serveHttp } from "../../src/index.ts";
import { CALL, describeFaces, fault, META, post } from "../http.ts";

interface Seen {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly id: unknown;
    readonly method: string;
    readonly params: Readonly<Record<string, unknown>>;
  };
}

const TOKEN = "io.modelcontextprotocol/protocolVersion";

const createNotes = () =>
  createServer({ name: "notes", version: "1.0.0" })
    .tool("echo", { inputSchema: { type: "object" } }, () => "echoed")
    .prompt("résumé", {}, () => "summarise")
    .resource("note://a", {}, () => "text");

/** Every kind of request of a client, as it came to the server. */
async function seeRequests(): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  const handle = serveHttp(createNotes());
  await using client = await connect<ReturnType<typeof createNotes>>("http://127.0.0.1:3000/mcp", {
    fetch: async (request) => {
      const copy = request.clone();
      const headers = Object.fromEntries(copy.headers);
      const body: Seen["body"] = JSON.parse(await copy.text());
      seen.push({ url: request.url, method: request.method, headers, body });
      return handle(request);
    },
  });
  await client.discover();
  await client.listTools();
  await client.callTool("echo");
  await client.getPrompt("résumé");
  await client.readResource("note://a");
  return seen;
}

describe("a client", () => {
  test("HTTP-10 HDR-01 HDR-02 HDR-09 SCHEMA-05 repeats revision and method of every body in its headers", async () => {
    const seen = await seeRequests();
    expect(seen.map(({ body }) => body.method)).toEqual([
      "server/discover",
      "tools/list",
      "tools/call",
      "prompts/get",
      "resources/read",
    ]);
    for (const { headers, body } of seen) {
      expect(headers).toMatchObject({
        "mcp-protocol-version": Object(body.params["_meta"])[TOKEN],
        "mcp-method": body.method,
      });
    }
  });

  test("HTTP-10 HDR-10 HDR-11 repeats names and URIs where there are any, encoded where they have to be", async () => {
    const seen = await seeRequests();
    expect(seen.map(({ headers }) => headers["mcp-name"])).toEqual([
      undefined,
      undefined,
      "echo",
      "=?base64?csOpc3Vtw6k=?=",
      "note://a",
    ]);
  });

  test("RPC-06 gives every request an id of its own", async () => {
    const ids = (await seeRequests()).map(({ body }) => body.id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("lists", () => {
  test("PAGE-03 PAGE-08 pages of any size are followed by the very cursors the server gave", async () => {
    const cursors = ["  ", "=?base64?", "0", '{"page":3}'];
    const asked: unknown[] = [];
    await using client = await connect(async (call) => {
      asked.push(call.params["cursor"]);
      const page = asked.length - 1;
      const tools = Array.from({ length: page }, (_, index) => ({
        name: `tool-${page}-${index}`,
        inputSchema: { type: "object" },
      }));
      const nextCursor = cursors[page];
      const more = nextCursor === undefined ? {} : { nextCursor };
      return { resultType: "complete", ttlMs: 0, cacheScope: "private", tools, ...more };
    });
    expect((await client.listTools()).map(({ name }) => name)).toEqual([
      "tool-1-0",
      "tool-2-0",
      "tool-2-1",
      "tool-3-0",
      "tool-3-1",
      "tool-3-2",
      "tool-4-0",
      "tool-4-1",
      "tool-4-2",
      "tool-4-3",
    ]);
    expect(asked).toEqual([undefined, ...cursors]);
  });
});

describe("results of older servers", () => {
  test("CHG-06 RPC-18 a result without resultType is complete", async () => {
    await using client = await connect(() =>
      Promise.resolve(JSON.parse('{ "content": [{ "type": "text", "text": "old" }] }')),
    );
    expect((await client.callTool("any")).content).toEqual([{ type: "text", text: "old" }]);
  });
});

describeFaces("a server", (start) => {
  test.each([
    ["META-13 META-14 no revision", -32602, { [TOKEN]: undefined }],
    [
      "META-13 META-14 no capabilities",
      -32602,
      { "io.modelcontextprotocol/clientCapabilities": undefined },
    ],
  ])("%s is answered with 400", async (_, code, meta) => {
    const face = await start(createNotes());
    const params = { name: "echo", _meta: JSON.parse(JSON.stringify({ ...META, ...meta })) };
    const answer = await face.send(post({ ...CALL, params }));
    expect(fault(answer)).toEqual({ status: 400, code, id: 1 });
  });

  test("META-16 META-17 SCHEMA-08 a missing capability is answered with 400", async () => {
    const server = createNotes().tool("ask", { requires: { elicitation: {} } }, () => "asked");
    const face = await start(server);
    const answer = await face.send(post({ ...CALL, params: { name: "ask" } }));
    expect(fault(answer)).toEqual({ status: 400, code: -32021, id: 1 });
  });

  test("SCHEMA-08 a header that differs and a revision that is not served are answered with 400", async () => {
    const face = await start(createNotes());
    const differs = await face.send(post(CALL, { "Mcp-Name": "other" }));
    expect(fault(differs)).toEqual({ status: 400, code: -32020, id: 1 });
    const params = { name: "echo", _meta: { ...META, [TOKEN]: "2030-01-01" } };
    const future = await face.send(
      post({ ...CALL, params }, { "MCP-Protocol-Version": "2030-01-01" }),
    );
    expect(fault(future)).toEqual({ status: 400, code: -32022, id: 1 });
  });

  test("HTTP-22 PAT-02 sends no request on a stream: every message is a notification or the answer", async () => {
    const server = createNotes().tool("slow", {}, async (_args, ctx) => {
      await ctx.progress(1, 2);
      await ctx.log.info("half way");
      return "done";
    });
    const face = await start(server);
    const meta = { ...META, progressToken: "p", "io.modelcontextprotocol/logLevel": "info" };
    const answer = await face.send(post({ ...CALL, params: { name: "slow", _meta: meta } }));
    const messages = [...answer.text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => {
      const { id, method }: Readonly<Record<string, unknown>> = JSON.parse(data);
      return { id, method };
    });
    expect(messages).toEqual([
      { id: undefined, method: "notifications/progress" },
      { id: undefined, method: "notifications/message" },
      { id: 1, method: undefined },
    ]);
  });

  test("CANC-05 HTTP-31 takes a client that leaves as a cancellation of its call", async () => {
    const aborted = withResolvers();
    const server = createNotes().tool("wait", {}, async (_args, ctx) => {
      await ctx.progress(1);
      await new Promise((resolve) => {
        ctx.signal.addEventListener("abort", () => {
          aborted.resolve(ctx.signal.aborted);
          resolve(undefined);
        });
      });
      return "nobody hears this";
    });
    const face = await start(server);
    const params = { name: "wait", _meta: { ...META, progressToken: "p" } };
    const answer = await face.open(post({ ...CALL, params }));
    await answer.until("notifications/progress");
    answer.abort();
    expect(await aborted.promise).toBe(true);
  });
});

function withResolvers(): { promise: Promise<unknown>; resolve: (value: unknown) => void } {
  let resolve: (value: unknown) => void = () => undefined;
  const promise = new Promise((settle) => (resolve = settle));
  return { promise, resolve };
}
