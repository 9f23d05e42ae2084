import { once } from "node:events";
import { Duplex, PassThrough, Writable } from "node:stream";
import { describe, expect, test, vi } from "vitest";
import { cancelled, META, request, serveInMemory, write, Written } from "../../test/stdio.ts";
import { RpcError } from "../base/errors.ts";
import type { JsonObject } from "../json/value.ts";
import type { CallContext, Exchange } from "../protocol/exchange.ts";
import { withEncoding, type Result } from "../protocol/result.ts";
import { serveStdio } from "./serve.ts";

const complete = (members: JsonObject = {}): Result => ({ resultType: "complete", ...members });

/** Answers with the params of the call. */
const echo: Exchange = async ({ method, params }) => complete({ method, params });

const answer = (id: unknown, members: JsonObject = {}) => ({
  jsonrpc: "2.0",
  id,
  result: { resultType: "complete", ...members },
});

const refusal = (code: number, id?: unknown) => ({
  jsonrpc: "2.0",
  ...(id === undefined ? {} : { id }),
  error: { code, message: expect.any(String) as string },
});

/** An exchange whose calls are answered by the test. */
function controlled() {
  const calls = new Map<
    unknown,
    { context: CallContext; resolve(result?: Result): void; reject(error: Error): void }
  >();
  const exchange: Exchange = (_, context) =>
    new Promise((resolve, reject) => {
      calls.set(context.id, { context, resolve: (result = complete()) => resolve(result), reject });
    });
  const call = (id: unknown) => {
    const found = calls.get(id);
    if (found === undefined) throw new Error(`no call ${String(id)}`);
    return found;
  };
  return { exchange, call, calls };
}

/** Lets everything that is ready happen. */
const settle = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

describe("messages", () => {
  test("STDIO-02 STDIO-03 STDIO-07 answers each request with one line that ends in LF", async () => {
    const { written, send } = serveInMemory(echo);
    send(request(1, "echo", { text: "line\nbreak\r\n\u2028 — 漢字 🦉" }), request("1", "echo"));
    expect(await written.first(2)).toEqual([
      answer(1, { method: "echo", params: { text: "line\nbreak\r\n\u2028 — 漢字 🦉" } }),
      answer("1", { method: "echo", params: {} }),
    ]);
    expect(written.bytes.includes(0x0d)).toBe(false);
    expect(written.bytes.filter((byte) => byte === 0x0a)).toHaveLength(2);
  });

  test("BR-006 takes CRLF and blank lines", async () => {
    const { written, send, diagnostics } = serveInMemory(echo);
    send(
      `\r\n\n${JSON.stringify(request(1, "a"))}\r\n\r\n\n${JSON.stringify(request(2, "b"))}\r\n`,
    );
    expect(await written.first(2)).toEqual([
      answer(1, { method: "a", params: {} }),
      answer(2, { method: "b", params: {} }),
    ]);
    expect(diagnostics).toEqual([]);
  });

  test("BR-005 T-06 reads the same text at every split", async () => {
    const message = request(1, "echo", { text: "— 漢字 🦉" });
    const bytes = new TextEncoder().encode(`${JSON.stringify(message)}\n`);
    const expected = answer(1, { method: "echo", params: { text: "— 漢字 🦉" } });
    const { written, send } = serveInMemory(echo);
    for (let at = 0; at <= bytes.length; at += 1) {
      send(bytes.subarray(0, at), bytes.subarray(at));
      // oxlint-disable-next-line no-await-in-loop -- the id is used again
      expect((await written.first(at + 1)).at(-1), `split at ${at}`).toEqual(expected);
    }
  });

  test("sends a result with a ready encoding as that encoding", async () => {
    const text = '{"resultType":"complete","ready":true}';
    const result = withEncoding(complete(), { text, bytes: new TextEncoder().encode(text) });
    const { written, send } = serveInMemory(async () => result);
    send(request(7, "tools/list"));
    expect(await written.first(1)).toEqual([answer(7, { ready: true })]);
  });

  test("answers of one turn leave in one write", async () => {
    const chunks: string[] = [];
    const output = new Writable({
      write: (chunk: Buffer, _, done) => {
        chunks.push(chunk.toString());
        done();
      },
    });
    const { send } = serveInMemory(echo, { output });
    send([1, 2, 3].map((id) => `${JSON.stringify(request(id, "a"))}\n`).join(""));
    await settle();
    expect(chunks.map((chunk) => chunk.split("\n").length - 1)).toEqual([3]);
  });
});

