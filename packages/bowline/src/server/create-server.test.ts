import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createContext, createInbox, createMeta, refusal, send } from "../../test/calls.ts";
import { RpcError } from "../base/errors.ts";
import type { Result } from "../protocol/result.ts";
import type { Context } from "./context.ts";
import { createServer } from "./create-server.ts";
import { ToolError } from "./tool-error.ts";

const INFO = { name: "test", version: "1.0.0" };
const text = (value: string) => [{ type: "text", text: value }];

describe("dispatch", () => {
  const server = createServer(INFO, { onError: () => undefined }).tool("t", {}, () => "x");

  test.each([
    "initialize",
    "ping",
    "logging/setLevel",
    "resources/subscribe",
    "tools/List",
    "",
    "constructor",
    "__proto__",
    "toString",
  ])("ERR-03 T-03 the method %j does not exist", async (method) => {
    expect(await refusal(server, method)).toEqual({
      code: -32601,
      message: `method ${JSON.stringify(method)} not found`,
    });
  });

  test.each(["2025-11-25", "1900-01-01", "2026-07-29", ""])(
    "VER-03 VER-04 DISC-12 STATE-01 the version %j is not served, whatever came before",
    async (protocolVersion) => {
      await send(server, "tools/call", { name: "t" });
      for (const method of ["tools/list", "server/discover"]) {
        expect(await refusal(server, method, {}, { meta: { protocolVersion } })).toEqual({
          code: -32022,
          message: `protocol version ${JSON.stringify(protocolVersion)} is not served`,
          data: { supported: ["2026-07-28"], requested: protocolVersion },
        });
      }
    },
  );

  test("RPC-01 RPC-28 requests, versions and subscriptions work without anything registered", async () => {
    const bare = createServer(INFO);
    expect(await send(bare, "server/discover")).toMatchObject({
      supportedVersions: ["2026-07-28"],
    });
    expect(await refusal(bare, "x", {}, { meta: { protocolVersion: "x" } })).toMatchObject({
      code: -32022,
    });
    const inbox = createInbox();
    await send(bare, "subscriptions/listen", { notifications: {} }, { notify: inbox.notify });
    expect(inbox.received).toHaveLength(1);
  });

  test("RPC-12 SCHEMA-07 every result has a resultType", async () => {
    const all = createServer(INFO)
      .tool("t", {}, () => "x")
      .prompt("p", {}, () => "x")
      .resource("a:b", {}, () => "x")
      .resourceTemplate("c:{d}", { complete: { d: () => [] } }, () => "x");
    const ref = { type: "ref/resource", uri: "c:{d}" };
    for (const [method, params] of [
      ["server/discover", {}],
      ["tools/list", {}],
      ["tools/call", { name: "t" }],
      ["prompts/list", {}],
      ["prompts/get", { name: "p" }],
      ["resources/list", {}],
      ["resources/templates/list", {}],
      ["resources/read", { uri: "a:b" }],
      ["completion/complete", { ref, argument: { name: "d", value: "" } }],
      ["subscriptions/listen", { notifications: {} }],
    ] as const) {
      expect(await send(all, method, params)).toMatchObject({ resultType: "complete" });
    }
  });

  test("T-11 an onError that throws does not change the answer", async () => {
    const console = vi.spyOn(globalThis.console, "error").mockImplementation(() => undefined);
    const broken = createServer(INFO, {
      onError: () => {
        throw new Error("no disk");
      },
    }).tool("t", {}, () => {
      throw new Error("canary");
    });
    expect(await refusal(broken, "tools/call", { name: "t" })).toEqual({
      code: -32603,
      message: "Internal error",
      data: { ref: expect.any(String) },
    });
    expect(console.mock.calls.map(([, error]) => error)).toEqual([
      new Error("no disk"),
      new Error("canary"),
    ]);
    console.mockRestore();
  });

  test("T-11 LOG-18 without onError a fault is written to the console, under its reference", async () => {
    const console = vi.spyOn(globalThis.console, "error").mockImplementation(() => undefined);
    const silent = createServer(INFO).tool("t", {}, () => {
      throw new Error("canary");
    });
    const { data } = await refusal(silent, "tools/call", { name: "t" });
    const ref: unknown = Reflect.get(data as object, "ref");
    expect(console.mock.calls).toEqual([
      [`bowline: tools/call of tool "t" failed, reference ${String(ref)}`, new Error("canary")],
    ]);
    console.mockRestore();
  });
});

