import { describe, expect, test } from "vitest";
import { DecodeError, LimitError, RpcError, TransportError } from "../base/errors.ts";
import type { HeaderParameter } from "../protocol/header-parameters.ts";
import type { CallContext } from "../protocol/exchange.ts";
import type { ServerNotification } from "../protocol/notifications.ts";
import type { Result } from "../protocol/result.ts";
import { connectHttp, type ConnectHttpOptions } from "./connect.ts";

const URL_OF_SERVER = "http://127.0.0.1:9/mcp";
const RESULT = { resultType: "complete", content: [] };
const ANSWER = { jsonrpc: "2.0", id: 7, result: RESULT };

const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json" },
  });

const stream = (...chunks: string[]): Response =>
  new Response(
    new ReadableStream({
      start: (controller) => {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
        controller.close();
      },
    }),
    { headers: { "content-type": "text/event-stream" } },
  );

const event = (message: unknown): string => `data: ${JSON.stringify(message)}\n\n`;

interface Sent {
  readonly method?: string;
  readonly params?: { readonly [name: string]: unknown };
  readonly signal?: AbortSignal;
  readonly headerParameters?: readonly HeaderParameter[];
  readonly options?: ConnectHttpOptions;
}

interface Seen {
  readonly requests: Request[];
  readonly notifications: ServerNotification[];
  readonly outcome: Promise<Result>;
}

/** One call with id 7 against a server that answers with `respond`. */
function callOver(
  respond: (request: Request) => Response | Promise<Response>,
  sent: Sent = {},
): Seen {
  const requests: Request[] = [];
  const notifications: ServerNotification[] = [];
  const { exchange } = connectHttp(URL_OF_SERVER, {
    ...sent.options,
    fetch: async (request) => {
      requests.push(request.clone());
      return respond(request);
    },
  });
  const context: CallContext = {
    id: 7,
    signal: sent.signal ?? new AbortController().signal,
    notify: async (notification) => {
      notifications.push(notification);
    },
    headerParameters: sent.headerParameters,
  };
  const params = (sent.params ?? { name: "add", arguments: {} }) as {
    readonly [name: string]: never;
  };
  const meta = { protocolVersion: "2026-07-28", clientCapabilities: {}, raw: {} };
  const outcome = exchange({ method: sent.method ?? "tools/call", params, meta }, context);
  outcome.catch(() => undefined);
  return { requests, notifications, outcome };
}

