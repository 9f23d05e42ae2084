import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  CALL,
  createGate,
  describeFaces,
  DONE,
  eventsOf,
  fault,
  META,
  post,
  type Message,
} from "../../test/http.ts";
import { RpcError } from "../base/errors.ts";
import type { Exchange, Principal } from "../protocol/exchange.ts";
import { withEncoding, type Result } from "../protocol/result.ts";
import { createFallback } from "./answer/fallback.ts";
import { serveHttp } from "./index.ts";

const exchange: Exchange = () => Promise.resolve(DONE);
const answering =
  (result: unknown): Exchange =>
  () =>
    Promise.resolve(result as Result);
const failing =
  (error: unknown): Exchange =>
  async () => {
    throw error;
  };
const ERROR_OPTIONS = { createRef: () => "r1", onError: () => undefined };

describeFaces("the endpoint", (start) => {
  test("HTTP-01 HTTP-17 answers a POST with one JSON object", async () => {
    const { send } = await start(
      answering({ ...DONE, content: [{ type: "text", text: "grüß 世界" }] }),
    );
    const answer = await send(post({ ...CALL, id: "ä" }, { "Mcp-Name": "echo" }));
    expect([answer.status, answer.headers["content-type"], JSON.parse(answer.text)]).toEqual([
      200,
      "application/json",
      {
        jsonrpc: "2.0",
        id: "ä",
        result: { resultType: "complete", content: [{ type: "text", text: "grüß 世界" }] },
      },
    ]);
  });

  test("BR-022 HTTP-01 serves its path with and without a slash, without a redirect", async () => {
    const { send } = await start(exchange);
    for (const path of ["/mcp", "/mcp/", "/mcp?x=/y", "/mcp/?"]) {
      expect((await send(post(CALL, {}, { path }))).status, `at ${path}`).toBe(200);
    }
  });

  test("T-35 serves no other path", async () => {
    const { send } = await start(exchange);
    for (const path of [
      "/",
      "/MCP",
      "/mcp//",
      "/mcp/x",
      "/mcpx",
      "//mcp",
      "/%6dcp",
      "/x/mcp",
      "/mcp;x",
      "/mcp%2f",
    ]) {
      const answer = await send(post(CALL, {}, { path }));
      expect([answer.status, answer.text], `at ${path}`).toEqual([404, ""]);
    }
  });

  test("another path may be chosen", async () => {
    for (const path of ["/", "/api/v1/", "/api/v1"]) {
      const { send } = await start(exchange, { path });
      expect((await send(post(CALL, {}, { path }))).status).toBe(200);
      expect((await send(post(CALL, {}, { path: "/mcp" }))).status).toBe(404);
    }
    for (const path of ["mcp", "", "/mcp?x", "/a b", "/a#b"]) {
      expect(() => serveHttp(exchange, { path })).toThrow(TypeError);
    }
  });

  test.each(["GET", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS", "PROPFIND"])(
    "HBC-06 T-35 refuses %s and says what it takes",
    async (method) => {
      const { send } = await start(exchange);
      const answer = await send(
        post(CALL, { "X-HTTP-Method-Override": "POST" }, { method, body: "" }),
      );
      expect([answer.status, answer.text, answer.headers["allow"]]).toEqual([405, "", "POST"]);
    },
  );

  test("HBC-07 HBC-08 HTTP-29 T-35 ignores headers of older revisions and of proxies", async () => {
    const { send } = await start(exchange);
    const answer = await send(
      post(CALL, {
        "Mcp-Session-Id": "s1",
        "Last-Event-ID": "7",
        Forwarded: "host=evil.example",
        "X-Forwarded-Host": "evil.example",
        "X-Forwarded-Proto": "https",
      }),
    );
    expect([answer.status, answer.headers["mcp-session-id"]]).toEqual([200, undefined]);
  });

  test("T-35 no answer is stored or guessed at", async () => {
    const { send } = await start(
      async (call, { notify }) => {
        if (call.params["name"] === "stream") await notify({ method: "notifications/vendor" });
        return DONE;
      },
      {
        authorize: ({ header }) =>
          header("authorization") === "no"
            ? { refusal: { status: 401 } }
            : { principal: PRINCIPAL },
      },
    );
    const answers = [
      await send(post(CALL)),
      await send(post({ ...CALL, params: { name: "stream" } })),
      await send(post({ method: "notifications/vendor" })),
      await send(post(CALL, { "Mcp-Name": "x" })),
      await send(post(CALL, { Origin: "null" })),
      await send(post(CALL, { Authorization: "no" })),
      await send(post(CALL, {}, { path: "/x" })),
      await send(post(CALL, {}, { method: "GET", body: "" })),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 202, 400, 403, 401, 404, 405]);
    for (const { headers } of answers) {
      expect(headers["cache-control"]).toContain("no-store");
      expect(headers["x-content-type-options"]).toBe("nosniff");
    }
    expect(answers[1]?.headers["cache-control"]).toBe("no-store, no-cache, no-transform");
    expect(answers[1]?.headers["x-accel-buffering"]).toBe("no");
  });
});