describe("middleware", () => {
  test("wraps every method, the first one outermost", async () => {
    const seen: string[] = [];
    const server = createServer(INFO)
      .tool("t", {}, () => "x")
      .use(async (call, context, next) => {
        seen.push(`a ${call.method}`);
        const result = await next(call, context);
        seen.push("a done");
        return result;
      })
      .use((call, context, next) => {
        seen.push(`b ${call.method}`);
        return next(call, context);
      });
    await send(server, "server/discover");
    await send(server, "tools/call", { name: "t" });
    await send(server, "subscriptions/listen", { notifications: {} });
    expect(seen).toEqual(
      ["server/discover", "tools/call", "subscriptions/listen"].flatMap((method) => [
        `a ${method}`,
        `b ${method}`,
        "a done",
      ]),
    );
  });

  test("may change the call, the context and the result", async () => {
    const inbox = createInbox();
    const principal = { issuer: "i", clientId: "c", subject: "s" };
    const server = createServer(INFO)
      .tool("t", {}, async (_args, ctx) => {
        await ctx.progress(1);
        return String(ctx.principal?.subject);
      })
      .use(async (call, context, next) => {
        const renamed = {
          ...call,
          params: { name: "t" },
          meta: { ...call.meta, progressToken: 5 },
        };
        const result = await next(renamed, { ...context, principal });
        return { ...result, isError: true };
      });
    expect(
      await send(server, "tools/call", { name: "other" }, { notify: inbox.notify }),
    ).toMatchObject({
      content: text("s"),
      isError: true,
    });
    expect(inbox.received).toEqual([
      { method: "notifications/progress", params: { progressToken: 5, progress: 1 } },
    ]);
  });

  test("may answer itself, also methods the server does not have", async () => {
    const own: Result = { resultType: "complete", pong: true };
    const server = createServer(INFO).use((call, context, next) =>
      call.method === "example/ping" ? Promise.resolve(own) : next(call, context),
    );
    expect(await send(server, "example/ping")).toEqual(own);
    expect(await refusal(server, "example/pong")).toMatchObject({ code: -32601 });
  });

  test("sees the error that would be answered, with its cause", async () => {
    const cause = new Error("canary");
    const seen: unknown[] = [];
    const server = createServer(INFO, { onError: () => undefined })
      .tool("t", {}, () => {
        throw cause;
      })
      .use(async (call, context, next) => {
        try {
          return await next(call, context);
        } catch (error) {
          seen.push(error);
          throw error;
        }
      });
    await refusal(server, "tools/call", { name: "t" });
    expect(seen).toEqual([expect.any(RpcError)]);
    expect(Reflect.get(seen[0] as object, "cause")).toBe(cause);
  });

  test.each([
    ["a list", () => Promise.resolve([] as unknown as Result)],
    ["nothing", () => undefined as unknown as Promise<Result>],
    ["no promise and no result", () => 5 as unknown as Promise<Result>],
    ["an object without resultType", () => Promise.resolve({} as Result)],
  ])("T-11 one that gives %s is a fault of the server", async (_title, layer) => {
    const faults: unknown[] = [];
    const server = createServer(INFO, { onError: (error) => faults.push(error) }).use(layer);
    expect(await refusal(server, "server/discover")).toMatchObject({ code: -32603 });
    expect(faults).toEqual([new TypeError("a middleware gave no result")]);
  });

  test("T-11 one that throws shows a reference alone, unless it throws an RpcError", async () => {
    const faults: unknown[] = [];
    const create = (error: Error) =>
      createServer(INFO, { onError: (fault) => faults.push(fault) }).use(() => {
        throw error;
      });
    expect(await refusal(create(new Error("canary")), "server/discover")).toEqual({
      code: -32603,
      message: "Internal error",
      data: { ref: expect.any(String) },
    });
    expect(await refusal(create(new RpcError(-31002, "slow down")), "server/discover")).toEqual({
      code: -31002,
      message: "slow down",
    });
    expect(faults).toEqual([new Error("canary")]);
  });

  test("added later it takes part from then on", async () => {
    const server = createServer(INFO);
    const { exchange } = server;
    const own: Result = { resultType: "complete", own: true };
    await send({ exchange }, "server/discover");
    server.use(() => Promise.resolve(own));
    expect(await send({ exchange }, "server/discover")).toEqual(own);
    expect(() => server.use(5 as unknown as () => Promise<Result>)).toThrow(TypeError);
  });
});