describe("bad input", () => {
  test("BR-001 answers 1,000 lines that are no JSON with -32700 and goes on", async () => {
    const { written, send, diagnostics } = serveInMemory(echo);
    for (let count = 0; count < 1_000; count += 1) send('{"jsonrpc":"2.0","id":1,"method":\n');
    send(request(2, "echo"));
    const answers = await written.first(1_001);
    expect(
      new Set(answers.slice(0, 1_000).map((each) => JSON.stringify(Object.keys(each)))),
    ).toEqual(new Set(['["jsonrpc","error"]']));
    expect(answers.slice(0, 1)).toEqual([refusal(-32700)]);
    expect(answers.at(-1)).toEqual(answer(2, { method: "echo", params: {} }));
    expect(diagnostics).toHaveLength(1_000);
  });

  const BAD_LINES = [
    ["a truncated object", '{"jsonrpc":"2.0","id":1,"method":', refusal(-32700)],
    ["broken UTF-8", Uint8Array.of(0x22, 0xff, 0x22, 0x0a), refusal(-32700)],
    ["a byte order mark", `\ufeff${JSON.stringify(request(1, "echo"))}`, refusal(-32700)],
    ["a duplicate member", '{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}', refusal(-32700)],
    ["only spaces", "   ", refusal(-32700)],
    ["a number", "1", refusal(-32600)],
    ["a batch", "[]", refusal(-32600)],
    ["no jsonrpc", '{"id":1,"method":"a"}', refusal(-32600, 1)],
    ["another jsonrpc", '{"jsonrpc":"1.0","id":1,"method":"a"}', refusal(-32600, 1)],
    ["a method that is no string", '{"jsonrpc":"2.0","id":"x","method":1}', refusal(-32600, "x")],
    [
      "params that are no object",
      '{"jsonrpc":"2.0","id":1,"method":"a","params":"b"}',
      refusal(-32602, 1),
    ],
    ["a null id", '{"jsonrpc":"2.0","id":null,"method":"a"}', refusal(-32600)],
    ["a response", '{"jsonrpc":"2.0","id":1,"result":{}}', refusal(-32600, 1)],
    ["no _meta", '{"jsonrpc":"2.0","id":1,"method":"a"}', refusal(-32602, 1)],
  ] as const;

  test.each(BAD_LINES)("BR-002 T-05 T-08 refuses %s and goes on", async (_, line, expected) => {
    const { written, send } = serveInMemory(echo);
    send(typeof line === "string" ? `${line}\n` : line, request(2, "echo"));
    expect(await written.first(2)).toEqual([expected, answer(2, { method: "echo", params: {} })]);
  });

  test("T-07 BR-003 refuses a line over the limit once and goes on after its newline", async () => {
    const { written, send } = serveInMemory(echo, { limits: { maxRequestBytes: 200 } });
    send("x".repeat(150), "x".repeat(150), "x".repeat(500), `x\n`, request(2, "echo"));
    expect(await written.first(2)).toEqual([
      refusal(-31001),
      answer(2, { method: "echo", params: {} }),
    ]);
  });

  test("T-07 a line sixteen times over the limit ends the connection", async () => {
    const { written, send, server } = serveInMemory(echo, { limits: { maxRequestBytes: 100 } });
    send("x".repeat(1_701));
    await server.closed;
    expect(written.messages).toEqual([refusal(-31001)]);
  });

  test("COMPAT-07 answers initialize by naming the versions it serves", async () => {
    const { written, send } = serveInMemory(echo);
    const params = { protocolVersion: "2025-11-25", capabilities: {} };
    send({ jsonrpc: "2.0", id: 0, method: "initialize", params });
    expect(await written.first(1)).toEqual([
      {
        ...refusal(-32022, 0),
        error: {
          code: -32022,
          message: "there is no handshake in the versions served here: 2026-07-28",
          data: { supported: ["2026-07-28"], requested: "2025-11-25" },
        },
      },
    ]);
  });

  test("VER-03 VER-04 refuses a request of another version with -32022 and names those it serves", async () => {
    const { written, send } = serveInMemory(echo);
    const meta = { ...META, "io.modelcontextprotocol/protocolVersion": "1900-01-01" };
    send(request(1, "echo", { _meta: meta }));
    expect((await written.first(1))[0]?.["error"]).toEqual({
      code: -32022,
      message: expect.any(String) as string,
      data: { supported: ["2026-07-28"], requested: "1900-01-01" },
    });
  });

  test("T-08 drops notifications it does not know", async () => {
    const { written, send, diagnostics } = serveInMemory(echo);
    send({ jsonrpc: "2.0", method: "notifications/unheard-of" }, request(1, "echo"));
    expect(await written.first(1)).toEqual([answer(1, { method: "echo", params: {} })]);
    expect(diagnostics).toEqual([]);
  });

  test("T-09 refuses an id that is in flight and leaves the first request alone", async () => {
    const { exchange, call, calls } = controlled();
    const { written, send } = serveInMemory(exchange);
    send(request(1, "first"), request(1, "second"), request("1", "third"));
    expect(await written.first(1)).toEqual([refusal(-32600, 1)]);
    expect([...calls.keys()]).toEqual([1, "1"]);
    expect(call(1).context.signal.aborted).toBe(false);
    call(1).resolve(complete({ which: "first" }));
    expect((await written.first(2))[1]).toEqual(answer(1, { which: "first" }));
    send(request(1, "again"));
    await settle();
    call(1).resolve(complete({ which: "again" }));
    expect((await written.first(3))[2]).toEqual(answer(1, { which: "again" }));
  });

  test("refuses requests beyond the limit in flight, cancelled ones that still run included", async () => {
    const { exchange, call } = controlled();
    const { written, send } = serveInMemory(exchange, { limits: { maxInFlight: 2 } });
    send(request(1, "a"), request(2, "b"), cancelled({ requestId: 2 }), request(3, "c"));
    expect(await written.first(1)).toEqual([refusal(-31003, 3)]);
    call(2).resolve();
    await settle();
    send(request(4, "d"));
    await settle();
    call(4).resolve();
    expect((await written.first(2))[1]).toEqual(answer(4));
  });
});

