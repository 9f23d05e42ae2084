import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { getEventListeners, once } from "node:events";
import { createConnection, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { bundleFixtures, META, write, Written, type Fixtures } from "../../test/stdio.ts";
import { DecodeError, LimitError, RpcError, TransportError } from "../base/errors.ts";
import type { JsonObject } from "../json/value.ts";
import type { Call } from "../protocol/call.ts";
import type { CallContext, Exchange } from "../protocol/exchange.ts";
import type { Meta } from "../protocol/meta.ts";
import type { ServerNotification } from "../protocol/notifications.ts";
import { connectStdio, type StdioConnection } from "./connect.ts";
import type { StdioCommand } from "./target.ts";
import type { StdioDiagnostic } from "./diagnostic.ts";
import { serveStdio } from "./serve.ts";

const call = (method: string, params: JsonObject = {}, meta: Partial<Meta> = {}): Call => ({
  method,
  params,
  meta: {
    protocolVersion: "2026-07-28",
    clientCapabilities: {},
    raw: META,
    ...meta,
  },
});

interface TestContext extends CallContext {
  readonly received: ServerNotification[];
  readonly controller: AbortController;
}

function context(id: string | number): TestContext {
  const received: ServerNotification[] = [];
  const controller = new AbortController();
  return {
    id,
    signal: controller.signal,
    controller,
    received,
    notify: async (notification) => void received.push(notification),
  };
}

const settle = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

/** A client whose server is the test. */
function connectInMemory(limits = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  const sent = new Written(output);
  const diagnostics: StdioDiagnostic[] = [];
  const connection = connectStdio({
    input,
    output,
    limits,
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  });
  const { exchange } = connection;
  const reply = (...messages: readonly (JsonObject | string | Uint8Array)[]) =>
    write(input, ...messages);
  return { input, output, sent, diagnostics, connection, exchange, reply };
}

const result = (id: unknown, members: JsonObject = {}): JsonObject => ({
  jsonrpc: "2.0",
  id: id as string,
  result: { resultType: "complete", ...members },
});

describe("requests and answers", () => {
  test("STDIO-02 STDIO-03 STDIO-08 sends each request as one line and matches answers by id", async () => {
    const { exchange, sent, reply } = connectInMemory();
    const first = exchange(call("tools/call", { name: "a\nb" }), context(7));
    const second = exchange(call("tools/list"), context(7));
    const messages = await sent.first(2);
    expect(messages).toEqual([
      { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "a\nb", _meta: META } },
      { jsonrpc: "2.0", id: 2, method: "tools/list", params: { _meta: META } },
    ]);
    reply(result(2, { which: "second" }), result(1, { which: "first" }));
    expect(await Promise.all([first, second])).toEqual([
      { resultType: "complete", which: "first" },
      { resultType: "complete", which: "second" },
    ]);
  });

  test("BR-005 BR-006 reads answers at every split, with CRLF and blank lines", async () => {
    const { exchange, reply } = connectInMemory();
    const length = Buffer.byteLength(`\r\n${JSON.stringify(result(1, { text: "— 漢字 🦉" }))}\r\n`);
    for (let at = 0; at <= length; at += 1) {
      const answered = exchange(call("a"), context(1));
      const bytes = Buffer.from(`\r\n${JSON.stringify(result(at + 1, { text: "— 漢字 🦉" }))}\r\n`);
      reply(bytes.subarray(0, at), bytes.subarray(at));
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await answered, `split at ${at}`).toEqual({
        resultType: "complete",
        text: "— 漢字 🦉",
      });
    }
  });

  test("an error response rejects with what the peer said", async () => {
    const { exchange, reply } = connectInMemory();
    const answered = exchange(call("a"), context(1));
    reply({
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32602, message: "no such tool", data: { a: 1 } },
    });
    const error = await answered.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toMatchObject({
      rpcCode: -32602,
      message: "no such tool",
      data: { a: 1 },
      origin: "peer",
    });
  });

  test("T-09 an answer settles only its own call, once; others are dropped and reported", async () => {
    const { exchange, reply, diagnostics } = connectInMemory();
    const answered = exchange(call("a"), context(1));
    reply(
      result("1", { forged: true }),
      result(2, { forged: true }),
      result(1),
      result(1, { again: true }),
    );
    reply({ jsonrpc: "2.0", error: { code: -32700, message: "what?" } });
    expect(await answered).toEqual({ resultType: "complete" });
    await settle();
    expect(diagnostics).toEqual([
      { kind: "stray-message", message: "an answer that belongs to no request" },
      { kind: "stray-message", message: "an answer that belongs to no request" },
      { kind: "stray-message", message: 'an answer that belongs to no request: "what?"' },
    ]);
  });

  test("T-01 a call whose answer is not acceptable fails at once", async () => {
    const { exchange, reply } = connectInMemory();
    const answered = exchange(call("a"), context(1));
    reply('{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","resultType":"complete"}}\n');
    await expect(answered).rejects.toBeInstanceOf(DecodeError);
  });

  test("T-08 STDIO-10 STDIO-13 requests of the server are dropped unanswered, the hundredth closes", async () => {
    const { exchange, sent, reply, connection } = connectInMemory();
    const answered = exchange(call("a"), context(1)).catch((error: unknown) => error);
    for (let id = 1; id <= 99; id += 1) reply({ jsonrpc: "2.0", id, method: "roots/list" });
    await settle();
    expect(sent.messages).toHaveLength(1);
    reply({ jsonrpc: "2.0", id: 100, method: "roots/list" });
    expect(await answered).toEqual(new TransportError("the server sent 100 requests"));
    expect(await connection.closed).toEqual(new TransportError("the server sent 100 requests"));
    expect(sent.messages).toHaveLength(1);
  });

  test("T-07 a line over the limit fails the calls and closes", async () => {
    const { exchange, reply, connection } = connectInMemory({ maxResponseBytes: 100 });
    const answered = exchange(call("a"), context(1));
    reply("x".repeat(200));
    await expect(answered).rejects.toBeInstanceOf(LimitError);
    await expect(exchange(call("b"), context(2))).rejects.toBe(await connection.closed);
  });

  test("T-16 a call that does not fit the queue fails, and the connection lives on", async () => {
    const { exchange, sent, reply } = connectInMemory({ maxQueueBytes: 300 });
    const large = exchange(call("a", { text: "x".repeat(300) }), context(1));
    await expect(large).rejects.toBeInstanceOf(LimitError);
    const small = exchange(call("b"), context(2));
    expect(await sent.first(1)).toMatchObject([{ id: 2, method: "b" }]);
    reply(result(2));
    expect(await small).toEqual({ resultType: "complete" });
  });

  test("BR-077 a shared signal holds no listener of a settled call", async () => {
    const { exchange, reply } = connectInMemory();
    const shared = context(1);
    const answered = [1, 2, 3].map(() => exchange(call("a"), shared));
    expect(getEventListeners(shared.signal, "abort")).toHaveLength(3);
    reply(result(1), { jsonrpc: "2.0", id: 2, error: { code: 1, message: "" } }, result(3));
    await Promise.allSettled(answered);
    expect(getEventListeners(shared.signal, "abort")).toEqual([]);
  });
});

