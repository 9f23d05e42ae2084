/** What a client carries from round to round, in the hands of an attacker. */
import { afterEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { decodeBase64Url, encodeBase64Url } from "../../src/base/base64.ts";
import type { JsonObject } from "../../src/json/value.ts";
import type { Principal } from "../../src/protocol/exchange.ts";
import { createServer } from "../../src/server/create-server.ts";
import type { ServerEngine, ServerOptions } from "../../src/server/options.ts";
import type { Server } from "../../src/server/server.ts";
import { type CallSettings, refusal, send } from "../calls.ts";
import { createRandom } from "../random.ts";
import { able, textOf, toRound } from "../rounds.ts";

const KEY = new Uint8Array(32).fill(7);
const OTHER_KEY = new Uint8Array(32).fill(8);
const CALL = { name: "ask", arguments: { a: 1, b: { c: [1], d: "x" } } };
const REFUSED = { code: -32602, message: "Invalid or expired requestState" };
const ANSWERS = { sure: { action: "accept" } };

const ANN: Principal = { issuer: "https://issuer.example", clientId: "app", subject: "ann" };

interface Counted {
  readonly server: Server;
  readonly reports: string[];
  readonly counts: { runs: number };
}

function counted(options: ServerOptions = {}, once = false): Counted {
  const reports: string[] = [];
  const counts = { runs: 0 };
  const inputSchema = z.looseObject({ a: z.number() });
  const server = createServer(
    { name: "states", version: "1.0.0" },
    {
      stateKeys: [KEY],
      serverInfo: false,
      onError: (error) => reports.push(error instanceof Error ? error.message : String(error)),
      ...options,
    },
  );
  for (const name of ["ask", "other"]) {
    server.tool(name, { inputSchema, once }, async (_args, ctx) => {
      counts.runs += 1;
      const { action } = await ctx.elicit("Sure?", z.object({}), { key: "sure" });
      return action;
    });
  }
  server.prompt("ask", {}, async (_args, ctx) => {
    counts.runs += 1;
    return (await ctx.elicit("Sure?")).action;
  });
  return { server, reports, counts };
}

async function stateOf(server: Server, settings: CallSettings = {}): Promise<string> {
  return toRound(await send(server, "tools/call", CALL, able(settings))).requestState;
}

const retry = (requestState: unknown): JsonObject => ({
  ...CALL,
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- some are no text on purpose
  requestState: requestState as string,
  inputResponses: ANSWERS,
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

describe("T-43 MRTR-22 MRTR-23 MRTR-24 ELIC-40 ELIC-47 a state belongs to one call", () => {
  test("MRTR-09 ELIC-38 it works for the very call and caller, on any server with the key", async () => {
    const state = await stateOf(counted().server, { principal: ANN });
    const { server } = counted();
    const answered = await send(server, "tools/call", retry(state), able({ principal: ANN }));
    expect(answered).toEqual({
      resultType: "complete",
      content: [{ type: "text", text: "accept" }],
    });
  });

  test("the order of members makes no other call", async () => {
    const { server } = counted();
    const state = await stateOf(server);
    const params = { ...retry(state), arguments: { b: { d: "x", c: [1] }, a: 1 } };
    const answered = await send(server, "tools/call", params, able({}));
    expect(answered["resultType"]).toBe("complete");
  });

  test.each<[string, JsonObject, CallSettings]>([
    ["another tool", { name: "other" }, {}],
    ["other arguments", { arguments: { a: 2, b: { c: [1], d: "x" } } }, {}],
    ["arguments of another order in a list", { arguments: { a: 1, b: { c: [], d: "x" } } }, {}],
    ["another member beside them", { extra: 1 }, {}],
    ["nobody", {}, { principal: undefined as never }],
    ["another user", {}, { principal: { ...ANN, subject: "ben" } }],
    ["another client", {}, { principal: { ...ANN, clientId: "script" } }],
    ["another issuer", {}, { principal: { ...ANN, issuer: "https://other.example" } }],
  ])("MRTR-18 MRTR-19 MRTR-20 and not for %s", async (_what, change, settings) => {
    const { counts, server } = counted();
    const state = await stateOf(server, { principal: ANN });
    const before = counts.runs;
    const params = { ...retry(state), ...change };
    const refused = await refusal(
      server,
      "tools/call",
      params,
      able({ principal: ANN, ...settings }),
    );
    expect([refused, counts.runs]).toEqual([REFUSED, before]);
  });

  test("and not for another method", async () => {
    const { server } = counted();
    const state = await stateOf(server);
    const params = { name: "ask", requestState: state, inputResponses: ANSWERS };
    expect(await refusal(server, "prompts/get", params, able({}))).toEqual(REFUSED);
  });

  test.each([
    [{}, 600_000],
    [{ stateTtlMs: 1_000 }, 1_000],
  ])("MRTR-23 %j: it is good for %i ms", async (options, ttlMs) => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { server } = counted(options);
    const state = await stateOf(server);
    vi.setSystemTime(Date.now() + ttlMs - 1);
    const intime = await send(server, "tools/call", retry(state), able({}));
    expect(intime["resultType"]).toBe("complete");
    vi.setSystemTime(Date.now() + 1);
    expect(await refusal(server, "tools/call", retry(state), able({}))).toEqual(REFUSED);
  });

  test.each([
    ["a number", 1],
    ["null", null],
    ["an object", {}],
    ["nothing", ""],
    ["65 KiB", "A".repeat(65 * 1024 + 1)],
  ])("T-42 it is not %s", async (_what, state) => {
    const { counts, server } = counted();
    expect(await refusal(server, "tools/call", retry(state), able({}))).toEqual(REFUSED);
    expect(counts.runs).toBe(0);
  });
});

describe("T-42 keys", () => {
  test("a new one seals, and the old one still opens", async () => {
    const state = await stateOf(counted({ stateKeys: [KEY] }).server);
    const rotated = counted({ stateKeys: [OTHER_KEY, KEY] }).server;
    expect(await send(rotated, "tools/call", retry(state), able({}))).toMatchObject({
      resultType: "complete",
    });
    const later = await stateOf(rotated);
    const { server } = counted({ stateKeys: [OTHER_KEY] });
    expect(await send(server, "tools/call", retry(later), able({}))).toMatchObject({
      resultType: "complete",
    });
    expect(await refusal(server, "tools/call", retry(state), able({}))).toEqual(REFUSED);
  });

  test("they may come as Base64, and from the environment", async () => {
    const text = Buffer.from(KEY).toString("base64");
    const state = await stateOf(counted({ stateKeys: [text] }).server);
    vi.stubEnv("BOWLINE_STATE_KEY", `${Buffer.from(OTHER_KEY).toString("base64url")}, ${text}`);
    const { server } = counted({ stateKeys: undefined });
    expect(await send(server, "tools/call", retry(state), able({}))).toMatchObject({
      resultType: "complete",
    });
  });

  test.each([
    ["BOWLINE_STATE_KEY: key 2 is unusable", `${"A".repeat(43)},short`],
    ["BOWLINE_STATE_KEY: key 1 is unusable", "not base64!".repeat(9)],
  ])("%s: the server says so at once", (message, text) => {
    vi.stubEnv("BOWLINE_STATE_KEY", text);
    expect(() => counted({ stateKeys: undefined })).toThrow(message);
  });

  test("foreign ones are refused, and told once with what to do", async () => {
    const state = await stateOf(counted({ stateKeys: [OTHER_KEY] }).server);
    const { reports, server } = counted();
    for (let time = 0; time < 3; time += 1) {
      expect(await refusal(server, "tools/call", retry(state), able({}))).toEqual(REFUSED);
    }
    expect(reports).toEqual([
      "a requestState came that was sealed with none of this server's keys; replicas have to share stateKeys, and old keys have to stay in the list while their states live",
    ]);
  });

  test("and a server that made up its own says that", async () => {
    const state = await stateOf(counted({ stateKeys: undefined }).server);
    const { reports, server } = counted({ stateKeys: undefined });
    expect(await refusal(server, "tools/call", retry(state), able({}))).toEqual(REFUSED);
    expect(reports).toEqual([
      "a requestState came that was sealed with none of this server's keys; this process made up its key: with several replicas, or over restarts, set stateKeys or BOWLINE_STATE_KEY",
    ]);
  });
});

describe("T-43 MRTR-25 what may be used once", () => {
  function createEngine(): ServerEngine & { readonly keys: Map<string, number> } {
    const keys = new Map<string, number>();
    return {
      keys,
      kv: {
        put: async (key, _value, { ttlMs }) => {
          if (keys.has(key)) return undefined;
          keys.set(key, ttlMs);
          return "1";
        },
      },
    };
  }

  test("one of two that race wins, on whatever server", async () => {
    const engine = createEngine();
    const servers = [counted({ engine }, true), counted({ engine }, true)];
    const state = await stateOf(counted({ engine }, true).server);
    const results = await Promise.allSettled(
      servers.map(({ server }) => send(server, "tools/call", retry(state), able({}))),
    );
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(servers.reduce((sum, { counts }) => sum + counts.runs, 0)).toBe(1);
    expect([...engine.keys.values()].map((ttlMs) => ttlMs > 600_000)).toEqual([true]);
    const again = await refusal(
      counted({ engine }, true).server,
      "tools/call",
      retry(state),
      able({}),
    );
    expect(again).toEqual(REFUSED);
  });

  test("a copy in another encoding is the same state, or none", async () => {
    const engine = createEngine();
    const { server } = counted({ engine }, true);
    const state = await stateOf(server);
    await send(server, "tools/call", retry(state), able({}));
    for (const copy of [`${state}=`, `${state}==`, `${state}\n`, state.replaceAll("-", "+")]) {
      expect(await refusal(server, "tools/call", retry(copy), able({}))).toEqual(REFUSED);
    }
  });

  test("answers without a state do not get around it", async () => {
    const { server } = counted({ engine: createEngine() }, true);
    const params = { ...CALL, inputResponses: ANSWERS };
    const result = await send(server, "tools/call", params, able({}));
    expect(result["resultType"]).toBe("input_required");
  });

  test("where the store is down, it is refused", async () => {
    const engine: ServerEngine = { kv: { put: () => Promise.reject(new Error("store is down")) } };
    const { counts, reports, server } = counted({ engine }, true);
    const state = await stateOf(server);
    expect(await refusal(server, "tools/call", retry(state), able({}))).toEqual(REFUSED);
    expect([reports, counts.runs]).toEqual([["store is down"], 1]);
  });

  test("without an engine it cannot be promised", () => {
    expect(() => counted({}, true)).toThrow('tool "ask": once needs the option engine');
  });

  test("anything else may be used twice", async () => {
    const { server } = counted();
    const state = await stateOf(server);
    const first = await send(server, "tools/call", retry(state), able({}));
    expect(await send(server, "tools/call", retry(state), able({}))).toEqual(first);
  });
});

test("T-42 MRTR-18 MRTR-20 of 10,000 mutations of a state none is accepted", async () => {
  const { counts, server } = counted();
  const [one, other] = [await stateOf(server), await stateOf(server)];
  const bytes = decodeBase64Url(one) ?? new Uint8Array();
  const random = createRandom(42);
  const mutate: readonly (() => string)[] = [
    () => {
      const changed = Uint8Array.from(bytes);
      const index = random(changed.length);
      changed[index] = (changed[index] ?? 0) ^ (1 << random(8));
      return encodeBase64Url(changed);
    },
    () => one.slice(0, random(one.length)),
    () => one + "AQgw"[random(4)]?.repeat(1 + random(8)),
    () => {
      const at = 1 + random(Math.min(one.length, other.length) - 1);
      return one.slice(0, at) + other.slice(at);
    },
    () => {
      const at = random(one.length);
      return `${one.slice(0, at)}${"=+/ \n.%A"[random(8)]}${one.slice(at)}`;
    },
    () => encodeBase64Url(bytes.toReversed()),
    () => encodeBase64Url(Uint8Array.from({ length: 1 + random(200) }, () => random(256))),
  ];
  const before = counts.runs;
  const accepted: unknown[] = [];
  let tried = 0;
  for (let index = 0; tried < 10_000; index += 1) {
    const state = mutate[index % mutate.length]?.() ?? "";
    if (state === one || state === other) continue;
    tried += 1;
    // oxlint-disable-next-line no-await-in-loop -- one at a time, so that a hit can be told
    const refused = await refusal(server, "tools/call", retry(state), able({}));
    if (JSON.stringify(refused) !== JSON.stringify(REFUSED)) accepted.push([state, refused]);
  }
  expect(accepted).toEqual([]);
  expect(counts.runs).toBe(before);
  expect(await textOf(server, CALL, () => ({ action: "accept" }))).toBe("accept");
}, 60_000);