describe("what is sent", () => {
  test("HTTP-07 HTTP-08 HTTP-09 HTTP-11 BR-020 one POST of one request, with exactly these headers", async () => {
    const { requests, outcome } = callOver(() => json(ANSWER));
    await outcome;
    expect(requests).toHaveLength(1);
    const [request] = requests;
    expect(request?.method).toBe("POST");
    expect(Object.fromEntries(request?.headers ?? [])).toEqual({
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "add",
    });
    expect(await request?.json()).toEqual({
      jsonrpc: "2.0",
      id: 7,
      method: "tools/call",
      params: {
        name: "add",
        arguments: {},
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    });
  });

  test.each([
    ["tools/list", {}, null],
    ["prompts/get", { name: "p" }, "p"],
    ["resources/read", { uri: "note://a" }, "note://a"],
    ["tools/call", { name: "süd" }, "=?base64?c8O8ZA==?="],
    ["tools/call", { name: " padded" }, "=?base64?IHBhZGRlZA==?="],
    ["tools/call", { name: "=?base64?YQ==?=" }, "=?base64?PT9iYXNlNjQ/WVE9PT89?="],
  ])("HDR-09 HDR-10 HDR-11 BR-112 BR-113 %s %j is named %j", async (method, params, name) => {
    const { requests, outcome } = callOver(() => json(ANSWER), { method, params });
    await outcome;
    expect(requests[0]?.headers.get("mcp-method")).toBe(method);
    expect(requests[0]?.headers.get("mcp-name")).toBe(name);
  });

  test("XHDR-02 XHDR-11 XHDR-16 XHDR-17 XHDR-19 XHDR-30 XHDR-31 arguments are mirrored where they have a value", async () => {
    const at = (
      name: string,
      type: HeaderParameter["type"],
      ...path: string[]
    ): HeaderParameter => ({
      name,
      path,
      type,
    });
    const { requests, outcome } = callOver(() => json(ANSWER), {
      params: {
        name: "a",
        arguments: {
          depot: "süd-west",
          n: -7,
          opts: { dry: true },
          nothing: null,
          empty: "",
          other: "x",
        },
      },
      headerParameters: [
        at("Depot", "string", "depot"),
        at("N", "integer", "n"),
        at("Dry-Run", "boolean", "opts", "dry"),
        at("Nothing", "string", "nothing"),
        at("Absent", "string", "absent"),
        at("Empty", "string", "empty"),
      ],
    });
    await outcome;
    const mirrored = [...(requests[0]?.headers ?? [])].filter(([name]) =>
      name.startsWith("mcp-param"),
    );
    expect(Object.fromEntries(mirrored)).toEqual({
      "mcp-param-depot": "=?base64?c8O8ZC13ZXN0?=",
      "mcp-param-n": "-7",
      "mcp-param-dry-run": "true",
      "mcp-param-empty": "",
    });
  });

  test("XHDR-08 an integer that no header can carry exactly is refused before sending", async () => {
    const { requests, outcome } = callOver(() => json(ANSWER), {
      params: { name: "a", arguments: { n: 2 ** 53 } },
      headerParameters: [{ name: "N", path: ["n"], type: "integer" }],
    });
    await expect(outcome).rejects.toThrow('argument "n" cannot be mirrored in a header');
    expect(requests).toEqual([]);
  });

  test("own headers go along, and those of the protocol win", async () => {
    const headers = { authorization: "Bearer t", "mcp-method": "evil" };
    const { requests, outcome } = callOver(() => json(ANSWER), { options: { headers } });
    await outcome;
    expect(requests[0]?.headers.get("authorization")).toBe("Bearer t");
    expect(requests[0]?.headers.get("mcp-method")).toBe("tools/call");
  });

  test.each(["ftp://x/", "file:///etc/passwd", "not a url"])("%j is no endpoint", (url) => {
    expect(() => connectHttp(url)).toThrow(TypeError);
  });
});

describe("what comes back", () => {
  test("HTTP-18 one JSON body is the answer", async () => {
    await expect(callOver(() => json(ANSWER)).outcome).resolves.toEqual(RESULT);
  });

  test("HTTP-18 HTTP-28 BR-038 BR-041 an event stream gives notifications, then the answer", async () => {
    const note = {
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: 7, progress: 1 },
    };
    const { notifications, outcome } = callOver(() =>
      stream(
        ": hi\n\n",
        "id: 1\ndata:\n\n",
        "event: other\ndata: x\n\n",
        event(note),
        event(ANSWER),
      ),
    );
    await expect(outcome).resolves.toEqual(RESULT);
    expect(notifications).toEqual([note]);
  });

  test("BR-040 BR-030 T-33 a stream that ends without the answer is a lost connection", async () => {
    const { outcome } = callOver(() => stream(`data: ${JSON.stringify(ANSWER)}\n`));
    await expect(outcome).rejects.toMatchObject({ code: "ERR_MCP_TRANSPORT_CLOSED" });
  });

  test.each([200, 400, 404, 500])(
    "BR-029 a JSON-RPC error under status %i arrives as such",
    async (status) => {
      const error = { code: -32022, message: "no", data: { supported: ["2031-01-01"] } };
      const { outcome } = callOver(() => json({ jsonrpc: "2.0", id: 7, error }, status));
      const reason = await outcome.catch((caught: unknown) => caught);
      expect(reason).toBeInstanceOf(RpcError);
      expect(reason).toMatchObject({
        rpcCode: -32022,
        message: "no",
        data: error.data,
        origin: "peer",
      });
    },
  );

  test("an error without id is the answer to this request", async () => {
    const error = { code: -32700, message: "bad" };
    const { outcome } = callOver(() => json({ jsonrpc: "2.0", error }, 400));
    await expect(outcome).rejects.toMatchObject({ rpcCode: -32700 });
  });

  test("T-09 an answer with the id of another request is refused", async () => {
    for (const id of [8, "7"]) {
      const { outcome } = callOver(() => json({ ...ANSWER, id }));
      // oxlint-disable-next-line no-await-in-loop
      await expect(outcome).rejects.toBeInstanceOf(TransportError);
    }
  });

  test("BR-033 an array is no answer", async () => {
    await expect(callOver(() => json([ANSWER])).outcome).rejects.toBeInstanceOf(DecodeError);
  });

  test("T-34 BR-029 HTML is reported by status and type, never parsed or shown", async () => {
    const { outcome } = callOver(
      () => new Response("<b>x</b>", { status: 502, headers: { "content-type": "text/html" } }),
    );
    await expect(outcome).rejects.toMatchObject({
      code: "ERR_MCP_TRANSPORT_STATUS",
      status: 502,
      message: "the server answered 502: its body is text/html, not a JSON-RPC message",
    });
  });

  test.each([404, 405])("a %i without an answer names the place", async (status) => {
    const { outcome } = callOver(() => new Response(null, { status }));
    await expect(outcome).rejects.toMatchObject({
      status,
      message: `the server answered ${status}: there is no MCP server at http://127.0.0.1:9/mcp`,
    });
  });

  test.each([301, 302, 303, 307, 308])(
    "T-34 a %i is not followed and names the target's origin",
    async (status) => {
      const headers = { location: "https://evil.example/path?secret=1" };
      const { requests, outcome } = callOver(() => new Response(null, { status, headers }));
      await expect(outcome).rejects.toMatchObject({
        status,
        message: `the server answered ${status}: it redirects to https://evil.example, which is not followed`,
      });
      expect(requests.map((request) => request.redirect)).toEqual(["manual"]);
    },
  );

  test("an answer over the limit is refused, whole or streamed", async () => {
    const large = { ...ANSWER, result: { ...RESULT, pad: "x".repeat(2_000) } };
    const options = { maxResponseBytes: 1_000 };
    for (const response of [json(large), stream(event(large))]) {
      const { outcome } = callOver(() => response, { options });
      // oxlint-disable-next-line no-await-in-loop
      await expect(outcome).rejects.toBeInstanceOf(LimitError);
    }
  });
});