describe("notifications", () => {
  test("BR-071 progress reaches its call alone, under the token of the call", async () => {
    const { exchange, sent, reply, diagnostics } = connectInMemory();
    const tokens = [0, "", "0"] as const;
    const contexts = [1, 2, 3].map((id) => context(id));
    const answered = contexts.map((each, index) => {
      const progressToken = tokens[index];
      return exchange(
        call("a", {}, { progressToken, raw: { ...META, progressToken: progressToken ?? 0 } }),
        each,
      );
    });
    const silent = exchange(call("b"), context(4));
    const messages = await sent.first(4);
    expect(
      messages.map(({ params }) => (params as { _meta: JsonObject })["_meta"]["progressToken"]),
    ).toEqual([1, 2, 3, undefined]);
    const progress = (progressToken: string | number) => ({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken, progress: 0.5 },
    });
    reply(progress(3), progress(1), progress(2), progress("1"), progress(4), progress(99));
    reply(result(1), result(2), result(3), result(4), progress(1));
    await Promise.all([...answered, silent]);
    await settle();
    expect(contexts.map(({ received }) => received)).toEqual(
      tokens.map((progressToken) => [
        { method: "notifications/progress", params: { progressToken, progress: 0.5 } },
      ]),
    );
    // The token of a call that is over, or that asked for none, is late at worst.
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'notification "notifications/progress" belongs to no request',
      'notification "notifications/progress" belongs to no request',
    ]);
  });

  const changed = (subscriptionId: string | number) => ({
    method: "notifications/tools/list_changed",
    params: { _meta: { "io.modelcontextprotocol/subscriptionId": subscriptionId } },
  });

  test("STDIO-12 SUB-14 notifications reach the subscription whose id they carry", async () => {
    const { exchange, reply } = connectInMemory();
    const contexts = [context("a"), context("b")] as const;
    const listening = contexts.map((each) => exchange(call("subscriptions/listen"), each));
    reply({ jsonrpc: "2.0", ...changed(2) }, { jsonrpc: "2.0", ...changed(1) });
    reply({ jsonrpc: "2.0", ...changed("1") }, { jsonrpc: "2.0", ...changed(3) });
    const meta = (id: number) => ({ _meta: { "io.modelcontextprotocol/subscriptionId": id } });
    reply(result(1, meta(1)), result(2, meta(2)));
    expect(await Promise.all(listening)).toEqual([
      { resultType: "complete", _meta: { "io.modelcontextprotocol/subscriptionId": "a" } },
      { resultType: "complete", _meta: { "io.modelcontextprotocol/subscriptionId": "b" } },
    ]);
    expect(contexts.map(({ received }) => received)).toEqual([[changed("a")], [changed("b")]]);
  });

  test("CANC-02 a subscription ends by answer, by cancellation, or by both in any order", async () => {
    const { exchange, reply, diagnostics } = connectInMemory();
    const ended = (requestId: number) => ({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId },
    });
    const listening = [1, 2, 3].map((id) => exchange(call("subscriptions/listen"), context(id)));
    const other = exchange(call("tools/call"), context(4));
    reply(result(1), ended(1), ended(2), result(2), ended(3), ended(4), result(4));
    const results = await Promise.all([...listening, other]);
    expect(results.map(({ resultType }) => resultType)).toEqual(Array(4).fill("complete"));
    expect(diagnostics).toEqual([]);
  });

  test("T-10 log messages go to the one call that asked for them, and to none if there are two", async () => {
    const { exchange, reply, diagnostics } = connectInMemory();
    const logged = context(1);
    const other = context(2);
    const log = {
      jsonrpc: "2.0",
      method: "notifications/message",
      params: { level: "info", data: 1 },
    };
    const first = exchange(call("a", {}, { logLevel: "info" }), logged);
    const second = exchange(call("b"), other);
    reply(log);
    await settle();
    const third = exchange(call("c", {}, { logLevel: "info" }), other);
    reply(log, result(3), log, result(1), log, result(2));
    await Promise.all([first, second, third]);
    expect(logged.received).toHaveLength(2);
    expect(other.received).toEqual([]);
    expect(diagnostics).toHaveLength(2);
  });

  test("BR-072 1,000 unknown tokens and methods leave the connection up", async () => {
    const { exchange, reply, diagnostics } = connectInMemory();
    const answered = exchange(call("a"), context(1));
    for (let count = 0; count < 1_000; count += 1) {
      const params = { progressToken: `x${count}`, progress: 1 };
      reply({ jsonrpc: "2.0", method: "notifications/progress", params });
    }
    reply(result(1));
    expect(await answered).toEqual({ resultType: "complete" });
    expect(diagnostics).toHaveLength(1_000);
  });

  test("T-15 reading pauses while whoever takes the notifications lags", async () => {
    const { exchange, input, reply } = connectInMemory();
    const waiting: (() => void)[] = [];
    const slow = {
      ...context(1),
      notify: () => new Promise<void>((resolve) => waiting.push(resolve)),
    };
    const answered = exchange(call("a", {}, { progressToken: 1 }), slow);
    const progress = {
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: 1, progress: 1 },
    };
    for (let count = 0; count < 1_025; count += 1) reply(progress);
    await settle();
    expect(input.isPaused()).toBe(true);
    for (const resolve of waiting) resolve();
    await settle();
    expect(input.isPaused()).toBe(false);
    reply(result(1));
    await answered;
  });

  test("a receiver that fails is reported and fails no call", async () => {
    const { exchange, reply, diagnostics } = connectInMemory();
    const failing = { ...context(1), notify: () => Promise.reject(new Error("no")) };
    const answered = exchange(call("a", {}, { progressToken: 1 }), failing);
    reply({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: 1, progress: 1 },
    });
    reply(result(1));
    await answered;
    await settle();
    expect(diagnostics).toEqual([
      {
        kind: "stray-message",
        message: "the receiver of notifications/progress failed: Error: no",
      },
    ]);
  });
});