const PRINCIPAL: Principal = { issuer: "i", clientId: "c", subject: "s" };

describeFaces("content negotiation", (start) => {
  const STREAM: Message = { ...CALL, params: { name: "stream" } };
  const maybeNotifying: Exchange = async (call, { notify }) => {
    if (call.params["name"] === "stream") await notify({ method: "notifications/vendor" });
    return DONE;
  };

  test.each<[string | undefined, string, string]>([
    [undefined, "application/json", "text/event-stream"],
    ["*/*", "application/json", "text/event-stream"],
    ["application/json", "application/json", "application/json"],
    ["text/event-stream", "text/event-stream", "text/event-stream"],
    ["application/*", "application/json", "application/json"],
    ["APPLICATION/JSON, TEXT/EVENT-STREAM", "application/json", "text/event-stream"],
    ["application/json;q=0.9, text/event-stream;q=0.1", "application/json", "text/event-stream"],
    ["application/json;q=0, text/event-stream", "text/event-stream", "text/event-stream"],
  ])(
    "BR-018 HTTP-17 Accept %j gives %s, and %s with a notification",
    async (accept, plain, noisy) => {
      const { send } = await start(maybeNotifying);
      const quiet = await send(post(CALL, { Accept: accept }));
      expect([quiet.status, quiet.headers["content-type"]]).toEqual([200, plain]);
      const loud = await send(post(STREAM, { Accept: accept }));
      expect([loud.status, loud.headers["content-type"]]).toEqual([200, noisy]);
      const last =
        noisy === "application/json" ? JSON.parse(loud.text) : eventsOf(loud.text).at(-1);
      expect(last).toEqual({ jsonrpc: "2.0", id: 1, result: DONE });
    },
  );

  test.each(["text/html", "application/json;q=0", "application/jsonx", ""])(
    "BR-018 AMB-21 Accept %j is 406",
    async (accept) => {
      const { send } = await start(exchange);
      expect(fault(await send(post(CALL, { Accept: accept })))).toEqual({
        status: 406,
        code: -32600,
        id: undefined,
      });
    },
  );

  test("AMB-21 a subscription is 406 for a client that takes no stream", async () => {
    const { send } = await start(exchange);
    const listen = { id: 3, method: "subscriptions/listen" };
    const answer = await send(post(listen, { Accept: "application/json" }));
    expect(fault(answer)).toEqual({ status: 406, code: -32600, id: 3 });
  });

  test.each([
    ["application/json", 200],
    ["application/json; charset=utf-8", 200],
    ["Application/JSON; Charset=UTF-8; x=y", 200],
    ["application/json; charset=iso-8859-1", 415],
    ["text/plain", 415],
    ["text/plain; note=application/json", 415],
    [undefined, 415],
  ])("BR-019 T-20 Content-Type %j is %d", async (type, status) => {
    const { send } = await start(exchange);
    expect((await send(post(CALL, { "Content-Type": type }))).status).toBe(status);
  });

  test.each(["gzip", "br", "deflate", "gzip, identity", "x", ""])(
    "T-27 a body in Content-Encoding %j is not decoded",
    async (encoding) => {
      const { send } = await start(exchange);
      const answer = await send(post(CALL, { "Content-Encoding": encoding }));
      expect(fault(answer)).toEqual({ status: 415, code: -32600, id: undefined });
      expect(answer.headers["accept-encoding"]).toBe("identity");
    },
  );

  test("T-27 identity is no encoding", async () => {
    const { send } = await start(exchange);
    expect((await send(post(CALL, { "Content-Encoding": "identity" }))).status).toBe(200);
  });
});

