/** One handler, unchanged, over every transport and on two servers that share nothing but a key. */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createMemoryEngine } from "../src/engine/index.ts";
import { connectHttp } from "../src/http/connect.ts";
import type { Exchange } from "../src/protocol/exchange.ts";
import { createServer } from "../src/server/create-server.ts";
import { connectStdio } from "../src/stdio/connect.ts";
import { createAskingServer } from "./fixtures/asking-server.ts";
import { createContext, createMeta, refusal, send } from "./calls.ts";
import { able, answersOf, textOf, toRound, type Responder } from "./rounds.ts";
import { bundleFixtures, startProcess, type Fixtures } from "./stdio.ts";

const CALL = { name: "forecast", arguments: { city: "Oslo" } };
const ONE_KEY = Buffer.alloc(32, 1).toString("base64");
const OTHER_KEY = Buffer.alloc(32, 2).toString("base64");
const TOLD = "a requestState came that was sealed with none of this server's keys";

const answer: Responder = (request) =>
  request.method === "elicitation/create" && request.params.message === "Your name?"
    ? { action: "accept", content: { name: "Ann" } }
    : { action: "accept", content: { unit: "C" } };

interface Replica {
  readonly exchange: Exchange;
  /** What it wrote for its operator. */
  readonly log: () => string;
  readonly stop: () => Promise<void>;
}

type Start = (name: string, key: string) => Promise<Replica>;

let fixtures: Fixtures;
beforeAll(async () => {
  fixtures = await bundleFixtures("asking-stdio", "asking-http");
}, 30_000);
afterAll(() => fixtures.remove());

const inMemory: Start = async (name, key) => {
  const errors: unknown[] = [];
  const server = createAskingServer(name, {
    stateKeys: [key],
    onError: (error) => errors.push(error),
  });
  return { exchange: server.exchange, log: () => errors.join("\n"), stop: () => server.close() };
};

const overStdio: Start = async (name, key) => {
  let log = "";
  const connection = connectStdio({
    command: process.execPath,
    args: [fixtures.path("asking-stdio"), name],
    env: { BOWLINE_STATE_KEY: key },
    onStderr: (chunk) => (log += new TextDecoder().decode(chunk)),
  });
  return { exchange: connection.exchange, log: () => log, stop: () => connection.close() };
};

const overHttp: Start = async (name, key) => {
  process.env["BOWLINE_STATE_KEY"] = key;
  const started = startProcess(fixtures.path("asking-http"), [name]);
  delete process.env["BOWLINE_STATE_KEY"];
  await started.written.hasLines(1);
  return {
    exchange: connectHttp(started.written.lines[0] ?? "").exchange,
    log: () => started.errors.bytes.toString(),
    stop: async () => {
      started.input.end();
      await started.exited;
    },
  };
};

describe.each<[string, Start]>([
  ["in memory", inMemory],
  ["over stdio", overStdio],
  ["over HTTP", overHttp],
])("two replicas %s", (_transport, start) => {
  test("MRTR-09 rounds of one conversation land on different ones, and the answer is right", async () => {
    const replicas = [await start("one", ONE_KEY), await start("other", ONE_KEY)];
    expect(await textOf(replicas, CALL, answer)).toBe("Ann, Oslo, 21 C (one other one)");
    expect(replicas.map(({ log }) => log())).toEqual(["", ""]);
    await Promise.all(replicas.map(({ stop }) => stop()));
  });

  test("MRTR-20 with different keys the state is refused, and the log says why", async () => {
    const one = await start("one", ONE_KEY);
    const other = await start("other", OTHER_KEY);
    const asked = toRound(await send(one, "tools/call", CALL, able({})));
    const retry = {
      ...CALL,
      requestState: asked.requestState,
      inputResponses: answersOf(asked, answer),
    };
    expect(await refusal(other, "tools/call", retry, able({}))).toEqual({
      code: -32602,
      message: "Invalid or expired requestState",
    });
    await Promise.all([one.stop(), other.stop()]);
    expect([one.log(), other.log()]).toEqual(["", expect.stringContaining(TOLD)]);
  });
});

describe("two replicas on one engine", () => {
  test("SUB-06 T-50 a change on one is told to the listeners of the other", async () => {
    const engine = createMemoryEngine();
    const replicas = [engine, engine.share()].map((one) =>
      createServer({ name: "shared", version: "1.0.0" }, { engine: one }).resource(
        "a:1",
        {},
        () => "x",
      ),
    );
    const [one, other] = replicas;
    const told: unknown[] = [];
    const client = new AbortController();
    const ended = other?.exchange(
      {
        method: "subscriptions/listen",
        params: { notifications: { resourceSubscriptions: ["a:1"] } },
        meta: createMeta(),
      },
      createContext({
        signal: client.signal,
        notify: async ({ method }) => void told.push(method),
      }),
    );
    await vi.waitFor(() => expect(told).toEqual(["notifications/subscriptions/acknowledged"]));
    one?.resourceUpdated("a:1");
    await vi.waitFor(() => expect(told.slice(1)).toEqual(["notifications/resources/updated"]));
    await Promise.all(replicas.map((server) => server.close()));
    await ended;
    await engine.close();
  });

  test("T-43 of two that are sent the same state one goes on", async () => {
    const engine = createMemoryEngine();
    const replicas = [engine, engine.share()].map((one, index) =>
      createAskingServer(String(index), { engine: one, stateKeys: [ONE_KEY] }, true),
    );
    const [first = replicas[0]] = replicas;
    if (first === undefined) throw new Error("there is no server");
    const asked = toRound(await send(first, "tools/call", CALL, able({})));
    const retry = {
      ...CALL,
      requestState: asked.requestState,
      inputResponses: answersOf(asked, answer),
    };
    const settled = await Promise.allSettled(
      replicas.map((server) => send(server, "tools/call", retry, able({}))),
    );
    expect(settled.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await engine.close();
  });
});
