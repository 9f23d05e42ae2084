/**
 * A whole server behind `serveHttp`, against requests that are nearly right.
 *
 * Whatever comes in, the answer is a status of the table with a body that fits it; nothing of a thrown error gets out, no
 * prototype changes, and the server still answers a plain call.
 */
import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { createServer, RpcError, serveHttp, ToolError } from "bowline";
import * as fc from "fast-check";

const URL_OF_SERVER = "http://127.0.0.1:3000/mcp";
const VERSION = "2026-07-28";
const CANARY = "canary-4f1d";
const STATUSES = new Set([200, 202, 400, 403, 404, 405, 406, 408, 413, 415, 431]);
const CODES = new Set([
  -32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022, -31001, -31002, -31003,
]);
const NAMES = [
  "echo",
  "fail",
  "fault",
  "wrong",
  "__proto__",
  "constructor",
  "toString",
  "",
  "nobody",
];
const METHODS = [
  "tools/call",
  "tools/list",
  "prompts/get",
  "prompts/list",
  "resources/read",
  "resources/list",
  "resources/templates/list",
  "completion/complete",
  "server/discover",
  "notifications/cancelled",
  "initialize",
  "__proto__",
  "constructor",
];

export function http() {
  const handle = serveHttp(makeServer(), { onError: () => {} });
  const pristine = Object.getOwnPropertyNames(Object.prototype).toSorted();
  return fc.asyncProperty(hostileRequest(), async ({ method, headers, body }) => {
    const init = method === "GET" || method === "HEAD" ? { method } : { method, body };
    const response = await handle(new Request(URL_OF_SERVER, { ...init, headers }));
    const text = await response.text();
    ok(STATUSES.has(response.status), `status ${response.status}`);
    ok(!text.includes(CANARY), "the text of a thrown error got out");
    for (const message of messagesIn(response, text)) assertMessage(message);
    deepStrictEqual(Object.getOwnPropertyNames(Object.prototype).toSorted(), pristine);
    strictEqual(await plainCall(handle), "still here");
  });
}

function makeServer() {
  const text = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
  return createServer({ name: "fuzzed", version: "1.0.0" })
    .tool("echo", { inputSchema: text }, (args) => args.text)
    .tool("fail", {}, () => {
      throw new ToolError("failed as planned");
    })
    .tool("fault", {}, async (_args, ctx) => {
      await ctx.progress(1, 2, "half way");
      throw new Error(CANARY);
    })
    .tool("wrong", { outputSchema: text }, () => ({ text: 1 }))
    .prompt(
      "review",
      { argsSchema: { ...text }, complete: { text: () => ["a", "b"] } },
      (args) => args.text,
    )
    .resource("config://app", {}, () => "{}")
    .resourceTemplate("file:///{+path}{?query}", {}, ({ path }) => {
      if (path.includes("..")) throw new RpcError(-32602, "no such file");
      return path;
    });
}

/** Half of the requests are right but for one detail; the rest is further off. */
function hostileRequest() {
  const verb = fc.constantFrom(
    "POST",
    "POST",
    "POST",
    "POST",
    "POST",
    "GET",
    "DELETE",
    "PUT",
    "OPTIONS",
  );
  return fc
    .record({
      method: verb,
      message: fc.oneof(
        { weight: 3, arbitrary: nearlyRightMessage() },
        { weight: 1, arbitrary: fc.jsonValue() },
      ),
      skew: fc.dictionary(
        fc.constantFrom(
          "mcp-protocol-version",
          "mcp-method",
          "mcp-name",
          "content-type",
          "accept",
          "origin",
          "content-encoding",
          "mcp-param-x",
        ),
        fc.oneof(
          fc.constantFrom(
            "",
            "=?base64?ZWNobw==?=",
            "=?base64?ZWNobx==?=",
            "null",
            "*/*",
            "text/plain",
            VERSION,
          ),
          fc.string({ unit: "grapheme-ascii", maxLength: 12 }),
        ),
        { maxKeys: 1 },
      ),
      cut: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { freq: 6 }),
      junk: fc.option(fc.uint8Array({ minLength: 1, maxLength: 4 }), { freq: 8 }),
    })
    .map(({ method, message, skew, cut, junk }) => ({
      method,
      headers: { ...headersFor(message), ...skew },
      body: damage(new TextEncoder().encode(JSON.stringify(message)), cut, junk),
    }));
}

