import { afterEach, describe, expect, test, vi } from "vitest";
import { DecodeError, LimitError, RpcError, TransportError } from "../base/errors.ts";
import type { Call } from "../protocol/call.ts";
import type { CallContext, Exchange } from "../protocol/exchange.ts";
import type { Result } from "../protocol/result.ts";
import { createClient } from "./create-client.ts";

afterEach(() => vi.useRealTimers());

const TEXT = { resultType: "complete", content: [{ type: "text", text: "hi" }] };

interface Recorded {
  readonly call: Call;
  readonly context: CallContext;
}

/** A server that answers by a function and remembers what it was asked. */
function answering(answer: (recorded: Recorded) => Result | Promise<Result>): {
  exchange: Exchange;
  asked: Recorded[];
} {
  const asked: Recorded[] = [];
  const exchange: Exchange = async (call, context) => {
    asked.push({ call, context });
    return answer({ call, context });
  };
  return { exchange, asked };
}

/** Why a promise rejects; listens at once, so that the rejection is never unhandled. */
const reasonOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "resolved",
    (reason: unknown) => reason,
  );

const pending = (): Promise<never> => new Promise(() => undefined);

/** A list of `total` tools in pages of `size`, with cursors made by `cursorOf`. */
const pagesOf = (total: number, size: number, cursorOf: (next: number) => string): Exchange =>
  answering(({ call }) => {
    const cursor = call.params["cursor"];
    let start = 0;
    while (start > 0 ? cursorOf(start) !== cursor : cursor !== undefined) start += size;
    const tools = Array.from({ length: Math.min(size, total - start) }, (_, i) => ({
      name: `t${start + i}`,
      inputSchema: { type: "object" },
    }));
    const next = start + size;
    return {
      resultType: "complete",
      tools,
      ttlMs: 0,
      cacheScope: "private",
      ...(next < total ? { nextCursor: cursorOf(next) } : {}),
    };
  }).exchange;

describe("what a request carries", () => {
  test("META-10 META-11 every request names version, capabilities and client", async () => {
    const { exchange, asked } = answering(() => TEXT);
    const client = createClient(exchange, {
      info: { name: "desk", version: "2.0.0" },
      capabilities: { roots: {} },
    });
    await client.callTool("a", { x: 1 }, { meta: { "com.example/k": 1 } });
    expect(asked[0]?.call).toEqual({
      method: "tools/call",
      params: { name: "a", arguments: { x: 1 } },
      meta: {
        protocolVersion: "2026-07-28",
        clientCapabilities: { roots: {} },
        clientInfo: { name: "desk", version: "2.0.0" },
        raw: {
          "com.example/k": 1,
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "desk", version: "2.0.0" },
          "io.modelcontextprotocol/clientCapabilities": { roots: {} },
        },
      },
    });
  });

  test("RPC-04 RPC-06 PROG-03 PROG-04 ids and progress tokens are integers, new for every request", async () => {
    const { exchange, asked } = answering(() => TEXT);
    const client = createClient(exchange);
    const onProgress = (): void => undefined;
    await Promise.all([1, 2, 3].map(() => client.callTool("a", {}, { onProgress })));
    expect(asked.map(({ context }) => context.id)).toEqual([1, 2, 3]);
    expect(asked.map(({ call }) => call.meta.progressToken)).toEqual([1, 2, 3]);
  });

  test("BR-061 a tool without arguments is called with an empty object", async () => {
    const { exchange, asked } = answering(() => TEXT);
    await createClient(exchange).callTool("a");
    expect(asked[0]?.call.params).toEqual({ name: "a", arguments: {} });
  });
});