describeFaces("bodies", (start) => {
  const raw = (body: string | Uint8Array) => post(CALL, {}, { body });

  test.each<[string, string | Uint8Array, number]>([
    ["nothing", "", -32700],
    ["no JSON", "{", -32700],
    ["a BOM", `\u{feff}{}`, -32700],
    ["broken UTF-8", new Uint8Array([0x22, 0xff, 0x22]), -32700],
    ["a duplicate member", '{"jsonrpc":"2.0","id":1,"id":1,"method":"x"}', -32700],
    ["an empty batch", "[]", -32600],
    ["a batch of one", '[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]', -32600],
    [
      "a batch of two",
      '[{"jsonrpc":"2.0","id":1,"method":"x"},{"jsonrpc":"2.0","id":2,"method":"x"}]',
      -32600,
    ],
    ["a text", '"x"', -32600],
    ["null", "null", -32600],
    ["a null id", '{"jsonrpc":"2.0","id":null,"method":"x"}', -32600],
    ["a fractional id", '{"jsonrpc":"2.0","id":1.5,"method":"x"}', -32600],
  ])("T-08 BR-033 refuses %s, without an id", async (_, body, code) => {
    const { send } = await start(exchange);
    const answer = await send(raw(body));
    expect(fault(answer)).toEqual({ status: 400, code, id: undefined });
    expect(answer.text).not.toContain('"id"');
  });

  test("T-08 HTTP-12 refuses posted responses", async () => {
    const { send } = await start(exchange);
    for (const part of ['"result":{}', '"error":{"code":1,"message":"x"}']) {
      const answer = await send(raw(`{"jsonrpc":"2.0","id":7,${part}}`));
      expect(fault(answer)).toEqual({ status: 400, code: -32600, id: 7 });
    }
  });

  test("T-04 refuses depth", async () => {
    const { send } = await start(exchange, { limits: { maxJsonDepth: 10 } });
    expect(fault(await send(raw("[".repeat(11))))).toEqual({
      status: 400,
      code: -32600,
      id: undefined,
    });
  });

  test.each(['"x"', "1", "[]", "null", "true"])(
    "BR-035 refuses params %s with the id",
    async (params) => {
      const { send } = await start(exchange);
      const answer = await send(
        raw(`{"jsonrpc":"2.0","id":"k","method":"tools/call","params":${params}}`),
      );
      expect(fault(answer)).toEqual({ status: 400, code: -32602, id: "k" });
    },
  );

  test.each([
    ["absent params", undefined],
    ["absent _meta", {}],
    ["_meta without a version", { _meta: { "io.modelcontextprotocol/clientCapabilities": {} } }],
    [
      "_meta without capabilities",
      { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } },
    ],
    ["_meta that is no object", { _meta: "x" }],
  ])("BR-035 refuses %s with the id", async (_, params) => {
    const { send } = await start(exchange);
    const body = JSON.stringify({ jsonrpc: "2.0", id: 9, method: "tools/list", params });
    const answer = await send(post({ id: 9, method: "tools/list" }, {}, { body }));
    expect(fault(answer)).toEqual({ status: 400, code: -32602, id: 9 });
  });

  test("T-07 BR-026 the limit is exact, and may be set", async () => {
    const { body } = post(CALL);
    const size = Buffer.from(body).length;
    const { send } = await start(exchange, { limits: { maxRequestBytes: size } });
    expect((await send(raw(body))).status).toBe(200);
    const answer = await send(raw(`${String(body)} `));
    expect(fault(answer)).toEqual({ status: 413, code: -31001, id: undefined });
    expect(answer.headers["connection"]).toBe("close");
  });

  test("T-07 limits above what is safe have to be meant", () => {
    const serve = (limits: object) => () => serveHttp(exchange, { limits });
    expect(serve({ maxRequestBytes: 64 * 1024 * 1024 })).not.toThrow();
    expect(serve({ maxRequestBytes: 64 * 1024 * 1024 + 1 })).toThrow(RangeError);
    expect(serve({ maxRequestBytes: 2 ** 30, unsafe: true })).not.toThrow();
    expect(serve({ maxRequestBytes: -1 })).toThrow(RangeError);
    expect(serve({ maxRequestBytes: "1" })).toThrow(RangeError);
    expect(serve({ maxJsonDepth: Number.NaN })).toThrow(RangeError);
    expect(serve({ maxBytes: 1 })).toThrow(RangeError);
    expect(serve({ constructor: 1 })).toThrow(RangeError);
  });

  test("T-11 T-03 no body whatever ends in anything but an answer", async () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    const { send } = await start(exchange, { onError: (error) => expect(error).toBeUndefined() });
    const valid = String(post(CALL).body);
    const mutation = fc.record({
      at: fc.nat(valid.length),
      drop: fc.nat(6),
      add: fc.string({ maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(mutation, fc.json()), async (change) => {
        const body =
          typeof change === "string"
            ? change
            : valid.slice(0, change.at) + change.add + valid.slice(change.at + change.drop);
        expect([200, 202, 400]).toContain((await send(raw(body))).status);
      }),
      { numRuns: 150 },
    );
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  });
});

