import { PassThrough } from "node:stream";
import { afterEach, describe, expect, test, vi } from "vitest";
import { RpcError, TransportError } from "../../src/base/errors.ts";
import { createClient } from "../../src/client/create-client.ts";
import type { Client } from "../../src/client/client.ts";
import { connect } from "../../src/connect.ts";
import { listen as listenHttp } from "../../src/node/listen.ts";
import type { CallContext, Exchange } from "../../src/protocol/exchange.ts";
import { createServer } from "../../src/server/create-server.ts";
import type { Server } from "../../src/server/server.ts";
import { serveStdio } from "../../src/stdio/serve.ts";

const INFO = { name: "test", version: "1.0.0" };
const ID = "io.modelcontextprotocol/subscriptionId";

let ends: (() => unknown)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const end of ends.toReversed()) await end();
  ends = [];
});

function createOffice(): Server {
  return createServer(INFO)
    .tool("a", {}, () => "a")
    .resource("office://a", {}, () => "a");
}

const TRANSPORTS: Readonly<Record<string, (server: Server) => Promise<Client>>> = {
  memory: async (server) => createClient(server),
  http: async (server) => {
    const running = await listenHttp(server, { port: 0 });
    ends.push(() => running.close());
    return connect(running.url);
  },
  stdio: async (server) => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const serving = serveStdio(server, { input, output });
    ends.push(() => input.end());
    void serving;
    return connect({ input: output, output: input });
  },
};

describe.each(Object.entries(TRANSPORTS))("listening over %s", (_name, start) => {
  async function open() {
    const server = createOffice();
    const client = await start(server);
    ends.push(() => client.close());
    return { server, client };
  }

  test("SUB-01 SUB-12 hears of what it asked for, and sees what was accepted", async () => {
    const { server, client } = await open();
    const updates = await client.listen({
      toolsListChanged: true,
      resourceSubscriptions: ["office://a"],
    });
    expect(updates.filter).toEqual({
      toolsListChanged: true,
      resourceSubscriptions: ["office://a"],
    });
    server.tool("b", {}, () => "b");
    expect(await updates.next()).toEqual({ done: false, value: { kind: "toolsListChanged" } });
    server.resourceUpdated("office://a");
    expect(await updates.next()).toEqual({
      done: false,
      value: { kind: "resourceUpdated", uri: "office://a" },
    });
    await updates.close();
    expect(await updates.next()).toEqual({ done: true, value: undefined });
  });

  test("CACHE-27 what changed is asked for again", async () => {
    const { server, client } = await open();
    await using updates = await client.listen({ toolsListChanged: true });
    expect(await client.listTools()).toHaveLength(1);
    server.tool("b", {}, () => "b");
    await updates.next();
    expect(await client.listTools()).toHaveLength(2);
  });

  test("SUB-14 SUB-15 several subscriptions are told apart", async () => {
    const { server, client } = await open();
    await using tools = await client.listen({ toolsListChanged: true });
    await using office = await client.listen({ resourceSubscriptions: ["office://a"] });
    server.resourceUpdated("office://a");
    server.tool("b", {}, () => "b");
    expect((await tools.next()).value).toEqual({ kind: "toolsListChanged" });
    expect((await office.next()).value).toEqual({ kind: "resourceUpdated", uri: "office://a" });
  });

  test("closing the client ends what listens", async () => {
    const { client } = await open();
    const updates = await client.listen({ toolsListChanged: true });
    const next = updates.next();
    await client.close();
    await expect(next).rejects.toMatchObject({ code: "ERR_MCP_TRANSPORT_CLOSED" });
  });
});