describe("faults of the exchange", () => {
  test("an RpcError is the answer", async () => {
    const error = new RpcError(-32602, "bad cursor", { data: { cursor: "x" } });
    const { written, send } = serveInMemory(() => Promise.reject(error));
    send(request(1, "a"));
    expect(await written.first(1)).toEqual([
      {
        jsonrpc: "2.0",
        id: 1,
        error: { code: -32602, message: "bad cursor", data: { cursor: "x" } },
      },
    ]);
  });

  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  const FAULTS: readonly (readonly [string, Exchange])[] = [
    ["rejects", () => Promise.reject(new Error("canary"))],
    [
      "throws",
      () => {
        throw new Error("canary");
      },
    ],
    ["rejects with no error", () => Promise.reject("canary")],
    ["returns what has no JSON form", async () => ({ resultType: "complete", cycle })],
    ["returns nothing", async () => undefined as never],
    [
      "throws data that has no JSON form",
      () => Promise.reject(new RpcError(-1, "x", { data: 1n })),
    ],
  ];

  test.each(FAULTS)(
    "T-11 an exchange that %s is answered with a reference",
    async (_, exchange) => {
      const { written, send, faults } = serveInMemory(exchange);
      send(request(1, "a"));
      expect(await written.first(1)).toEqual([
        {
          jsonrpc: "2.0",
          id: 1,
          error: { code: -32603, message: "Internal error", data: { ref: "ref-1" } },
        },
      ]);
      expect(faults).toEqual([{ error: expect.anything() as unknown, ref: "ref-1", method: "a" }]);
    },
  );

  test("T-11 an onError that throws changes nothing on the wire", async () => {
    const console = vi.spyOn(globalThis.console, "error").mockReturnValue(undefined);
    const { written, send } = serveInMemory(() => Promise.reject(new Error("a")), {
      onError: () => {
        throw new Error("b");
      },
    });
    send(request(1, "a"));
    expect(await written.first(1)).toHaveLength(1);
    expect(console.mock.calls).toEqual([
      ["bowline: a failed, reference ref-1", new Error("b")],
      ["bowline: a failed, reference ref-1", new Error("a")],
    ]);
    console.mockRestore();
  });

  test("BR-008 a result over the limit fails with an error that says so", async () => {
    const sized =
      (size: number): Exchange =>
      async () =>
        complete({ text: "é".repeat(size) });
    const limits = { maxResponseBytes: 1_000 };
    const small = serveInMemory(sized(400), { limits });
    small.send(request(1, "a"));
    expect(await small.written.first(1)).toEqual([answer(1, { text: "é".repeat(400) })]);
    const large = serveInMemory(sized(500), { limits });
    large.send(request(1, "tools/call"));
    expect(await large.written.first(1)).toEqual([
      {
        jsonrpc: "2.0",
        id: 1,
        error: {
          code: -31001,
          message:
            "the result of tools/call is larger than the limit of 1000 bytes: ask for less of it",
        },
      },
    ]);
  });
});