describe("cancellation", () => {
  test("STDIO-15 CANC-04 CANC-07 an abort sends notifications/cancelled and rejects with the reason", async () => {
    const { exchange, sent } = connectInMemory();
    const aborted = context(9);
    const answered = exchange(call("a"), aborted);
    await sent.first(1);
    const reason = new Error("changed my mind");
    aborted.controller.abort(reason);
    await expect(answered).rejects.toBe(reason);
    expect((await sent.first(2))[1]).toEqual({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 1, reason: "changed my mind" },
    });
  });

  test("CANC-13 nothing is sent for a call that was over, or never went out", async () => {
    const { exchange, sent, reply } = connectInMemory();
    const over = context(1);
    const answered = exchange(call("a"), over);
    reply(result(1));
    await answered;
    over.controller.abort();
    await expect(exchange(call("b"), over)).rejects.toBe(over.signal.reason);
    await settle();
    expect(sent.messages).toHaveLength(1);
  });

  test("CANC-17 CANC-18 an answer that crosses the cancellation is ignored quietly", async () => {
    const { exchange, sent, reply, diagnostics } = connectInMemory();
    const aborted = context(1);
    const answered = exchange(call("a"), aborted);
    await sent.first(1);
    aborted.controller.abort();
    reply(result(1));
    await expect(answered).rejects.toBe(aborted.signal.reason);
    await settle();
    expect(diagnostics).toEqual([]);
  });
});