describe("how it ends", () => {
  test("a network failure is a TransportError with its cause", async () => {
    const cause = new TypeError("fetch failed");
    const { outcome } = callOver(() => Promise.reject(cause));
    await expect(outcome).rejects.toMatchObject({
      message: "no answer from http://127.0.0.1:9/mcp",
      cause,
    });
  });

  test.each([
    [
      "the failure",
      Object.assign(new Error("x"), { code: "ConnectionRefused" }),
      ": ConnectionRefused",
    ],
    [
      "its cause",
      new TypeError("x", { cause: Object.assign(new Error("y"), { code: "ECONNRESET" }) }),
      ": ECONNRESET",
    ],
    ["nothing", new DOMException("x", "NetworkError"), ""],
  ])("a code of the system in %s is told", async (_where, cause, reason) => {
    const { outcome } = callOver(() => Promise.reject(cause));
    await expect(outcome).rejects.toMatchObject({
      message: `no answer from http://127.0.0.1:9/mcp${reason}`,
    });
  });

  test("HTTP-31 an abort ends the request and rejects with the caller's reason", async () => {
    const controller = new AbortController();
    const { outcome } = callOver(
      (request) =>
        new Promise((_, reject) => {
          request.signal.addEventListener("abort", () => reject(request.signal.reason));
          controller.abort("enough");
        }),
      { signal: controller.signal },
    );
    await expect(outcome).rejects.toBe("enough");
  });
});
