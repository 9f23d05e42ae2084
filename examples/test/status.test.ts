import { once } from "node:events";
import { createServer, serveHttp } from "bowline";
import type { Authorize } from "bowline/http";
import { createListener } from "bowline/node";
import express from "express";
import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";

/** Rows of the table of answers in docs/transports/http.md. */

const server = createServer({ name: "rows", version: "1.0.0" })
  .tool("sized", { inputSchema: z.object({ size: z.number() }) }, () => "ok")
  .tool("asks", { requires: { elicitation: {} } }, () => "ok")
  .tool("fails", {}, () => {
    throw new Error("a fault");
  });
const quiet = createServer({ name: "rows", version: "1.0.0" }, { onError: () => undefined }).tool(
  "fails",
  {},
  () => {
    throw new Error("a fault");
  },
);

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

interface Sent {
  readonly method?: string;
  readonly params?: object;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly verb?: string;
  readonly url?: string;
}

function requestOf(sent: Sent): Request {
  const { method = "tools/list", params = {}, verb = "POST" } = sent;
  const { url = "http://127.0.0.1/mcp" } = sent;
  const name = "name" in params ? { "Mcp-Name": String(params.name) } : undefined;
  const message = { jsonrpc: "2.0", id: 1, method, params: { _meta: META, ...params } };
  return new Request(url, {
    method: verb,
    headers: {
      Host: new URL(url).host,
      "Content-Type": "application/json",
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": method,
      ...name,
      ...sent.headers,
    },
    ...(verb === "POST" ? { body: sent.body ?? JSON.stringify(message) } : {}),
  });
}

async function answerTo(
  sent: Sent,
  handle: (request: Request) => Promise<Response> = serveHttp(server),
): Promise<readonly [status: number, error: unknown]> {
  return read(await handle(requestOf(sent)));
}

/** The status, and the code of the error; `isError` for the result of a tool that failed. */
async function read(response: Response): Promise<readonly [number, unknown]> {
  const text = await response.text();
  if (text === "") return [response.status, undefined];
  const { error, result }: { error?: { code: number }; result?: { isError?: boolean } } =
    JSON.parse(text);
  return [response.status, error?.code ?? (result?.isError === true ? "isError" : "result")];
}

const call = (name: string, args: object = {}): Sent => ({
  method: "tools/call",
  params: { name, arguments: args },
});
const elsewhere = "https://elsewhere.example";
const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`x-${index}`, "1"]));

describe("the answers of an HTTP endpoint", () => {
  test.each<[string, Sent, readonly [number, unknown]]>([
    ["a result", {}, [200, "result"]],
    ["too many header fields", { headers: many }, [431, -32600]],
    ["a foreign Host", { url: "http://mcp.example.com/mcp" }, [403, -32600]],
    ["a foreign Origin", { headers: { Origin: elsewhere } }, [403, -32600]],
    ["another path", { url: "http://127.0.0.1/other" }, [404, undefined]],
    ["GET", { verb: "GET" }, [405, undefined]],
    ["another media type", { headers: { "Content-Type": "text/plain" } }, [415, -32600]],
    ["an encoded body", { headers: { "Content-Encoding": "gzip" } }, [415, -32600]],
    ["Accept of something else", { headers: { Accept: "text/html" } }, [406, -32600]],
    [
      "a subscription that takes no event stream",
      {
        method: "subscriptions/listen",
        params: { notifications: {} },
        headers: { Accept: "application/json" },
      },
      [406, -32600],
    ],
    ["a body over the limit", { body: " ".repeat(4 * 1024 * 1024 + 1) }, [413, -31001]],
    ["broken JSON", { body: "{" }, [400, -32700]],
    ["a batch", { body: "[]" }, [400, -32600]],
    ["a header that differs", { headers: { "Mcp-Method": "ping" } }, [400, -32020]],
    ["no _meta", { params: { _meta: undefined } }, [400, -32602]],
    [
      "an unknown revision",
      {
        params: { _meta: { ...META, "io.modelcontextprotocol/protocolVersion": "2099-01-01" } },
        headers: { "MCP-Protocol-Version": "2099-01-01" },
      },
      [400, -32022],
    ],
    [
      "a notification",
      {
        body: '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
        headers: { "Mcp-Method": "notifications/cancelled" },
      },
      [202, undefined],
    ],
    ["an unknown method", { method: "tools/unknown" }, [404, -32601]],
    ["a method without its capability", { method: "prompts/list" }, [404, -32601]],
    ["a missing client capability", call("asks"), [400, -32021]],
    ["an unknown tool", call("unknown"), [200, -32602]],
    ["a bad cursor", { params: { cursor: "x" } }, [200, -32602]],
    ["arguments that do not fit", call("sized", { size: "big" }), [200, "isError"]],
  ])("%s", async (_, sent, expected) => {
    expect(await answerTo(sent)).toEqual(expected);
  });

  test("a handler that throws", async () => {
    expect(await answerTo(call("fails"), serveHttp(quiet))).toEqual([200, -32603]);
  });

  test.each<[string, Authorize, readonly [number, unknown]]>([
    ["refuses", () => ({ refusal: { status: 401 } }), [401, undefined]],
    [
      "throws",
      () => {
        throw new Error("no key");
      },
      [500, -32603],
    ],
    // @ts-expect-error -- what JavaScript may give
    ["gives no whole principal", () => ({ principal: { subject: "someone" } }), [500, -32603]],
  ])("authorize that %s", async (_, authorize, expected) => {
    const handle = serveHttp(server, { authorize, onError: () => undefined });
    expect(await answerTo({}, handle)).toEqual(expected);
  });

  test("a body that express.json() has read", async () => {
    const app = express().use(express.json());
    app.all("/mcp", createListener(server, { onError: () => undefined }));
    const http = app.listen(0, "127.0.0.1");
    onTestFinished(() => void http.close());
    await once(http, "listening");
    const address = http.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const { headers, body } = requestOf({});
    const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
      method: "POST",
      headers: [...headers].filter(([name]) => name !== "host"),
      body: await new Response(body).text(),
    });
    expect(await read(response)).toEqual([500, -32603]);
  });
});