describe("byte streams", () => {
  test("STDIO-09 TRANS-02 TRANS-10 both ends meet over a socket", async () => {
    const echo: Exchange = async ({ params }, { notify }) => {
      await notify({ method: "notifications/progress", params: { progressToken: 1, progress: 1 } });
      return { resultType: "complete", ...params };
    };
    const listener = createServer((socket) => {
      serveStdio(echo, { input: socket, output: socket });
    });
    listener.listen(0, "127.0.0.1");
    await once(listener, "listening");
    const address = listener.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    const socket = createConnection({ port, host: "127.0.0.1" });
    const connection = connectStdio({ input: socket, output: socket });
    const asked = context("x");
    const answer = connection.exchange(call("a", { text: "漢字" }, { progressToken: "t" }), asked);
    expect(await answer).toEqual({ resultType: "complete", text: "漢字" });
    expect(asked.received).toEqual([
      { method: "notifications/progress", params: { progressToken: "t", progress: 1 } },
    ]);
    await connection.close();
    await expect(connection.exchange(call("b"), asked)).rejects.toBeInstanceOf(TransportError);
    listener.close();
    await once(listener, "close");
  });

  test("calls in flight fail when the stream ends", async () => {
    const { exchange, input, connection } = connectInMemory();
    const answered = exchange(call("a"), context(1));
    input.end();
    await expect(answered).rejects.toMatchObject({ code: "ERR_MCP_TRANSPORT_CLOSED" });
    expect((await connection.closed).message).toBe("the connection was closed by the server");
  });
});

