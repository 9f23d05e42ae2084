import { expect, test } from "vitest";
import { connect, createServer, serveHttp, type Exchange } from "../../src/index.ts";

const URL_OF_SERVER = "http://127.0.0.1/mcp";

const region = { type: "string", "x-mcp-header": "Region" } as const;
const SCHEMA = { type: "object", properties: { region, note: { type: "string" } } } as const;

/** A server whose one tool mirrors its region, and the mirrored headers of every request it got. */
function weather() {
  const server = createServer({ name: "weather", version: "1.0.0" }).tool(
    "forecast",
    { inputSchema: SCHEMA },
    ({ region: where }) => `sunny in ${where ?? "no place"}`,
  );
  const handler = serveHttp(server);
  const seen: (readonly [method: string | null, region: string | null])[] = [];
  const fetch = (request: Request): Promise<Response> => {
    seen.push([request.headers.get("mcp-method"), request.headers.get("mcp-param-region")]);
    return handler(request);
  };
  return { server, seen, fetch };
}

const textOf = (text: string) => [{ type: "text", text }];

test("XHDR-02 XHDR-11 XHDR-16 XHDR-24 XHDR-30 XHDR-31 a client that listed the tools mirrors what they mark", async () => {
  const { seen, fetch } = weather();
  await using client = await connect(URL_OF_SERVER, { fetch });
  await client.listTools();
  const results = [
    await client.callTool("forecast", { region: "Tromsø", note: "x" }),
    await client.callTool("forecast", { note: "y" }),
  ];
  expect(results.map((result) => result.content)).toEqual([
    textOf("sunny in Tromsø"),
    textOf("sunny in no place"),
  ]);
  expect(seen).toEqual([
    ["tools/list", null],
    ["tools/call", "=?base64?VHJvbXPDuA==?="],
    ["tools/call", null],
  ]);
});

test("XHDR-25 a client that knows no definition yet lists the tools once and calls again", async () => {
  const { seen, fetch } = weather();
  await using client = await connect(URL_OF_SERVER, { fetch });
  const result = await client.callTool("forecast", { region: "Oslo" });
  expect(result.content).toEqual(textOf("sunny in Oslo"));
  expect(seen).toEqual([
    ["tools/call", null],
    ["tools/list", null],
    ["tools/call", "Oslo"],
  ]);
});

test("XHDR-25 a server that goes on refusing is not asked for ever", async () => {
  let calls = 0;
  const { fetch: answer } = weather();
  const fetch = async (request: Request): Promise<Response> => {
    if (request.headers.get("mcp-method") !== "tools/call") return answer(request);
    calls += 1;
    const error = { code: -32020, message: "no" };
    return Response.json({ jsonrpc: "2.0", error }, { status: 400 });
  };
  await using client = await connect(URL_OF_SERVER, { fetch });
  await expect(client.callTool("forecast", {})).rejects.toMatchObject({ rpcCode: -32020 });
  expect(calls).toBe(2);
});

test("XHDR-12 XHDR-13 XHDR-14 TOOLS-37 TOOLS-38 T-25 a tool whose marks break a rule is left out alone, with a warning that names it", async () => {
  const marked = (mark: unknown) => ({
    type: "object",
    properties: { a: { type: "string", "x-mcp-header": mark } },
  });
  const tools = [
    { name: "good", inputSchema: marked("Good") },
    { name: "bad\u001b[2J", inputSchema: marked("a b") },
    { name: "plain", inputSchema: { type: "object" } },
  ];
  const exchange: Exchange = async () => ({
    resultType: "complete",
    tools,
    ttlMs: 0,
    cacheScope: "private",
  });
  const warnings: string[] = [];
  await using client = await connect(URL_OF_SERVER, {
    fetch: serveHttp(exchange),
    onWarning: (message) => warnings.push(message),
  });
  expect((await client.listTools()).map(({ name }) => name)).toEqual(["good", "plain"]);
  expect(warnings).toEqual([
    'tool "bad\u{FFFD}[2J" is left out: "x-mcp-header \\"a b\\" is not the name of a header, at #/properties/a"',
  ]);
});

test("XHDR-15 TOOLS-39 a client without headers takes every tool", async () => {
  const inputSchema = { type: "object", properties: { a: { "x-mcp-header": "a b" } } };
  const exchange: Exchange = async () => ({
    resultType: "complete",
    tools: [{ name: "odd", inputSchema }],
    ttlMs: 0,
    cacheScope: "private",
  });
  await using client = await connect(exchange);
  expect((await client.listTools()).map(({ name }) => name)).toEqual(["odd"]);
});
