import { describe, expect, test, vi } from "vitest";
import { RpcError, TransportError } from "../../base/errors.ts";
import { MAX_CACHE_TTL_MS, MAX_TIMER_MS } from "../../base/limits.ts";
import type { JsonObject } from "../../json/value.ts";
import type { Result } from "../../protocol/result.ts";
import type { CallOptions } from "../client.ts";
import type { Send } from "../send.ts";
import { cacheSettings, type CacheOptions } from "./options.ts";
import type { CacheEntry, CacheStore } from "./store.ts";
import { withCache, type Caching } from "./with-cache.ts";

type Sent = readonly [method: string, params: JsonObject, options: CallOptions | undefined];

interface Rig extends Caching {
  /** What reached the server. */
  readonly sent: readonly Sent[];
  readonly warnings: readonly string[];
  /** Settles once that many requests have reached the server. */
  readonly reached: (count: number) => Promise<void>;
  readonly pass: (ms: number) => void;
}

/** The layer over a server that answers by a function of the request's number, with a clock that stands still. */
function rig(answer: (count: number, sent: Sent) => unknown, options: CacheOptions = {}): Rig {
  const sent: Sent[] = [];
  const warnings: string[] = [];
  const waiting = new Map<number, () => void>();
  let time = 1_000_000;
  const send: Send = async (method, params, callOptions) => {
    const request: Sent = [method, params, callOptions];
    sent.push(request);
    waiting.get(sent.length)?.();
    return (await answer(sent.length, request)) as Result;
  };
  const settings = cacheSettings(
    { now: () => time, ...options },
    { warn: (message) => warnings.push(message), timeoutMs: 1_000, maxTotalTimeoutMs: 5_000 },
  );
  return {
    ...withCache(send, settings),
    sent,
    warnings,
    reached: (count) =>
      new Promise((resolve) => {
        waiting.set(count, resolve);
        if (sent.length >= count) resolve();
      }),
    pass: (ms) => {
      time += ms;
    },
  };
}

const complete = (members: object): Result => ({ resultType: "complete", ...members });
const numbered =
  (ttlMs: unknown, more: object = {}) =>
  (count: number): Result =>
    complete({ count, ttlMs, cacheScope: "private", ...more });

/** Why a promise rejects; listens at once, so that the rejection is never unhandled. */
const reasonOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "resolved",
    (reason: unknown) => reason,
  );