describe("the limit of time", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("CANC-12 a handler that takes too long is aborted and answered, and what it does later is nothing", async () => {
    const inbox = createInbox();
    const faults: unknown[] = [];
    let context: Context | undefined;
    let finish = (_value: string): void => undefined;
    const server = createServer(INFO, {
      handlerTimeoutMs: 5_000,
      onError: (error) => faults.push(error),
    }).tool("t", {}, (_args, ctx) => {
      context = ctx;
      void ctx.signal;
      return new Promise<string>((resolve) => {
        finish = resolve;
      });
    });
    const settings = { notify: inbox.notify, meta: { progressToken: 1 } };
    const call = refusal(server, "tools/call", { name: "t" }, settings);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(context?.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await call).toEqual({
      code: -32603,
      message: "Internal error",
      data: { ref: expect.any(String) },
    });
    expect(context?.signal.reason).toMatchObject({ name: "TimeoutError" });
    expect(faults.map(String)).toEqual([
      "TimeoutError: no result within 5000 ms (handlerTimeoutMs)",
    ]);
    await context?.progress(1);
    finish("late");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(inbox.received).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("many calls share one timer, which stops when nothing runs", async () => {
    let finish = (): void => undefined;
    const done = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const server = createServer(INFO).tool("t", {}, () => done.then(() => "x"));
    const calls = Array.from({ length: 100 }, () => send(server, "tools/call", { name: "t" }));
    expect(vi.getTimerCount()).toBe(1);
    finish();
    await Promise.all(calls);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("a handler that is not asynchronous needs no timer", async () => {
    const server = createServer(INFO).tool("t", {}, () => "x");
    await send(server, "tools/call", { name: "t" });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("an older call ends before a newer one", async () => {
    const ended: number[] = [];
    const server = createServer(INFO, { handlerTimeoutMs: 3_000, onError: () => undefined }).tool(
      "t",
      {},
      () => new Promise<string>(() => undefined),
    );
    for (const index of [1, 2, 3]) {
      send(server, "tools/call", { name: "t" }).catch(() => ended.push(index));
      await vi.advanceTimersByTimeAsync(1_500);
    }
    await vi.advanceTimersByTimeAsync(10_000);
    expect(ended).toEqual([1, 2, 3]);
  });
});

describe("close", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const closing = { code: -31003, message: "the server is closing" };

  test("refuses further calls and waits for running ones", async () => {
    let finish = (_value: string): void => undefined;
    const server = createServer(INFO).tool(
      "t",
      {},
      () =>
        new Promise<string>((resolve) => {
          finish = resolve;
        }),
    );
    const call = send(server, "tools/call", { name: "t" });
    const closed = vi.fn<() => void>();
    const close = server.close();
    const watched = close.then(closed);
    expect(server.close()).toBe(close);
    expect(await refusal(server, "server/discover")).toEqual(closing);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(closed).not.toHaveBeenCalled();
    finish("done");
    expect(await call).toMatchObject({ content: text("done") });
    await watched;
  });

  test("after the time of grace it aborts what still runs", async () => {
    let signal: AbortSignal | undefined;
    const server = createServer(INFO, { closeGraceMs: 1_000 }).tool("t", {}, (_args, ctx) => {
      signal = ctx.signal;
      return new Promise<string>(() => undefined);
    });
    const call = refusal(server, "tools/call", { name: "t" });
    const close = server.close();
    await vi.advanceTimersByTimeAsync(999);
    expect(signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await call).toEqual(closing);
    expect(signal?.reason).toMatchObject({ message: "the server is closing" });
    await close;
  });

  test("with nothing running it closes at once", async () => {
    const server = createServer(INFO).tool("t", {}, () => "x");
    await send(server, "tools/call", { name: "t" });
    await server.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});

test("ToolError carries its code, its content and holds across subclasses", () => {
  class CityError extends ToolError {}
  const error = new CityError("no such city", { cause: 1 });
  expect(error).toMatchObject({
    code: "ERR_MCP_TOOL",
    message: "no such city",
    cause: 1,
    content: text("no such city"),
  });
  expect(ToolError.is(error)).toBe(true);
  expect(ToolError.is(new Error("x"))).toBe(false);
});

test("T-10 two servers share nothing", async () => {
  const [one, other] = [createServer(INFO), createServer({ ...INFO, name: "other" })];
  one.tool("t", {}, () => "one");
  other.tool("t", {}, () => "other");
  const call = { method: "tools/call", params: { name: "t" }, meta: createMeta() };
  expect(await one.exchange(call, createContext())).toMatchObject({ content: text("one") });
  expect(await other.exchange(call, createContext())).toMatchObject({ content: text("other") });
});