/** A server by hand: each stream waits until the test has seen to it. */
function byHand() {
  const streams: Stream[] = [];
  let onOpen: (() => void) | undefined;
  const exchange: Exchange = (_call, context) =>
    new Promise((resolve, reject) => {
      context.signal.addEventListener("abort", () => reject(context.signal.reason));
      const tell: Stream["tell"] = (method, params = {}, id = context.id) =>
        context.notify({ method, params: { _meta: { [ID]: id }, ...params } });
      streams.push({ tell, reject, end: () => resolve({ resultType: "complete" }) });
      onOpen?.();
    });
  const stream = async (index: number): Promise<Stream> => {
    while (streams.length <= index) await new Promise<void>((resolve) => (onOpen = resolve));
    const found = streams[index];
    if (found === undefined) throw new Error("no stream");
    return found;
  };
  return { exchange, stream };
}
interface Stream {
  readonly tell: (method: string, params?: object, id?: CallContext["id"]) => Promise<void>;
  readonly reject: (reason: unknown) => void;
  readonly end: () => void;
}

const ACK = "notifications/subscriptions/acknowledged";
const TOOLS = "notifications/tools/list_changed";
const accepted = { notifications: { toolsListChanged: true } };

async function opened() {
  const { exchange, stream } = byHand();
  const client = createClient(exchange);
  ends.push(() => client.close());
  const listening = client.listen({ toolsListChanged: true });
  const first = await stream(0);
  return { client, listening, first, stream };
}

describe("a subscription", () => {
  test("T-52 what comes before the acknowledgement, under another id or unasked is dropped", async () => {
    const { listening, first } = await opened();
    await first.tell(TOOLS);
    await first.tell(ACK, accepted, "another");
    await first.tell(ACK, accepted);
    const updates = await listening;
    await first.tell("notifications/prompts/list_changed");
    await first.tell(TOOLS, {}, 999);
    await first.tell("notifications/resources/updated", { uri: "a:1" });
    const next = updates.next();
    await first.tell(TOOLS);
    expect(await next).toEqual({ done: false, value: { kind: "toolsListChanged" } });
  });

  test("a slow consumer finds each change once", async () => {
    const { listening, first } = await opened();
    await first.tell(ACK, accepted);
    const updates = await listening;
    for (let count = 0; count < 1_000; count += 1) await first.tell(TOOLS);
    expect(await updates.next()).toEqual({ done: false, value: { kind: "toolsListChanged" } });
    const more = updates.next();
    await updates.close();
    expect(await more).toEqual({ done: true, value: undefined });
  });

  test.each(["cut off", "ended"])(
    "SUB-20 SUB-21 a stream that was %s is opened again, and says that something may have been missed",
    async (how) => {
      vi.useFakeTimers();
      const { listening, first, stream } = await opened();
      await first.tell(ACK, accepted);
      const updates = await listening;
      if (how === "ended") first.end();
      else first.reject(new TransportError("cut off"));
      await vi.advanceTimersByTimeAsync(500);
      const second = await stream(1);
      const next = updates.next();
      await second.tell(ACK, accepted);
      await second.tell(TOOLS);
      expect(await next).toEqual({ done: false, value: { kind: "missed" } });
    },
  );

  test("a server that refuses fails the call, and later the iterator", async () => {
    const refusal = new RpcError(-32601, "no", { origin: "peer" });
    const { listening, first } = await opened();
    first.reject(refusal);
    await expect(listening).rejects.toBe(refusal);

    vi.useFakeTimers();
    const later = await opened();
    await later.first.tell(ACK, accepted);
    const updates = await later.listening;
    later.first.reject(new TransportError("cut off"));
    await vi.advanceTimersByTimeAsync(500);
    (await later.stream(1)).reject(refusal);
    await expect(updates.next()).rejects.toBe(refusal);
    expect(await updates.next()).toEqual({ done: true, value: undefined });
  });

  test("a server that never accepts is given up in time, and an abort ends the wait", async () => {
    vi.useFakeTimers();
    const { exchange } = byHand();
    const client = createClient(exchange);
    const silent = client.listen({ toolsListChanged: true }, { timeoutMs: 1_000 });
    silent.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(1_000);
    await expect(silent).rejects.toMatchObject({ name: "TimeoutError" });
    const controller = new AbortController();
    const waiting = client.listen({ toolsListChanged: true }, { signal: controller.signal });
    waiting.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(1);
    controller.abort("enough");
    await expect(waiting).rejects.toBe("enough");
  });
});