describeFaces("errors", (start) => {
  test.each([
    [-32601, 404],
    [-32602, 200],
    [-32603, 200],
    [-32020, 400],
    [-32021, 400],
    [-32022, 400],
    [-31002, 429],
    [-31003, 503],
    [-31004, 200],
    [1, 200],
  ])("HDR-05 ERR %d of a call has HTTP status %d", async (code, status) => {
    const { send } = await start(failing(new RpcError(code, "no", { data: { x: 1 } })));
    const answer = await send(post(CALL));
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      status,
      { jsonrpc: "2.0", id: 1, error: { code, message: "no", data: { x: 1 } } },
    ]);
  });

  const circular: { self?: unknown } = {};
  circular.self = circular;
  const CANARY = "secret-canary";

  test.each<[string, Exchange]>([
    ["rejects", failing(new Error(CANARY))],
    ["rejects with nothing", failing(undefined)],
    ["rejects with a text", failing(CANARY)],
    [
      "throws",
      () => {
        throw new Error(CANARY);
      },
    ],
    ["gives nothing", answering(undefined)],
    ["gives null", answering(null)],
    ["gives a text", answering(CANARY)],
    ["gives a cycle", answering({ resultType: "complete", circular })],
    ["gives a bigint", answering({ resultType: "complete", big: 1n })],
    ["gives no promise", (() => undefined) as unknown as Exchange],
    [
      "fails with data that has no JSON form",
      failing(new RpcError(-32602, CANARY, { data: circular })),
    ],
  ])("T-11 BR-027 an exchange that %s is answered, and reported", async (_, faulty) => {
    const faults: unknown[] = [];
    const { send } = await start(faulty, {
      createRef: () => "r1",
      onError: (_error, detail) => faults.push(detail),
    });
    const answer = await send(post(CALL));
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      200,
      {
        jsonrpc: "2.0",
        id: 1,
        error: { code: -32603, message: "Internal error", data: { ref: "r1" } },
      },
    ]);
    expect(answer.text).not.toContain(CANARY);
    expect(faults).toEqual([{ ref: "r1", method: "tools/call" }]);
  });

  test("T-11 a listener of faults that throws does not matter", async () => {
    const { send } = await start(failing(new Error("x")), {
      onError: () => {
        throw new Error("y");
      },
    });
    expect(fault(await send(post(CALL)))).toEqual({ status: 200, code: -32603, id: 1 });
  });

  test("an error after a notification that was not sent yet keeps its status", async () => {
    const { send } = await start(async (_call, { notify }) => {
      await notify({ method: "notifications/vendor" });
      throw new RpcError(-32021, "lacking");
    });
    expect(fault(await send(post(CALL)))).toEqual({ status: 400, code: -32021, id: 1 });
  });
});