describe("notifications and cancellation", () => {
  const progress = (value: number) => ({
    method: "notifications/progress",
    params: { progressToken: 0, progress: value },
  });

  test("BR-071 PROG-15 sends notifications of a call before its result and none after", async () => {
    const { exchange, call } = controlled();
    const { written, send } = serveInMemory(exchange);
    send(request(1, "a"));
    await settle();
    const { notify } = call(1).context;
    await notify(progress(1));
    call(1).resolve();
    await notify(progress(2));
    await settle();
    await notify(progress(3));
    await settle();
    expect(written.messages).toEqual([
      { jsonrpc: "2.0", ...progress(1) },
      { jsonrpc: "2.0", ...progress(2) },
      answer(1),
    ]);
  });

  test("STDIO-17 CANC-15 BR-075 a cancelled call aborts and sends nothing more", async () => {
    const { exchange, call } = controlled();
    const { written, send } = serveInMemory(exchange);
    send(request(1, "a"), request(2, "b"));
    await settle();
    const { signal, notify } = call(1).context;
    send(cancelled({ requestId: 1, reason: "no longer needed" }));
    await settle();
    expect(signal.reason).toEqual(
      new DOMException("cancelled by the client: no longer needed", "AbortError"),
    );
    await notify(progress(1));
    call(1).resolve();
    call(2).resolve();
    await settle();
    expect(written.messages).toEqual([answer(2)]);
  });

  test("a signal that is first read after the cancellation is aborted", async () => {
    const { exchange, call } = controlled();
    const { send } = serveInMemory(exchange);
    send(request(1, "a"), cancelled({ requestId: 1 }));
    await settle();
    expect(call(1).context.signal.aborted).toBe(true);
  });

  test("CANC-18 an answer that crosses its cancellation is not sent", async () => {
    const { exchange, call } = controlled();
    const { written, send } = serveInMemory(exchange);
    send(request(1, "a"));
    await settle();
    call(1).reject(new Error("too late"));
    await settle();
    send(cancelled({ requestId: 1 }), request(2, "b"));
    await settle();
    call(2).resolve();
    await settle();
    expect(written.messages.map((message) => message["id"])).toEqual([1, 2]);
  });

  test("BR-076 CANC-22 cancellations that fit no call are ignored quietly", async () => {
    const { exchange, call } = controlled();
    const { written, send, diagnostics, faults } = serveInMemory(exchange);
    send(cancelled({ requestId: 1 }), request(1, "a"), cancelled({ requestId: "1" }));
    send(cancelled({}), cancelled({ requestId: null }), cancelled({ requestId: [1] }));
    send({ jsonrpc: "2.0", method: "notifications/cancelled" });
    await settle();
    call(1).resolve();
    expect(await written.first(1)).toEqual([answer(1)]);
    send(cancelled({ requestId: 1 }), cancelled({ requestId: 1 }), request(2, "b"));
    await settle();
    call(2).resolve();
    expect(await written.first(2)).toEqual([answer(1), answer(2)]);
    expect({ diagnostics, faults }).toEqual({ diagnostics: [], faults: [] });
  });

  test("CANC-02 CANC-03 CANC-14 a subscription the server ends is answered and then cancelled", async () => {
    const { exchange, call } = controlled();
    const { written, send } = serveInMemory(exchange);
    send(request(1, "tools/call"), request("s", "subscriptions/listen"));
    await settle();
    call(1).resolve();
    call("s").resolve();
    await settle();
    expect(written.messages).toEqual([answer(1), answer("s"), cancelled({ requestId: "s" })]);
  });

  test("T-10 notifications and answers stay with their call under interleaving", async () => {
    const exchange: Exchange = async ({ params }, { notify }) => {
      for (let step = 1; step <= 3; step += 1) {
        await notify({ method: "notifications/progress", params: { ...params, step } });
        await settle();
      }
      return complete(params);
    };
    const { written, send } = serveInMemory(exchange);
    for (let id = 1; id <= 64; id += 1) send(request(id, "a", { canary: id }));
    const messages = await written.first(64 * 4);
    for (let id = 1; id <= 64; id += 1) {
      const own = messages.filter(
        (message) =>
          JSON.stringify(message).includes(`"canary":${id}}`) ||
          JSON.stringify(message).includes(`"canary":${id},`),
      );
      expect(own).toEqual([
        ...[1, 2, 3].map((step) => ({
          jsonrpc: "2.0",
          method: "notifications/progress",
          params: { canary: id, step },
        })),
        answer(id, { canary: id }),
      ]);
    }
  });
});

