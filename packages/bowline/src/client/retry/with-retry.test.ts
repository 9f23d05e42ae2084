import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { RpcError, TransportError } from "../../base/errors.ts";
import { MAX_RETRY_WAIT_MS } from "../../base/limits.ts";
import type { JsonObject } from "../../json/value.ts";
import type { Exchange } from "../../protocol/exchange.ts";
import type { Result } from "../../protocol/result.ts";
import type { CallOptions } from "../client.ts";
import { createClient } from "../create-client.ts";
import type { Send } from "../send.ts";
import { ToolCatalogue } from "../tools/catalogue.ts";
import { withRetry } from "./with-retry.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const INPUT = { type: "object" } as const;
const DONE: Result = { resultType: "complete", content: [] };
const lost = (): TransportError => new TransportError("no answer");

interface Rig {
  readonly send: Send;
  /** When each try reached the server, from the start, and how long it may take. */
  readonly tries: readonly (readonly [atMs: number, leftMs: number | undefined])[];
  readonly close: () => void;
}

/** The layer over a server that fails with what `errors` gives, and then answers. */
async function rig(errors: readonly Error[], random = 1, retries = 0): Promise<Rig> {
  const start = Date.now();
  const tries: (readonly [number, number | undefined])[] = [];
  const closing = new AbortController();
  const catalogue = new ToolCatalogue({ mirrors: false, validates: false, warn: () => undefined });
  await catalogue.take([
    { name: "plain", inputSchema: INPUT },
    { name: "reads", inputSchema: INPUT, annotations: { readOnlyHint: true } },
    { name: "same", inputSchema: INPUT, annotations: { idempotentHint: true } },
    { name: "odd", inputSchema: INPUT, annotations: { readOnlyHint: "true", idempotentHint: 1 } },
  ]);
  const send = withRetry(
    async (_method, _params, options) => {
      tries.push([Date.now() - start, options?.maxTotalTimeoutMs]);
      const error = errors[tries.length - 1];
      if (error !== undefined) throw error;
      return DONE;
    },
    catalogue,
    {
      retries,
      maxTotalTimeoutMs: 100_000,
      closed: closing.signal,
      random: () => random,
      now: () => Date.now(),
    },
  );
  return { send, tries, close: () => closing.abort("closed") };
}

/** Why a promise rejects, or what it gives; listens at once. */
const outcomeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.catch((reason: unknown) => reason);

/** How often a request is sent that is lost each time, where its caller allows one retry. */
async function triesOf(method: string, params: JsonObject, options: CallOptions = { retries: 1 }) {
  const { send, tries } = await rig([lost(), lost(), lost()]);
  const outcome = outcomeOf(send(method, params, options));
  await vi.runAllTimersAsync();
  expect(await outcome).toEqual(lost());
  return tries.length;
}

describe("what is sent again", () => {
  test.each([
    ["server/discover", {}],
    ["tools/list", {}],
    ["prompts/list", {}],
    ["resources/list", {}],
    ["resources/templates/list", {}],
    ["resources/read", { uri: "a:b" }],
    ["prompts/get", { name: "a" }],
    ["completion/complete", {}],
    ["tools/call", { name: "reads" }],
    ["tools/call", { name: "same" }],
  ])("TOOLS-26 %s %j, where its caller allows it", async (method, params) => {
    expect(await triesOf(method, params)).toBe(2);
    expect(await triesOf(method, params, {})).toBe(1);
    expect(await triesOf(method, params, { retries: 0 })).toBe(1);
  });

  test.each([
    ["tools/call", { name: "plain" }],
    ["tools/call", { name: "odd" }],
    ["tools/call", { name: "unlisted" }],
    ["tools/call", {}],
    ["subscriptions/listen", {}],
    ["com.example/other", {}],
  ])("TOOLS-26 never %s %j", async (method, params) => {
    expect(await triesOf(method, params, { retries: 5 })).toBe(1);
  });

  test("TOOLS-25 what a server says of its tools sends nothing twice unless the caller allows it", async () => {
    expect(await triesOf("tools/call", { name: "reads" }, {})).toBe(1);
    expect(await triesOf("tools/call", { name: "same" }, {})).toBe(1);
  });

  test.each<readonly [string, Error, number]>([
    ["resolve", new TransportError("x", { stage: "resolve" }), 2],
    ["tls", new TransportError("x", { stage: "tls" }), 2],
    ["a stream that broke", new TransportError("x", { stage: "http" }), 2],
    ["status 500", new TransportError("x", { stage: "http", status: 500 }), 2],
    ["status 503", new TransportError("x", { stage: "http", status: 503 }), 2],
    ["status 429", new TransportError("x", { stage: "http", status: 429 }), 2],
    ["status 408", new TransportError("x", { stage: "http", status: 408 }), 2],
    ["status 404", new TransportError("x", { stage: "http", status: 404 }), 1],
    ["status 401", new TransportError("x", { stage: "authorize", status: 401 }), 1],
    ["no common revision", new TransportError("x", { stage: "negotiate" }), 1],
    ["rate limited", new RpcError(-31002, "x", { origin: "peer" }), 2],
    ["overloaded", new RpcError(-31003, "x", { origin: "peer" }), 2],
    ["limit reached", new RpcError(-31001, "x", { origin: "peer" }), 1],
    ["internal error", new RpcError(-32603, "x", { origin: "peer" }), 1],
    ["invalid params", new RpcError(-32602, "x", { origin: "peer" }), 1],
    ["an abort", new DOMException("enough", "AbortError"), 1],
  ])("BR-029 after %s", async (_title, error, expected) => {
    const { send, tries } = await rig([error]);
    const outcome = outcomeOf(send("tools/list", {}, { retries: 5 }));
    await vi.runAllTimersAsync();
    expect(await outcome).toBe(expected === 2 ? DONE : error);
    expect(tries).toHaveLength(expected);
  });
});