describeFaces("known results", (start) => {
  const text = JSON.stringify({ resultType: "complete", tools: [{ name: "grüß" }] });
  const known = (): Result =>
    withEncoding(
      { resultType: "complete", ignored: true },
      { text, bytes: new TextEncoder().encode(text) },
    );

  test("are sent as they were encoded once", async () => {
    const { send } = await start(() => Promise.resolve(known()));
    for (const accept of ["application/json", "text/event-stream"]) {
      for (const id of [7, 'q"ü']) {
        const answer = await send(post({ id, method: "tools/list" }, { Accept: accept }));
        const message =
          accept === "application/json" ? JSON.parse(answer.text) : eventsOf(answer.text)[0];
        expect(message).toEqual({ jsonrpc: "2.0", id, result: JSON.parse(text) });
      }
    }
  });

  test("large results arrive whole, in any script", async () => {
    for (const piece of ["x", "ü", "世", "\u{1f600}"]) {
      const { send } = await start(
        answering({ resultType: "complete", large: piece.repeat(200_000) }),
      );
      const answer = await send(post(CALL));
      const { result } = JSON.parse(answer.text) as { result: { large: string } };
      expect(result.large === piece.repeat(200_000)).toBe(true);
    }
  });
});

describeFaces("callers", (start) => {
  test("T-10 BR-028 the same id from two callers at once is answered to each", async () => {
    const gates = new Map<string, ReturnType<typeof createGate<void>>>();
    const { send } = await start(async (call) => {
      const { name } = call.params;
      await gates.get(JSON.stringify(name))?.passed;
      return { resultType: "complete", nonce: name };
    });
    const names = Array.from({ length: 20 }, (_, index) => `n${index}`);
    for (const name of names) gates.set(JSON.stringify(name), createGate());
    const answers = names.map((name) => send(post({ ...CALL, params: { name } })));
    for (const name of names.toReversed()) gates.get(JSON.stringify(name))?.open();
    const nonces = (await Promise.all(answers)).map(
      ({ text }) => (JSON.parse(text) as { result: { nonce: string } }).result.nonce,
    );
    expect(nonces).toEqual(names);
  });

  test("BR-027 one handler answers request after request", async () => {
    const { send } = await start(exchange, { onError: (error) => expect(error).toBeUndefined() });
    for (let round = 0; round < 4; round++) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => send(post(CALL))));
      expect(answers.every(({ status }) => status === 200)).toBe(true);
    }
  });

  test("context carries the id and the verified principal, and nothing else says who asks", async () => {
    const seen: unknown[] = [];
    const { send } = await start(
      (_call, context) => {
        seen.push([context.id, context.principal]);
        return Promise.resolve(DONE);
      },
      {
        authorize: ({ header, method, path }) =>
          header("authorization") === "Bearer good"
            ? { principal: { ...PRINCIPAL, subject: `${method} ${path}` } }
            : { refusal: { status: 401, headers: { "WWW-Authenticate": 'Bearer realm="x"' } } },
      },
    );
    const refused = await send(post(CALL));
    expect([refused.status, refused.text, refused.headers["www-authenticate"]]).toEqual([
      401,
      "",
      'Bearer realm="x"',
    ]);
    expect((await send(post(CALL, { Authorization: "Bearer good" }))).status).toBe(200);
    expect(seen).toEqual([[1, { ...PRINCIPAL, subject: "POST /mcp" }]]);
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("store down");
      },
    ],
    ["rejects", () => Promise.reject(new Error("store down"))],
    ["says nothing", () => undefined as never],
    ["says null", () => null as never],
    ["says a word", () => "bob" as never],
    ["says yes", () => true as never],
    ["names the principal by a word", () => ({ principal: "bob" }) as never],
    ["names half a principal", () => ({ principal: { subject: "bob" } }) as never],
    ["refuses with success", () => ({ refusal: { status: 200 } })],
    ["refuses without a status", () => ({ refusal: {} }) as never],
    [
      "T-32 would split a header",
      () => ({ refusal: { status: 401, headers: { "WWW-Authenticate": "a\r\nSet-Cookie: b" } } }),
    ],
    [
      "T-32 would send 8-bit bytes",
      () => ({ refusal: { status: 401, headers: { "WWW-Authenticate": "ü" } } }),
    ],
    ["T-32 would split a name", () => ({ refusal: { status: 401, headers: { "A\r\nB": "x" } } })],
  ])("an authorization that %s lets nobody in", async (_, authorize) => {
    let ran = 0;
    const { send } = await start(
      () => {
        ran += 1;
        return Promise.resolve(DONE);
      },
      { ...ERROR_OPTIONS, authorize },
    );
    const answer = await send(post(CALL));
    expect(JSON.parse(answer.text)).toEqual({
      jsonrpc: "2.0",
      error: { code: -32603, message: "Internal error", data: { ref: "r1" } },
    });
    expect([answer.status, ran]).toEqual([500, 0]);
  });
});