describe("a slow or absent client", () => {
  /** An output that takes nothing until told to. */
  function stuckOutput() {
    const waiting: (() => void)[] = [];
    const taken: string[] = [];
    const output = new Writable({
      highWaterMark: 10,
      write: (chunk: Buffer, _, done) => {
        taken.push(chunk.toString());
        waiting.push(done);
      },
    });
    const release = () => waiting.shift()?.();
    return { output, taken, release };
  }

  test("T-16 reading pauses while the client does not read, and goes on when it does", async () => {
    const { output, taken, release } = stuckOutput();
    const { input, send } = serveInMemory(echo, { output });
    send(request(1, "a"));
    await settle();
    expect({ paused: input.isPaused(), writes: taken.length }).toEqual({ paused: true, writes: 1 });
    send(request(2, "b"));
    await settle();
    expect(taken).toHaveLength(1);
    release();
    await settle();
    expect({ paused: input.isPaused(), writes: taken.length }).toEqual({ paused: true, writes: 2 });
  });

  test("notify waits while the client does not read", async () => {
    const { output, release } = stuckOutput();
    const { exchange, call } = controlled();
    const { send } = serveInMemory(exchange, { output });
    send(request(1, "a"));
    await settle();
    const { notify } = call(1).context;
    await notify({ method: "notifications/progress", params: {} });
    await settle();
    const second = notify({ method: "notifications/progress", params: {} });
    const taken = vi.fn<() => void>();
    second.finally(taken).catch(() => undefined);
    await settle();
    expect(taken).not.toHaveBeenCalled();
    release();
    await settle();
    release();
    await second;
  });

  test("T-16 BR-009 a broken pipe aborts the calls and closes, without an exception", async () => {
    const { exchange, call } = controlled();
    const { output, send, server, diagnostics } = serveInMemory(exchange);
    send(request(1, "a"));
    await settle();
    const { signal } = call(1).context;
    output.destroy(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
    await server.closed;
    expect(signal.aborted).toBe(true);
    call(1).resolve();
    await settle();
    expect(diagnostics).toEqual([{ kind: "stream-error", message: "writing failed: write EPIPE" }]);
  });
});

describe("the end", () => {
  test("STDIO-20 the end of input closes at once where nothing is in flight", async () => {
    const { input, output, server } = serveInMemory(echo);
    input.end();
    await server.closed;
    expect(output.writableEnded).toBe(true);
  });

  test("calls in flight are answered within the grace, subscriptions end at once", async () => {
    const { exchange, call } = controlled();
    const { input, written, send, server } = serveInMemory(exchange);
    send(request(1, "a"), request(2, "subscriptions/listen"));
    await settle();
    const listening = call(2).context.signal;
    input.end();
    await once(input, "end");
    await settle();
    expect({ listening: listening.aborted, call: call(1).context.signal.aborted }).toEqual({
      listening: true,
      call: false,
    });
    call(1).resolve();
    await server.closed;
    expect(written.messages).toEqual([answer(1)]);
  });

  test("calls that outlast the grace are aborted", async () => {
    const { exchange, call } = controlled();
    const { input, send, server, written } = serveInMemory(exchange, { endGraceMs: 5 });
    send(request(1, "a"));
    await settle();
    const { signal } = call(1).context;
    input.end();
    await server.closed;
    expect(signal.aborted).toBe(true);
    expect(written.messages).toEqual([]);
  });

  test("close stops reading, closes the streams it was given and may be called twice", async () => {
    const { input, output, server, send, written } = serveInMemory(echo);
    await Promise.all([server.close(), server.close(), server[Symbol.asyncDispose]()]);
    send(request(1, "a"));
    await once(input, "close");
    expect(output.writableFinished).toBe(true);
    expect(written.messages).toEqual([]);
  });

  test("STDIO-09 serves any byte stream, here one that is both input and output", async () => {
    const toServer = new PassThrough();
    const fromServer = new PassThrough();
    const duplex = Duplex.from({ readable: toServer, writable: fromServer });
    const written = new Written(fromServer);
    const server = serveStdio(echo, { input: duplex, output: duplex });
    write(toServer, request(1, "a"));
    expect(await written.first(1)).toEqual([answer(1, { method: "a", params: {} })]);
    const closed = once(duplex, "close");
    await server.close();
    await closed;
  });
});