describe("child processes", { timeout: 60_000 }, () => {
  let fixtures: Fixtures;
  const open = new Set<StdioConnection>();

  beforeAll(async () => {
    fixtures = await bundleFixtures("stdio-child", "stdio-server");
  });
  afterEach(async () => {
    await Promise.all([...open].map((connection) => connection.close()));
    open.clear();
  });
  afterAll(() => fixtures.remove());

  function start(mode: string, options: Partial<StdioCommand> = {}, name = "stdio-child") {
    const diagnostics: StdioDiagnostic[] = [];
    const wrote = new EventTarget();
    const connection = connectStdio({
      command: process.execPath,
      args: [fixtures.path(name), mode],
      eofGraceMs: 400,
      termGraceMs: 400,
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
      ...options,
      onStderr: (chunk) => {
        options.onStderr?.(chunk);
        wrote.dispatchEvent(new Event("chunk"));
      },
    });
    open.add(connection);
    /** Settles when the child has written a text to its stderr. */
    const hasWritten = async (text: string): Promise<void> => {
      // oxlint-disable-next-line no-await-in-loop -- one chunk after the other
      while (!connection.stderr().includes(text)) await once(wrote, "chunk");
    };
    return { connection, exchange: connection.exchange, diagnostics, hasWritten };
  }

  const isAlive = (pid: number): boolean => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };
  /** Dead, or dead and not collected by whoever inherited it. */
  const isRunning = (pid: number): boolean => {
    if (!isAlive(pid)) return false;
    const stat = `/proc/${pid}/stat`;
    return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, "utf8"));
  };

  test("STDIO-01 STDIO-18 T-17 starts a server, calls it and ends it by the end of its input", async () => {
    const { connection, exchange } = start("", {}, "stdio-server");
    expect(await exchange(call("echo", { value: 1 }), context(1))).toEqual({
      resultType: "complete",
      value: 1,
    });
    const pid = connection.pid ?? 0;
    expect(isRunning(pid)).toBe(true);
    await connection.close();
    expect(isRunning(pid)).toBe(false);
    await expect(exchange(call("echo"), context(2))).rejects.toMatchObject({
      code: "ERR_MCP_TRANSPORT_CLOSED",
    });
  });

  test("T-14 the child gets the allow-list and what was configured, and its arguments intact", async () => {
    vi.stubEnv("SECRET_TOKEN", "canary");
    vi.stubEnv("HTTPS_PROXY", "http://proxy.example");
    const args = [
      fixtures.path("stdio-child"),
      "environment",
      "a b",
      "$(touch x)",
      "&",
      '"',
      "%PATH%",
      "",
    ];
    const { exchange } = start("environment", { args, env: { GIVEN: "yes", LANG: undefined } });
    const { value } = (await exchange(call("a"), context(1))) as unknown as {
      value: { env: Record<string, string>; argv: string[] };
    };
    vi.unstubAllEnvs();
    expect(value.argv).toEqual(args.slice(2));
    const inherited = ["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"];
    expect(value.env).toEqual({
      ...Object.fromEntries(
        inherited.flatMap((name) => {
          const own = process.env[name];
          return own === undefined ? [] : [[name, own]];
        }),
      ),
      GIVEN: "yes",
    });
  });

  test("BR-007 T-15 a banner and stray lines are reported with their text, and the session goes on", async () => {
    const { exchange, diagnostics } = start("banner");
    for (const id of [1, 2]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await exchange(call("a"), context(id))).toMatchObject({ resultType: "complete" });
    }
    expect(diagnostics).toHaveLength(32);
    expect(diagnostics[0]).toEqual({
      kind: "foreign-output",
      message: expect.stringContaining('"Welcome! \\u001b[31mline 1"') as string,
    });
    expect(diagnostics[30]?.message).toContain('"debug: got a line"');
  });

  test("T-15 a polluted output closes the connection and ends the child", async () => {
    const { connection, exchange, diagnostics } = start("pollute");
    await expect(exchange(call("a"), context(1))).rejects.toThrow(
      'the output of the server is polluted; the last line was "noise"',
    );
    await connection.close();
    expect(diagnostics).toHaveLength(1_001);
    expect(isRunning(connection.pid ?? 0)).toBe(false);
  });

  test("T-07 T-15 a child that sends a line without end is ended", async () => {
    const { connection, exchange } = start("endless", {
      limits: { maxResponseBytes: 1024 * 1024 },
    });
    await expect(exchange(call("a"), context(1))).rejects.toBeInstanceOf(LimitError);
    await connection.close();
    expect(isRunning(connection.pid ?? 0)).toBe(false);
  });

  test("T-08 a child that sends requests is ended at the hundredth", async () => {
    const { connection, exchange } = start("requests");
    await expect(exchange(call("a"), context(1))).rejects.toThrow("the server sent 100 requests");
    await connection.closed;
  });

  test("STDIO-06 T-16 4 MiB of stderr block nobody, and the last MiB is kept", async () => {
    let passed = 0;
    const { connection, exchange, hasWritten } = start("stderr", {
      onStderr: (chunk) => (passed += chunk.length),
    });
    expect(await exchange(call("a"), context(1))).toMatchObject({ resultType: "complete" });
    await hasWritten("the end");
    const stderr = connection.stderr();
    expect(Buffer.byteLength(stderr)).toBe(1024 * 1024);
    expect(stderr.endsWith("e\nthe end of stderr — 漢字\n")).toBe(true);
    expect(passed).toBe(4 * 1024 * 1024 + Buffer.byteLength("the end of stderr — 漢字\n"));
  });

  test("T-16 a child that never reads lets calls fail on the queue, and close ends it", async () => {
    const { connection, exchange } = start("deaf");
    const text = "x".repeat(1024 * 1024);
    const outcomes = [1, 2, 3, 4, 5, 6].map((id) =>
      exchange(call("a", { text }), context(id)).catch((error: unknown) => error),
    );
    expect(await outcomes[5]).toBeInstanceOf(LimitError);
    await connection.close();
    expect(await outcomes[0]).toBeInstanceOf(TransportError);
    expect(isRunning(connection.pid ?? 0)).toBe(false);
  });

  test("T-18 STDIO-23 calls in flight fail at once when the child dies, with the end of its stderr", async () => {
    const { connection, exchange } = start("die", { restart: false });
    const outcomes = [1, 2].map((id) =>
      exchange(call("a"), context(id)).catch((error: unknown) => error),
    );
    const [first, second] = await Promise.all(outcomes);
    expect(first).toBe(second);
    expect(first).toBeInstanceOf(TransportError);
    expect(first).toMatchObject({
      code: "ERR_MCP_TRANSPORT_CLOSED",
      message:
        'the server process exited with code 3; its stderr ends with "fatal: \\u001b[2Jcannot go on"',
    });
    expect(await connection.closed).toBe(first);
  });

  test("T-17 BR-010 a tree that ignores SIGTERM is gone after close", async () => {
    const { connection, hasWritten } = start("stubborn");
    await hasWritten("complete");
    const pids = [...connection.stderr().matchAll(/pid (\d+)/g)].map(([, pid]) => Number(pid));
    expect(pids).toHaveLength(2);
    await connection.close();
    expect([connection.pid ?? 0, ...pids].filter(isRunning)).toEqual([]);
  });

  test("T-17 a launcher that exits and leaves its server behind is noticed, and the server is ended", async () => {
    const { connection, exchange } = start("launcher");
    await expect(exchange(call("a"), context(1))).rejects.toThrow(
      "the server process exited with code 0",
    );
    await connection.close();
    const pid = Number(/pid (\d+)/.exec(connection.stderr())?.[1]);
    expect(isRunning(pid)).toBe(false);
  });

  test("T-17 close while starting ends the child", async () => {
    const { connection } = start("stubborn", { eofGraceMs: 0, termGraceMs: 0 });
    await connection.close();
    expect(isRunning(connection.pid ?? 0)).toBe(false);
  });

  test("T-13 BR-013 a program that is not found is named, with the PATH", () => {
    const found = (): unknown =>
      connectStdio({ command: "no-such-program", env: { PATH: "/nowhere" } });
    expect(found).toThrow(
      new TransportError('program "no-such-program" not found; PATH of the child is "/nowhere"', {
        stage: "resolve",
        hint: "give the full path of the program, or set PATH in env",
      }),
    );
  });

  test("T-13 a payload for a shell reaches the program as it is, and runs nothing", async () => {
    const canary = join(tmpdir(), `bowline-canary-${process.pid}`);
    const touch = `touch ${canary}`;
    const payloads = [
      `; ${touch}`,
      `| ${touch}`,
      `&& ${touch}`,
      `$(${touch})`,
      `\`${touch}\``,
      `\n${touch}\n`,
      `'; ${touch}; '`,
      `"; ${touch}; "`,
      `> ${canary}`,
      "${IFS}",
      "--help",
      "-",
      "*",
      "~",
      "%PATH%",
      "^&",
      "漢字 🦉",
    ];
    const args = [fixtures.path("stdio-child"), "environment", ...payloads];
    const { exchange } = start("environment", { args });
    const { value } = (await exchange(call("a"), context(1))) as unknown as {
      value: { argv: string[] };
    };
    expect(value.argv).toEqual(payloads);
    expect(existsSync(canary)).toBe(false);
  });
});