describeFaces("the door for other revisions", (start) => {
  const older = { "MCP-Protocol-Version": "2025-11-25" };
  const seen: unknown[] = [];
  const streamOf = (...pieces: string[]) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
        controller.close();
      },
    });
  const fallback = createFallback(async ({ head, body }) => {
    seen.push([head.method, body.length > 0]);
    if (head.method === "DELETE") return undefined;
    const headers = ["Content-Type", "text/event-stream"];
    if (head.method === "GET")
      return { status: 200, headers, body: streamOf("data: 1\n\n", "data: 2\n\n") };
    return { status: 202, headers: [], body: "" };
  });

  test("is asked for what is not of this revision, and may decline", async () => {
    seen.length = 0;
    const { send } = await start(exchange, { fallback });
    expect((await send(post(CALL))).status).toBe(200);
    expect(seen).toEqual([]);
    expect((await send(post(CALL, older))).status).toBe(202);
    const stream = await send(post(CALL, {}, { method: "GET", body: "" }));
    expect([stream.status, stream.text]).toEqual([200, "data: 1\n\ndata: 2\n\n"]);
    const declined = await send(post(CALL, older, { method: "DELETE", body: "" }));
    expect([declined.status, declined.headers["allow"]]).toEqual([405, "POST"]);
    expect(seen).toEqual([
      ["POST", true],
      ["GET", false],
      ["DELETE", false],
    ]);
  });

  test("T-19 T-20 stands behind the same guards, and its faults are answered", async () => {
    seen.length = 0;
    const { send } = await start(exchange, { fallback });
    expect((await send(post(CALL, { ...older, Origin: "null" }))).status).toBe(403);
    expect(seen).toEqual([]);
    const broken = await start(exchange, {
      ...ERROR_OPTIONS,
      fallback: createFallback(() => Promise.reject(new Error("x"))),
    });
    expect(fault(await broken.send(post(CALL, older)))).toEqual({
      status: 500,
      code: -32603,
      id: undefined,
    });
  });
});

describe("web requests", () => {
  const handler = serveHttp(exchange);
  const { headers, body } = post(CALL);
  const request = (url: string, more: RequestInit = {}) =>
    new Request(url, {
      method: "POST",
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      body: String(body),
      ...more,
    });

  test("T-19 the URL stands in where a platform keeps Host out of the headers", async () => {
    expect((await handler(request("http://localhost:1234/mcp"))).status).toBe(200);
    expect((await handler(request("http://[::1]/mcp"))).status).toBe(200);
    expect((await handler(request("http://evil.example/mcp"))).status).toBe(403);
  });

  test("T-19 allowedHosts opens it to the world", async () => {
    const open = serveHttp(exchange, { allowedHosts: ["mcp.example"] });
    expect((await open(request("https://mcp.example/mcp"))).status).toBe(200);
    expect((await open(request("https://other.example/mcp"))).status).toBe(403);
  });

  test("a body that was read by somebody else is explained", async () => {
    const faults: string[] = [];
    const told = serveHttp(exchange, { onError: (error) => faults.push(String(error)) });
    const used = request("http://localhost/mcp");
    await used.text();
    const answer = await told(used);
    expect([
      answer.status,
      ((await answer.json()) as { error: { message: string } }).error.message,
    ]).toEqual([
      500,
      "the body was read by something else: hand the request to this handler first",
    ]);
    expect(faults).toHaveLength(1);
  });

  test("META travels as it came", async () => {
    let raw: unknown;
    const seeing = serveHttp((call) => {
      ({ raw } = call.meta);
      return Promise.resolve(DONE);
    });
    await seeing(request("http://localhost/mcp"));
    expect(raw).toEqual(META);
  });
});