describe("what an answer may be", () => {
  test("RPC-18 a result without resultType is complete", async () => {
    const { exchange } = answering(() => ({ content: [] }) as unknown as Result);
    await expect(createClient(exchange).callTool("a")).resolves.toEqual({ content: [] });
  });

  test.each(["input_required", "task", "", 7, null])(
    "RPC-16 RPC-17 resultType %j was not asked for and is refused",
    async (resultType) => {
      const { exchange } = answering(() => ({ resultType, content: [] }) as unknown as Result);
      await expect(createClient(exchange).callTool("a")).rejects.toBeInstanceOf(DecodeError);
    },
  );

  test.each([
    ["callTool", { content: "text" }],
    ["listTools", { tools: {} }],
    ["listPrompts", {}],
    ["listResources", { resources: [{}] }],
    ["listResourceTemplates", { resourceTemplates: {} }],
    ["discover", { supportedVersions: "2026-07-28", capabilities: {} }],
  ] as const)("%s refuses an answer of another shape", async (method, members) => {
    const { exchange } = answering(() => ({ resultType: "complete", ...members }));
    const client = createClient(exchange);
    const outcome = method === "callTool" ? client.callTool("a") : client[method]();
    await expect(outcome).rejects.toBeInstanceOf(DecodeError);
  });

  test("BR-051 content blocks of an unknown type are kept", async () => {
    const content = [{ type: "hologram", data: "AA==" }];
    const { exchange } = answering(() => ({ resultType: "complete", content }));
    expect((await createClient(exchange).callTool("a")).content).toEqual(content);
  });

  test("an error of the server arrives as it is", async () => {
    const { exchange } = answering(() => {
      throw new RpcError(-32602, "no such tool", { origin: "peer" });
    });
    await expect(createClient(exchange).callTool("a")).rejects.toMatchObject({
      rpcCode: -32602,
      origin: "peer",
    });
  });
});

describe("lists", () => {
  test("BR-067 PAGE-07 all pages are gathered", async () => {
    const tools = await createClient(pagesOf(101, 50, (n) => `p${n}`)).listTools();
    expect(tools.map((tool) => tool.name)).toEqual(Array.from({ length: 101 }, (_, i) => `t${i}`));
  });

  test("PAGE-09 BR-069 an empty-string cursor is a cursor", async () => {
    const tools = await createClient(pagesOf(4, 2, () => "")).listTools();
    expect(tools.map((tool) => tool.name)).toEqual(["t0", "t1", "t2", "t3"]);
  });

  test("a cursor that comes twice ends the list with an error", async () => {
    const { exchange } = answering(() => ({ resultType: "complete", tools: [], nextCursor: "x" }));
    await expect(createClient(exchange).listTools()).rejects.toBeInstanceOf(DecodeError);
  });

  test("a list without end stops at the page limit", async () => {
    let page = 0;
    const { exchange, asked } = answering(() => {
      page += 1;
      return { resultType: "complete", tools: [], nextCursor: `c${page}` };
    });
    await expect(createClient(exchange).listTools()).rejects.toMatchObject({
      limit: "maxListPages",
    });
    expect(asked).toHaveLength(64);
  });

  test("a list with too many items stops at the item limit", async () => {
    const tools = Array.from({ length: 6_000 }, (_, i) => ({
      name: `t${i}`,
      inputSchema: { type: "object" },
    }));
    let page = 0;
    const { exchange } = answering(() => {
      page += 1;
      return { resultType: "complete", tools, nextCursor: `c${page}` };
    });
    await expect(createClient(exchange).listTools()).rejects.toBeInstanceOf(LimitError);
  });
});

describe("progress and logs", () => {
  test("BR-072 only growing progress of the call's own token is handed on, and none after the end", async () => {
    const seen: number[] = [];
    let late: CallContext | undefined;
    const { exchange } = answering(async ({ call, context }) => {
      late = context;
      const progressToken = call.meta.progressToken ?? "none";
      const send = (token: string | number, progress: number): Promise<void> =>
        context.notify({
          method: "notifications/progress",
          params: { progressToken: token, progress },
        });
      await send(progressToken, 1);
      await send("someone else's", 2);
      await send(String(progressToken), 2);
      await send(progressToken, 1);
      await send(progressToken, 3);
      return TEXT;
    });
    await createClient(exchange).callTool("a", {}, { onProgress: (p) => seen.push(p.progress) });
    await late?.notify({
      method: "notifications/progress",
      params: { progressToken: 1, progress: 9 },
    });
    expect(seen).toEqual([1, 3]);
  });

  test("LOG-05 logs are asked for only where someone listens", async () => {
    const seen: unknown[] = [];
    const { exchange, asked } = answering(async ({ context }) => {
      await context.notify({
        method: "notifications/message",
        params: { level: "info", data: "x" },
      });
      return TEXT;
    });
    const client = createClient(exchange);
    await client.callTool("a", {}, { onLog: (message) => seen.push(message) });
    await client.callTool("a");
    expect(asked.map(({ call }) => call.meta.logLevel)).toEqual(["info", undefined]);
    expect(seen).toEqual([{ level: "info", data: "x" }]);
  });
});