function nearlyRightMessage() {
  const meta = fc.record(
    {
      "io.modelcontextprotocol/protocolVersion": fc.constantFrom(
        VERSION,
        VERSION,
        VERSION,
        "2025-11-25",
        "",
        1,
      ),
      "io.modelcontextprotocol/clientCapabilities": fc.constantFrom({}, {}, {}, null, [], {
        elicitation: {},
      }),
      "io.modelcontextprotocol/logLevel": fc.constantFrom("info", "loud", 1),
      progressToken: fc.oneof(fc.string(), fc.integer(), fc.double(), fc.constant(null)),
    },
    {
      requiredKeys: [
        "io.modelcontextprotocol/protocolVersion",
        "io.modelcontextprotocol/clientCapabilities",
      ],
    },
  );
  const params = fc.record(
    {
      _meta: meta,
      name: fc.constantFrom(...NAMES),
      uri: fc.oneof(
        fc.constantFrom("config://app", "file:///a/b?query=1", "file:///../x"),
        fc.webUrl(),
        fc.string(),
      ),
      arguments: fc.oneof(
        fc.record({ text: fc.oneof(fc.string(), fc.jsonValue()) }),
        fc.jsonValue(),
      ),
      cursor: fc.oneof(fc.string(), fc.jsonValue()),
      ref: fc.oneof(fc.constantFrom({ type: "ref/prompt", name: "review" }), fc.jsonValue()),
      argument: fc.oneof(fc.constant({ name: "text", value: "a" }), fc.jsonValue()),
    },
    { requiredKeys: ["_meta"] },
  );
  return fc.record(
    {
      jsonrpc: fc.constantFrom("2.0", "2.0", "2.0", "2.0", 2, "1.0"),
      id: fc.oneof(fc.integer(), fc.string(), fc.double(), fc.constant(null)),
      method: fc.oneof(fc.constantFrom(...METHODS), fc.string()),
      params: fc.oneof({ weight: 5, arbitrary: params }, { weight: 1, arbitrary: fc.jsonValue() }),
    },
    { requiredKeys: ["jsonrpc", "method"] },
  );
}

function headersFor(message) {
  const { method, params } = Object(message);
  const name = method === "resources/read" ? Object(params).uri : Object(params).name;
  return {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": VERSION,
    "mcp-method": headerSafe(method),
    ...(name === undefined ? {} : { "mcp-name": headerSafe(name) }),
  };
}

function headerSafe(value) {
  const text = String(value);
  return /^[!-~](?:[ -~]*[!-~])?$/.test(text)
    ? text
    : `=?base64?${Buffer.from(text).toString("base64")}?=`;
}

function damage(bytes, cut, junk) {
  const kept = cut === null ? bytes : bytes.subarray(0, Math.floor(bytes.length * cut));
  return junk === null ? kept : Buffer.concat([kept, junk]);
}

function messagesIn(response, text) {
  const type = response.headers.get("content-type") ?? "";
  if (text === "") return [];
  if (type.startsWith("application/json")) return [JSON.parse(text)];
  if (!type.startsWith("text/event-stream")) return [];
  return [...text.matchAll(/^data: ?(.*)$/gm)].map(([, data]) => JSON.parse(data));
}

function assertMessage(message) {
  strictEqual(message.jsonrpc, "2.0");
  ok(message.id !== null, "an answer with a null id");
  if (message.method !== undefined) return strictEqual("id" in message, false);
  strictEqual("result" in message, !("error" in message));
  if ("error" in message) return ok(CODES.has(message.error.code), `code ${message.error.code}`);
  return strictEqual(typeof message.result.resultType, "string");
}

async function plainCall(handle) {
  const message = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name: "echo",
      arguments: { text: "still here" },
      _meta: {
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  };
  const headers = headersFor(message);
  const body = JSON.stringify(message);
  const response = await handle(new Request(URL_OF_SERVER, { method: "POST", headers, body }));
  const { result } = await response.json();
  return result?.content?.[0]?.text;
}