describe("a program that does not start", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "bowline-start-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function outcomeOf(text: string): Promise<unknown> {
    const command = join(folder, "program");
    writeFileSync(command, text, { mode: 0o755 });
    const connection = connectStdio({ command, restart: false, onDiagnostic: () => undefined });
    onTestFinished(() => connection.close());
    // More than a pipe holds: the write fails as well, which is not what is told.
    const params = { text: "x".repeat(1_000_000) };
    return connection.exchange(call("a", params), context(1)).catch((error: unknown) => error);
  }
  const usual =
    "it ended before its first message: start it in a terminal, where it should wait and write nothing to stdout";

  test.skipIf(process.platform === "win32").each([
    [
      "an interpreter that is not there",
      "#!/no/such/interpreter\n",
      {
        code: "ERR_MCP_TRANSPORT",
        stage: "resolve",
        message: "the server process could not be started: ENOENT",
        hint: "the interpreter that its first line names, or the working directory, may not be there",
      },
    ],
    [
      "an exit at once",
      "#!/bin/sh\nexit 1\n",
      {
        code: "ERR_MCP_TRANSPORT_CLOSED",
        stage: "connect",
        message: "the server process exited with code 1",
        hint: usual,
      },
    ],
    [
      "a program it does not find",
      "#!/bin/sh\nno-such-program\n",
      {
        code: "ERR_MCP_TRANSPORT_CLOSED",
        message: expect.stringMatching(
          /exited with code 127; its stderr ends with .*not found/,
        ) as string,
        hint: "a program was not found, as code 127 says: the PATH of the child may lack its folder",
      },
    ],
  ])("BR-013 the call fails with a hint: %s", async (_, text, expected) => {
    const error = await outcomeOf(text);
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject(expected);
  });

  test.skipIf(process.platform === "win32")("one that spoke before has no such hint", async () => {
    const error = await outcomeOf("#!/bin/sh\necho hello\nexit 1\n");
    expect(error).toMatchObject({
      message: "the server process exited with code 1",
      hint: undefined,
    });
  });
});