describe("ending a call", () => {
  test("a callback that throws fails the caller's call, not the server's handler", async () => {
    let sent: unknown = "not yet";
    const { exchange, asked } = answering(async ({ call, context }) => {
      const progressToken = call.meta.progressToken ?? "none";
      sent = await context.notify({
        method: "notifications/progress",
        params: { progressToken, progress: 1 },
      });
      return pending();
    });
    const onProgress = (): never => {
      throw new RangeError("mine");
    };
    await expect(createClient(exchange).callTool("a", {}, { onProgress })).rejects.toThrow("mine");
    expect([sent, asked[0]?.context.signal.aborted]).toEqual([undefined, true]);
  });

  test("CANC-01 an abort rejects with the caller's reason and reaches the server", async () => {
    const { exchange, asked } = answering(pending);
    const controller = new AbortController();
    const call = createClient(exchange).callTool("a", {}, { signal: controller.signal });
    controller.abort("enough");
    await expect(call).rejects.toBe("enough");
    expect(asked[0]?.context.signal.aborted).toBe(true);
  });

  test("a signal that is aborted already sends nothing", async () => {
    const { exchange, asked } = answering(() => TEXT);
    const signal = AbortSignal.abort("before");
    await expect(createClient(exchange).callTool("a", {}, { signal })).rejects.toBe("before");
    expect(asked).toEqual([]);
  });

  test("CANC-08 CANC-09 BR-073 silence ends a call with a timeout that names its limit", async () => {
    vi.useFakeTimers();
    const { exchange, asked } = answering(pending);
    const call = createClient(exchange).callTool("a", {}, { timeoutMs: 1_000 });
    const outcome = reasonOf(call);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await outcome).toMatchObject({
      name: "TimeoutError",
      message: "no answer within 1000 ms (timeoutMs)",
    });
    expect(asked[0]?.context.signal.aborted).toBe(true);
  });

  test("CANC-11 CANC-12 BR-073 progress extends the wait, up to the whole", async () => {
    vi.useFakeTimers();
    const { exchange } = answering(async ({ call, context }) => {
      let progress = 0;
      setInterval(() => {
        progress += 1;
        void context.notify({
          method: "notifications/progress",
          params: { progressToken: call.meta.progressToken ?? "none", progress },
        });
      }, 900);
      return pending();
    });
    const seen: number[] = [];
    const call = createClient(exchange).callTool(
      "a",
      {},
      { timeoutMs: 1_000, maxTotalTimeoutMs: 5_000, onProgress: (p) => seen.push(p.progress) },
    );
    const outcome = reasonOf(call);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(await outcome).toMatchObject({
      name: "TimeoutError",
      message: "no answer within 5000 ms (maxTotalTimeoutMs)",
    });
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });

  test("BR-077 a shared signal keeps no listener of a finished call", async () => {
    const { exchange } = answering(() => TEXT);
    const client = createClient(exchange);
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    await Promise.all(Array.from({ length: 200 }, () => client.callTool("a", {}, { signal })));
    expect([added.mock.calls.length, removed.mock.calls.length]).toEqual([200, 200]);
  });

  test("closing fails what is under way and what comes after", async () => {
    const { exchange } = answering(pending);
    const onClose = vi.fn<() => Promise<void>>(async () => undefined);
    const client = createClient(exchange, { onClose });
    const call = client.callTool("a");
    const outcome = reasonOf(call);
    await client.close();
    expect(await outcome).toMatchObject({ code: "ERR_MCP_TRANSPORT_CLOSED" });
    await expect(client.listTools()).rejects.toBeInstanceOf(TransportError);
    expect(onClose).toHaveBeenCalledTimes(1);
  });
});