describe("how long it waits", () => {
  const all = (count: number): readonly Error[] => Array.from({ length: count }, lost);

  test.each([
    [1, [0, 500, 1_500, 3_500, 7_500, 15_500]],
    [0.5, [0, 250, 750, 1_750, 3_750, 7_750]],
    [0, [0, 0, 0, 0, 0, 0]],
  ])("twice as long each time, up to a random part of it (%j)", async (random, times) => {
    const { send, tries } = await rig(all(5), random);
    const call = send("tools/list", {}, { retries: 5 });
    await vi.runAllTimersAsync();
    expect(await call).toBe(DONE);
    expect(tries.map(([at]) => at)).toEqual(times);
  });

  test("at least for as long as the server asks, and not at all where that is long", async () => {
    const asking = (retryAfterMs: unknown): Error =>
      Object.assign(new RpcError(-31003, "x", { origin: "peer" }), { retryAfterMs });
    const { send, tries } = await rig([asking(4_000), asking(10), asking("9")]);
    const call = send("tools/list", {}, { retries: 3 });
    await vi.runAllTimersAsync();
    expect(await call).toBe(DONE);
    expect(tries.map(([at]) => at)).toEqual([0, 4_000, 5_000, 7_000]);
    const long = await rig([asking(MAX_RETRY_WAIT_MS + 1)]);
    await expect(long.send("tools/list", {}, { retries: 3 })).rejects.toMatchObject({
      rpcCode: -31003,
    });
    expect(long.tries).toHaveLength(1);
  });

  test("CANC-12 never beyond the time the call has in all, of which each try gets what is left", async () => {
    const { send, tries } = await rig(all(5));
    const outcome = outcomeOf(send("tools/list", {}, { retries: 5, maxTotalTimeoutMs: 3_000 }));
    await vi.runAllTimersAsync();
    expect(await outcome).toEqual(lost());
    expect(tries).toEqual([
      [0, 3_000],
      [500, 2_500],
      [1_500, 1_500],
    ]);
  });

  test("an abort ends the wait, with the caller's reason", async () => {
    const { send, tries } = await rig(all(1));
    const controller = new AbortController();
    const outcome = outcomeOf(send("tools/list", {}, { retries: 1, signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(499);
    controller.abort("enough");
    expect(await outcome).toBe("enough");
    expect(vi.getTimerCount()).toBe(0);
    expect(tries).toHaveLength(1);
  });

  test("closing ends the wait as well, and nothing is sent again after it", async () => {
    const { send, tries, close } = await rig(all(2));
    const outcome = outcomeOf(send("tools/list", {}, { retries: 2 }));
    await vi.advanceTimersByTimeAsync(1);
    close();
    expect(await outcome).toBe("closed");
    await expect(send("tools/list", {}, { retries: 2 })).rejects.toEqual(lost());
    expect(tries).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("as an option", () => {
  test("of the client it is the default of its calls, which may say otherwise", async () => {
    const { send, tries } = await rig(Array.from({ length: 9 }, lost), 0, 2);
    const calls = [{}, { retries: 1 }, { retries: 0 }].map(async (options) => {
      const before = tries.length;
      await outcomeOf(send("tools/list", {}, options));
      return before;
    });
    await vi.runAllTimersAsync();
    await Promise.all(calls);
    expect(tries).toHaveLength(3 + 2 + 1);
  });

  test.each([6, -1, 0.5, Number.NaN])("%j is no number of retries", async (retries) => {
    const exchange: Exchange = async () => DONE;
    const message = "retries must be a whole number from 0 to 5";
    expect(() => createClient(exchange, { retries })).toThrow(
      new RangeError(`createClient: ${message}`),
    );
    await expect(createClient(exchange).callTool("a", {}, { retries })).rejects.toThrow(
      new RangeError(`tools/call: ${message}`),
    );
  });

  test("CHG-05 a lost call is repeated under a fresh id", async () => {
    const ids: unknown[] = [];
    const client = createClient(
      async (_call, { id }) => {
        ids.push(id);
        if (ids.length === 1) throw new TransportError("the stream broke", { stage: "http" });
        return { resultType: "complete", contents: [] };
      },
      { retries: 1 },
    );
    const call = client.readResource("a:b");
    await vi.runAllTimersAsync();
    expect(await call).toMatchObject({ contents: [] });
    expect(ids).toEqual([1, 2]);
  });

  test("a closed client waits no longer", async () => {
    const client = createClient(
      async () => {
        throw lost();
      },
      { retries: 5 },
    );
    const outcome = outcomeOf(client.listTools());
    await vi.advanceTimersByTimeAsync(0);
    await client.close();
    expect(await outcome).toMatchObject({ code: "ERR_MCP_TRANSPORT_CLOSED" });
  });
});