/** Everything that is ready has run. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const unreachable = (): never => {
  throw new TransportError("no answer");
};

interface Held<T> {
  readonly promise: Promise<T>;
  readonly release: (value: T) => void;
}

function held<T>(): Held<T> {
  let release: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => {
    release = resolve;
  });
  return { promise, release };
}

const FRESH = 60_000;
const METHODS: readonly (readonly [method: string, params: JsonObject])[] = [
  ["server/discover", {}],
  ["tools/list", {}],
  ["prompts/list", {}],
  ["resources/list", {}],
  ["resources/templates/list", {}],
  ["resources/read", { uri: "a:b" }],
];

describe("how long a result is fresh", () => {
  test.each(METHODS)(
    "CACHE-08 CACHE-11 CACHE-14 CACHE-16 %s is asked for again once its time is over, not before",
    async (method, params) => {
      const { send, sent, pass } = rig(numbered(FRESH));
      const first = await send(method, params);
      pass(FRESH - 1);
      expect(await send(method, params)).toEqual(first);
      pass(1);
      expect(await send(method, params)).toMatchObject({ count: 2 });
      expect(sent).toHaveLength(2);
    },
  );

  test.each([0, -1, -FRESH, undefined, null, "60000", 0.5, Number.NaN, Number.POSITIVE_INFINITY])(
    "CACHE-09 CACHE-10 CACHE-12 CACHE-13 BR-106 a ttlMs of %j is stale at once",
    async (ttlMs) => {
      const { send, sent } = rig(numbered(ttlMs));
      await send("tools/list", {});
      await send("tools/list", {});
      expect(sent).toHaveLength(2);
    },
  );

  test("a day is the longest that a server is believed", async () => {
    const { send, sent, pass } = rig(numbered(Number.MAX_SAFE_INTEGER));
    await send("tools/list", {});
    pass(MAX_CACHE_TTL_MS - 1);
    await send("tools/list", {});
    expect(sent).toHaveLength(1);
    pass(1);
    await send("tools/list", {});
    expect(sent).toHaveLength(2);
  });

  test("the time runs from receipt, not from the request", async () => {
    const answer = held<Result>();
    const { send, sent, pass } = rig(() => answer.promise);
    const call = send("tools/list", {});
    pass(500);
    answer.release(numbered(1_000)(1));
    await call;
    pass(999);
    await send("tools/list", {});
    expect(sent).toHaveLength(1);
  });

  test("CACHE-17 CACHE-18 nothing is fetched that nobody asks for, however stale", async () => {
    vi.useFakeTimers();
    const { send, sent, pass } = rig(numbered(1_000));
    await send("tools/list", {});
    pass(100_000);
    await vi.advanceTimersByTimeAsync(100_000);
    vi.useRealTimers();
    expect(sent).toHaveLength(1);
  });

  test("with the clock of the platform a result is kept as well", async () => {
    const { send, sent } = rig(numbered(FRESH), { now: undefined });
    await send("tools/list", {});
    await send("tools/list", {});
    expect(sent).toHaveLength(1);
  });
});

describe("what is told apart", () => {
  test("CACHE-03 CACHE-04 another method, URI or cursor is another request", async () => {
    const { send, sent } = rig(numbered(FRESH));
    const requests: typeof METHODS = [
      ...METHODS,
      ["resources/read", { uri: "a:B" }],
      ["resources/read", { uri: "a:b " }],
      ["tools/list", { cursor: "" }],
      ["tools/list", { cursor: "x" }],
      ["prompts/list", { cursor: "x" }],
    ];
    for (const [method, params] of [...requests, ...requests]) await send(method, params);
    expect(sent.map(([method, params]) => [method, params])).toEqual(requests);
  });

  test.each([
    ["tools/call", { name: "a", arguments: {} }],
    ["prompts/get", { name: "a" }],
    ["completion/complete", {}],
    ["resources/read", { uri: "a:b", inputResponses: {} }],
    ["resources/read", { uri: "a:b", requestState: "" }],
    ["resources/read", { uri: "a:b", inputResponses: {}, requestState: "x" }],
    ["tools/list", { unknown: 1 }],
  ])("CACHE-05 MRTR-40 %s with %j is never kept", async (method, params) => {
    const { send, sent } = rig(numbered(FRESH));
    await send(method, params);
    await send(method, params);
    expect(sent).toHaveLength(2);
  });

  test("CACHE-05 the answer of a later round is not given to who asks from the start", async () => {
    const { send } = rig(numbered(FRESH));
    await send("resources/read", { uri: "a:b", requestState: "x" });
    expect(await send("resources/read", { uri: "a:b" })).toMatchObject({ count: 2 });
  });

  test("further members of _meta may change the result, but for those of a trace", async () => {
    const { send, sent } = rig(numbered(FRESH));
    await send("tools/list", {}, { meta: { traceparent: "1" } });
    await send("tools/list", {}, { meta: { traceparent: "2", baggage: "x" } });
    expect(sent).toHaveLength(1);
    await send("tools/list", {}, { meta: { "com.example/tenant": "x" } });
    await send("tools/list", {}, { meta: { "com.example/tenant": "x" } });
    expect(sent).toHaveLength(3);
  });

  test("a question to the user is not kept, and goes to one caller alone", async () => {
    const { send, sent } = rig((count) =>
      count === 1 ? { resultType: "input_required", ttlMs: FRESH } : numbered(FRESH)(count),
    );
    const read = (): Promise<Result> => send("resources/read", { uri: "a:b" });
    const [first, second] = await Promise.all([read(), read()]);
    expect(first.resultType).toBe("input_required");
    expect(second).toMatchObject({ resultType: "complete", count: 2 });
    expect(sent).toHaveLength(2);
  });
});

describe("what a call can ask for", () => {
  test("CACHE-32 reload asks the server, and what it answers is kept", async () => {
    const { send, sent } = rig(numbered(FRESH));
    await send("tools/list", {});
    expect(await send("tools/list", {}, { cache: "reload" })).toMatchObject({ count: 2 });
    expect(await send("tools/list", {})).toMatchObject({ count: 2 });
    expect(sent).toHaveLength(2);
  });

  test("a reload that may not be kept leaves nothing older behind", async () => {
    const { send } = rig((count) => numbered(count === 1 ? FRESH : 0)(count));
    await send("tools/list", {});
    await send("tools/list", {}, { cache: "reload" });
    expect(await send("tools/list", {})).toMatchObject({ count: 3 });
  });

  test("no-store leaves the cache alone", async () => {
    const { send } = rig(numbered(FRESH));
    await send("tools/list", {});
    expect(await send("tools/list", {}, { cache: "no-store" })).toMatchObject({ count: 2 });
    expect(await send("tools/list", {})).toMatchObject({ count: 1 });
  });

  test("another mode is no mode, and an unknown option is none where the answer is at hand", async () => {
    const { send, sent } = rig(numbered(FRESH));
    await send("tools/list", {});
    const mode = { cache: "maybe" } as object;
    await expect(send("tools/list", {}, mode)).rejects.toThrow(
      'tools/list: cache must be "default", "reload" or "no-store", not "maybe"',
    );
    await expect(send("tools/list", {}, { timeout: 1 } as object)).rejects.toThrow(TypeError);
    expect(sent).toHaveLength(1);
  });

  test("without a cache everything is asked for", async () => {
    const sent: string[] = [];
    const { send, changed, close } = withCache(async (method) => {
      sent.push(method);
      return numbered(FRESH)(sent.length);
    }, undefined);
    await send("tools/list", {});
    await send("tools/list", {});
    changed({ method: "notifications/tools/list_changed", params: { _meta: {} } });
    close();
    expect(sent).toHaveLength(2);
  });

  test("after the end nothing is answered without the server", async () => {
    const { send, sent, close } = rig(numbered(FRESH));
    await send("tools/list", {});
    close();
    await send("tools/list", {});
    expect(sent).toHaveLength(2);
  });
});

describe("one trip for all who ask the same", () => {
  test("callers wait for one request, and none of its options are theirs", async () => {
    const answer = held<Result>();
    const { send, sent, reached } = rig(() => answer.promise);
    const signal = new AbortController().signal;
    const calls = [{}, { signal, timeoutMs: 50_000 }, { timeoutMs: 500 }].map((options) =>
      send("tools/list", {}, options),
    );
    await reached(1);
    answer.release(numbered(0)(1));
    const results = await Promise.all(calls);
    expect(new Set(results).size).toBe(1);
    expect(sent[0]?.[2]).toEqual({
      meta: undefined,
      signal: expect.any(AbortSignal),
      timeoutMs: MAX_TIMER_MS,
      maxTotalTimeoutMs: MAX_TIMER_MS,
    });
  });

  test("who leaves is not waited for, and the trip goes on for the others", async () => {
    const answer = held<Result>();
    const { send, sent, reached } = rig(() => answer.promise);
    const controller = new AbortController();
    const leaving = reasonOf(send("tools/list", {}, { signal: controller.signal }));
    const staying = send("tools/list", {});
    await reached(1);
    controller.abort("enough");
    expect(await leaving).toBe("enough");
    expect(sent[0]?.[2]?.signal?.aborted).toBe(false);
    answer.release(numbered(FRESH)(1));
    expect(await staying).toMatchObject({ count: 1 });
  });

  test("the trip is aborted when the last has left, and the next caller starts another", async () => {
    const { send, sent, reached } = rig((count) =>
      count === 1 ? new Promise(() => undefined) : numbered(FRESH)(count),
    );
    const controllers = [new AbortController(), new AbortController()];
    const calls = controllers.map(({ signal }) => reasonOf(send("tools/list", {}, { signal })));
    await reached(1);
    controllers[0]?.abort("first");
    expect(sent[0]?.[2]?.signal?.aborted).toBe(false);
    controllers[1]?.abort("last");
    expect(await Promise.all(calls)).toEqual(["first", "last"]);
    expect(sent[0]?.[2]?.signal).toMatchObject({ aborted: true, reason: "last" });
    expect(await send("tools/list", {})).toMatchObject({ count: 2 });
  });

  test("each has a time of its own", async () => {
    vi.useFakeTimers();
    const { send, sent } = rig(() => new Promise(() => undefined));
    const hasty = reasonOf(send("tools/list", {}, { timeoutMs: 10 }));
    const usual = reasonOf(send("tools/list", {}));
    await vi.advanceTimersByTimeAsync(10);
    expect(await hasty).toMatchObject({ name: "TimeoutError", ms: 10 });
    expect(sent[0]?.[2]?.signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(990);
    expect(await usual).toMatchObject({ name: "TimeoutError", ms: 1_000, limit: "timeoutMs" });
    expect(sent[0]?.[2]?.signal?.aborted).toBe(true);
    vi.useRealTimers();
  });

  test("a signal that is aborted already starts nothing", async () => {
    const { send, sent } = rig(numbered(FRESH));
    const signal = AbortSignal.abort("before");
    await expect(send("tools/list", {}, { signal })).rejects.toBe("before");
    expect(sent).toEqual([]);
  });

  test("a failure is everybody's, and is not kept", async () => {
    const { send } = rig((count) => (count === 1 ? unreachable() : numbered(FRESH)(count)));
    const calls = [reasonOf(send("tools/list", {})), reasonOf(send("tools/list", {}))];
    expect(await Promise.all(calls)).toEqual([
      new TransportError("no answer"),
      new TransportError("no answer"),
    ]);
    expect(await send("tools/list", {})).toMatchObject({ count: 2 });
  });

  test("who hears of progress or logs has a trip of its own, with its own options", async () => {
    const answer = held<Result>();
    const { send, sent, reached } = rig(() => answer.promise);
    const options = { onProgress: () => undefined, timeoutMs: 77 };
    const calls = [send("tools/list", {}), send("tools/list", {}, options)];
    await reached(2);
    expect(sent[1]?.[2]).toEqual(options);
    answer.release(numbered(FRESH)(1));
    await Promise.all(calls);
    expect(await send("tools/list", {}, { onLog: () => undefined })).toMatchObject({ count: 1 });
    expect(sent).toHaveLength(2);
  });

  test("a reload does not wait for a trip that began before it, and has the last word", async () => {
    const old = held<Result>();
    const { send, reached } = rig((count) => (count === 1 ? old.promise : numbered(FRESH)(count)));
    const first = send("tools/list", {});
    await reached(1);
    await send("tools/list", {}, { cache: "reload" });
    old.release(numbered(FRESH)(1));
    expect(await first).toMatchObject({ count: 1 });
    expect(await send("tools/list", {})).toMatchObject({ count: 2 });
  });
});

describe("changes", () => {
  const changed = (name: string, params: object = {}): never =>
    ({ method: `notifications/${name}`, params: { _meta: {}, ...params } }) as never;

  test.each([
    ["tools/list_changed", ["tools/list"]],
    ["prompts/list_changed", ["prompts/list"]],
    ["resources/list_changed", ["resources/list", "resources/templates/list"]],
  ])("CACHE-27 BR-103 %s makes its lists stale, and nothing else", async (name, lists) => {
    const rigged = rig(numbered(FRESH));
    for (const [method, params] of METHODS) await rigged.send(method, params);
    rigged.pass(1);
    rigged.changed(changed(name));
    for (const [method, params] of METHODS) await rigged.send(method, params);
    expect(rigged.sent.slice(METHODS.length).map(([method]) => method)).toEqual(lists);
  });

  test("CACHE-27 resources/updated makes the one resource stale", async () => {
    const rigged = rig(numbered(FRESH));
    const uris = ["a:1", "a:2"];
    for (const uri of uris) await rigged.send("resources/read", { uri });
    rigged.changed(changed("resources/updated", { uri: "a:1" }));
    rigged.changed(changed("resources/updated", { uri: "a:unknown" }));
    rigged.changed(changed("subscriptions/acknowledged"));
    for (const uri of uris) await rigged.send("resources/read", { uri });
    expect(rigged.sent.slice(2).map(([, params]) => params)).toEqual([{ uri: "a:1" }]);
  });

  test("CACHE-27 all pages of a list are stale, also where the first is gone", async () => {
    const rigged = rig((count, [, { cursor }]) =>
      cursor === undefined ? numbered(1, { nextCursor: "x" })(count) : numbered(FRESH)(count),
    );
    await rigged.send("tools/list", {});
    await rigged.send("tools/list", { cursor: "x" });
    rigged.pass(10);
    rigged.changed(changed("tools/list_changed"));
    rigged.pass(10);
    expect(await rigged.send("tools/list", { cursor: "x" })).toMatchObject({ count: 3 });
  });

  test("CACHE-27 what is under way may be returned, and is not kept", async () => {
    const answer = held<Result>();
    const rigged = rig((count) => (count === 1 ? answer.promise : numbered(FRESH)(count)));
    const first = rigged.send("tools/list", {});
    await rigged.reached(1);
    rigged.changed(changed("tools/list_changed"));
    rigged.pass(1);
    const second = rigged.send("tools/list", {});
    await rigged.reached(2);
    answer.release(numbered(FRESH)(1));
    expect([await first, await second]).toMatchObject([{ count: 1 }, { count: 2 }]);
    expect(await rigged.send("tools/list", {})).toMatchObject({ count: 2 });
  });

  test("T-52 a storm of changes fetches nothing, and is remembered in bounds", async () => {
    const rigged = rig(numbered(FRESH));
    await rigged.send("resources/read", { uri: "a:kept" });
    for (let count = 0; count < 10_000; count += 1) {
      rigged.changed(changed("tools/list_changed"));
      rigged.changed(changed("resources/updated", { uri: `a:${count}` }));
    }
    expect(rigged.sent).toHaveLength(1);
    rigged.pass(1);
    await rigged.send("resources/read", { uri: "a:kept" });
    await rigged.send("resources/read", { uri: "a:kept" });
    expect(rigged.sent).toHaveLength(2);
  });
});

describe("pages", () => {
  test("CACHE-28 CACHE-30 each page has its own time and is fetched again with its cursor", async () => {
    const { send, sent, pass } = rig((count, [, { cursor }]) =>
      cursor === undefined ? numbered(FRESH, { nextCursor: "x" })(count) : numbered(10)(count),
    );
    const list = async (): Promise<void> => {
      await send("tools/list", {});
      await send("tools/list", { cursor: "x" });
    };
    await list();
    pass(10);
    await list();
    expect(sent.map(([, params]) => params)).toEqual([{}, { cursor: "x" }, { cursor: "x" }]);
  });

  test("CACHE-33 a cursor that is refused makes all pages stale", async () => {
    const { send, sent } = rig((count, [, { cursor }]) => {
      if (cursor !== "y") return numbered(FRESH)(count);
      throw new RpcError(-32602, "no such cursor", { origin: "peer" });
    });
    await send("tools/list", {});
    await send("tools/list", { cursor: "x" });
    await expect(send("tools/list", { cursor: "y" })).rejects.toMatchObject({ rpcCode: -32602 });
    await send("tools/list", {});
    await send("tools/list", { cursor: "x" });
    expect(sent.map(([, params]) => params["cursor"])).toEqual([
      undefined,
      "x",
      "y",
      undefined,
      "x",
    ]);
  });
});

describe("where the server does not answer", () => {
  test.each([
    ["a refused connection", () => new TransportError("no answer")],
    ["status 503", () => new TransportError("x", { stage: "http", status: 503 })],
    ["a server without room", () => new RpcError(-31003, "overloaded", { origin: "peer" })],
  ])("CACHE-20 %s: a stale result serves for as long as the option says", async (_title, error) => {
    const { send, pass } = rig(
      (count) => {
        if (count > 1) throw error();
        return numbered(100)(count);
      },
      { staleOnErrorMs: 1_000 },
    );
    await send("tools/list", {});
    pass(1_099);
    expect(await send("tools/list", {})).toMatchObject({ count: 1 });
    pass(1);
    await expect(send("tools/list", {})).rejects.toEqual(error());
  });

  test.each([
    [
      "credentials are asked for",
      () => new TransportError("x", { stage: "authorize", status: 401 }),
    ],
    ["the caller may not", () => new TransportError("x", { stage: "http", status: 403 })],
    ["the server answers with an error", () => new RpcError(-32603, "x", { origin: "peer" })],
  ])("CACHE-20 not where %s", async (_title, error) => {
    const { send, pass } = rig(
      (count) => {
        if (count > 1) throw error();
        return numbered(100)(count);
      },
      { staleOnErrorMs: 1_000 },
    );
    await send("tools/list", {});
    pass(100);
    await expect(send("tools/list", {})).rejects.toEqual(error());
  });

  test("not by default, not for a reload, not after a change", async () => {
    const answer = (count: number): Result => (count > 1 ? unreachable() : numbered(100)(count));
    const plain = rig(answer);
    await plain.send("tools/list", {});
    plain.pass(100);
    await expect(plain.send("tools/list", {})).rejects.toThrow("no answer");
    const lenient = rig(answer, { staleOnErrorMs: 1_000 });
    await lenient.send("tools/list", {});
    await expect(lenient.send("tools/list", {}, { cache: "reload" })).rejects.toThrow("no answer");
    lenient.changed({ method: "notifications/tools/list_changed", params: { _meta: {} } });
    await expect(lenient.send("tools/list", {})).rejects.toThrow("no answer");
  });

  test("a server that is silent counts as one that does not answer; an abort is an abort", async () => {
    vi.useFakeTimers();
    const { send } = rig(
      (count) => (count > 1 ? new Promise(() => undefined) : numbered(0)(count)),
      { staleOnErrorMs: 1_000 },
    );
    await send("tools/list", {});
    const call = send("tools/list", {});
    const controller = new AbortController();
    const aborted = reasonOf(send("tools/list", {}, { signal: controller.signal }));
    controller.abort("enough");
    await vi.advanceTimersByTimeAsync(1_000);
    vi.useRealTimers();
    expect(await call).toMatchObject({ count: 1 });
    expect(await aborted).toBe("enough");
  });
});

describe("what is handed out", () => {
  test("is frozen all through, and no object of the server", async () => {
    const tools = [{ name: "a", inputSchema: { type: "object" }, absent: undefined }];
    const { send } = rig(() => complete({ tools, ttlMs: FRESH, cacheScope: "public" }));
    const result = await send("tools/list", {});
    expect(result).toEqual(complete({ tools, ttlMs: FRESH, cacheScope: "public" }));
    const [tool] = result["tools"] as typeof tools;
    expect([result, result["tools"], tool, tool?.inputSchema].map(Object.isFrozen)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(Object.isFrozen(tools[0])).toBe(false);
    expect(await send("tools/list", {})).toBe(result);
  });

  test("a member named like a prototype is one of its own", async () => {
    const contents = [JSON.parse('{"uri":"a:b","__proto__":{"x":1}}') as unknown];
    const { send } = rig(() => complete({ contents, ttlMs: FRESH }));
    const result = await send("resources/read", { uri: "a:b" });
    expect(JSON.stringify(result["contents"])).toBe('[{"uri":"a:b","__proto__":{"x":1}}]');
  });

  test.each<readonly [string, () => unknown]>([
    ["a function", () => () => 1],
    ["an instance", () => new Date(0)],
    ["a big integer", () => 1n],
    ["no number", () => Number.NaN],
    [
      "a circle",
      () => {
        const circle: unknown[] = [];
        circle.push(circle);
        return circle;
      },
    ],
  ])("%s of a server of the same process is not kept, and given as it is", async (_title, make) => {
    const value = make();
    const { send, sent } = rig(() => complete({ value, ttlMs: FRESH }));
    const results = await Promise.all([send("tools/list", {}), send("tools/list", {})]);
    expect(results.map((result) => result["value"])).toEqual([value, value]);
    expect(sent).toHaveLength(2);
  });
});

describe("a store of one's own", () => {
  const mapStore = (): CacheStore & { readonly map: Map<string, string> } => {
    const map = new Map<string, string>();
    return {
      map,
      get: async (key) => {
        const text = map.get(key);
        return text === undefined ? undefined : (JSON.parse(text) as CacheEntry);
      },
      set: async (key, entry) => {
        map.set(key, JSON.stringify(entry));
      },
      delete: async (key) => {
        map.delete(key);
      },
    };
  };

  test("outlives the client, and its entries say until when", async () => {
    const store = mapStore();
    const first = rig(numbered(FRESH), { store, partition: "desk" });
    await first.send("tools/list", {});
    expect([...store.map].map(([key, text]) => [key, JSON.parse(text)])).toEqual([
      [
        '["desk","tools/list",null]',
        {
          result: numbered(FRESH)(1),
          cacheScope: "private",
          receivedAt: 1_000_000,
          expiresAt: 1_060_000,
        },
      ],
    ]);
    const second = rig(numbered(FRESH), { store, partition: "desk" });
    await second.send("tools/list", {});
    expect(second.sent).toEqual([]);
  });

  test.each(["private", "public", undefined, "everyone"])(
    "CACHE-24 BR-107 what is kept under one name is never given under another (%j)",
    async (cacheScope) => {
      const store = mapStore();
      for (const partition of ["a", "b"]) {
        const { send, sent } = rig(() => complete({ ttlMs: FRESH, cacheScope }), {
          store,
          partition,
        });
        await send("tools/list", {});
        expect(sent).toHaveLength(1);
      }
    },
  );

  test.each([undefined, ""])(
    "CACHE-24 BR-107 a store without a name (%j) is refused",
    (partition) => {
      expect(() => rig(numbered(0), { store: mapStore(), partition })).toThrow(
        "createClient: cache: a store needs a partition",
      );
    },
  );

  test("that fails is a miss and a warning, never a failed call", async () => {
    const fail = (): never => {
      throw new Error("disk full");
    };
    for (const store of [
      { get: fail, set: fail, delete: fail },
      { get: async () => fail(), set: async () => fail(), delete: async () => fail() },
    ]) {
      const { send, sent, changed, warnings } = rig(numbered(FRESH), { store, partition: "x" });
      await send("tools/list", {});
      expect(await send("tools/list", {})).toMatchObject({ count: 2 });
      changed({ method: "notifications/tools/list_changed", params: { _meta: {} } });
      await settled();
      expect(warnings.length).toBeGreaterThan(5);
      expect(new Set(warnings)).toEqual(new Set(["the cache failed: disk full"]));
      expect(sent).toHaveLength(2);
    }
  });

  test("that never answers does not hold a call beyond its time", async () => {
    vi.useFakeTimers();
    const store = { ...mapStore(), get: () => new Promise<never>(() => undefined) };
    const { send } = rig(numbered(FRESH), { store, partition: "x" });
    const calls = [{}, { onLog: () => undefined }].map((options) =>
      reasonOf(send("tools/list", {}, options)),
    );
    await vi.advanceTimersByTimeAsync(1_000);
    vi.useRealTimers();
    expect(await Promise.all(calls)).toMatchObject([{ ms: 1_000 }, { ms: 1_000 }]);
  });

  test.each<readonly [string, unknown]>([
    ["text", "x"],
    ["another shape", { value: 1 }],
    ["a question", { result: { resultType: "input_required" }, receivedAt: 0, expiresAt: 9e9 }],
    ["no times", { result: complete({}), receivedAt: "x", expiresAt: null }],
  ])("that holds %s holds nothing", async (_title, entry) => {
    const store = { ...mapStore(), get: () => entry as CacheEntry };
    const { send, sent, warnings } = rig(numbered(FRESH), { store, partition: "x" });
    await send("tools/list", {});
    expect(sent).toHaveLength(1);
    expect(warnings).toEqual(['the cache gave what is no entry for ["x","tools/list",null]']);
  });

  test.each([
    ["received in the future", 1_000_001, 1_000_100],
    ["kept for more than a day", 999_999, 999_999 + MAX_CACHE_TTL_MS + 1],
  ])("an entry %s is none", async (_title, receivedAt, expiresAt) => {
    const entry = { result: complete({}), cacheScope: "private", receivedAt, expiresAt } as const;
    const { send, sent } = rig(numbered(FRESH), {
      store: { ...mapStore(), get: () => entry },
      partition: "x",
    });
    await send("tools/list", {});
    expect(sent).toHaveLength(1);
  });

  test("a change removes all pages of the list from it", async () => {
    const store = mapStore();
    const rigged = rig(
      (count, [, { cursor }]) =>
        numbered(FRESH, cursor === "b" ? {} : { nextCursor: cursor === "a" ? "b" : "a" })(count),
      { store, partition: "x" },
    );
    for (const params of [{}, { cursor: "a" }, { cursor: "b" }]) {
      await rigged.send("tools/list", params);
    }
    expect(store.map.size).toBe(3);
    rigged.changed({ method: "notifications/tools/list_changed", params: { _meta: {} } });
    await settled();
    expect(store.map.size).toBe(0);
  });
});

describe("bounds of the memory", () => {
  test("what was used longest ago makes room", async () => {
    const { send, sent } = rig(numbered(FRESH), { maxEntries: 2 });
    const read = (uri: string): Promise<Result> => send("resources/read", { uri });
    for (const uri of ["a:1", "a:2", "a:1", "a:3", "a:1", "a:2"]) await read(uri);
    expect(sent.map(([, params]) => params["uri"])).toEqual(["a:1", "a:2", "a:3", "a:2"]);
  });

  test("bytes are counted, and what is larger than all is not kept", async () => {
    const sizes: ReadonlyMap<unknown, number> = new Map([
      ["a:1", 3_000],
      ["a:2", 3_000],
      ["a:big", 9_000],
    ]);
    const { send, sent } = rig(
      (count, [, { uri }]) =>
        numbered(FRESH, { contents: [{ uri, text: "x".repeat(sizes.get(uri) ?? 0) }] })(count),
      { maxBytes: 5_000 },
    );
    const read = (uri: string): Promise<Result> => send("resources/read", { uri });
    for (const uri of ["a:1", "a:big", "a:1", "a:2", "a:1"]) await read(uri);
    expect(sent.map(([, params]) => params["uri"])).toEqual(["a:1", "a:big", "a:2", "a:1"]);
  });

  test.each([
    [{ maxEntries: -1 }, "createClient: cache: maxEntries must be at least 0"],
    [{ maxBytes: Number.NaN }, "createClient: cache: maxBytes must be at least 0"],
    [{ staleOnErrorMs: -1 }, "createClient: cache: staleOnErrorMs must be at least 0"],
    [{ maxAge: 1 }, 'createClient: cache: unknown option "maxAge"'],
    [{ store: {}, partition: "x" }, "createClient: cache: store.get is not a function"],
    [true, "createClient: cache: options must be an object, not boolean"],
  ])("%j is refused", (options, message) => {
    expect(() =>
      cacheSettings(options as CacheOptions, {
        warn: () => undefined,
        timeoutMs: 1,
        maxTotalTimeoutMs: 1,
      }),
    ).toThrow(message);
  });
});
