import { expect, test } from "vitest";
import {
  CALL,
  createClock,
  createGate,
  describeFaces,
  DONE,
  fault,
  post,
  type Message,
} from "../../../test/http.ts";
import { createServer } from "../../server/create-server.ts";
import type { Exchange } from "../../protocol/exchange.ts";

const IDLE = { calls: 0, listenStreams: 0, detached: 0, slowConsumers: 0 };
const LISTEN: Message = {
  id: "sub",
  method: "subscriptions/listen",
  params: { notifications: {} },
};
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const SLOW: Message = { ...CALL, params: { name: "slow" } };

/** An exchange whose slow calls wait for the gate, and whose subscriptions wait for their signal. */
function createWork() {
  const gate = createGate();
  let begun = 0;
  const exchange: Exchange = async (call, { signal, notify }) => {
    if (call.method === LISTEN.method) {
      await notify({ method: "notifications/subscriptions/acknowledged" });
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return DONE;
    }
    if (call.params["name"] !== "slow") return DONE;
    begun += 1;
    await gate.passed;
    return DONE;
  };
  return { exchange, finish: () => gate.open(), begun: () => begun };
}

const byToken = {
  authorize: ({ header }: { header: (name: string) => string | undefined }) => ({
    principal: { issuer: "i", clientId: "c", subject: header("authorization") ?? "nobody" },
  }),
};
const as = (subject: string) => ({ Authorization: subject });

describeFaces("limits on work", (start) => {
  test("T-30 BR-027 a full process turns calls away at once, and takes them again later", async () => {
    const work = createWork();
    const { send, activity } = await start(work.exchange, { limits: { maxInFlight: 2 } });
    const busy = [send(post(SLOW)), send(post(SLOW))];
    while (work.begun() < 2) await settled();
    expect(activity()).toEqual({ ...IDLE, calls: 2 });
    const answer = await send(post(CALL));
    expect([fault(answer), answer.headers["retry-after"]]).toEqual([
      { status: 503, code: -31003, id: undefined },
      "1",
    ]);
    work.finish();
    expect((await Promise.all(busy)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await send(post(CALL))).status).toBe(200);
    expect(activity()).toEqual(IDLE);
  });

  test("T-30 T-31 handlers that go on after their caller left still count as that caller's", async () => {
    const work = createWork();
    const { sendAndLeave, send, activity } = await start(work.exchange, {
      ...byToken,
      limits: { maxInFlightPerPrincipal: 2, maxDetached: 3 },
    });
    for (let left = 1; left <= 2; left++) {
      const leave = await sendAndLeave(post(SLOW, as("ann")));
      while (work.begun() < left) await settled();
      leave();
      while (activity().detached < left) await settled();
    }
    expect(fault(await send(post(CALL, as("ann"))))).toEqual({ status: 429, code: -31002, id: 1 });
    expect((await send(post(CALL, as("bob")))).status).toBe(200);
    work.finish();
    while (activity().detached > 0) await settled();
    expect((await send(post(CALL, as("ann")))).status).toBe(200);
  });

  test("T-30 one caller at its limit does not fail another", async () => {
    const work = createWork();
    const { send, activity } = await start(work.exchange, {
      ...byToken,
      limits: { maxInFlightPerPrincipal: 1 },
    });
    const busy = send(post(SLOW, as("ann")));
    while (work.begun() < 1) await settled();
    const refused = await send(post(CALL, as("ann")));
    expect([fault(refused), refused.headers["retry-after"]]).toEqual([
      { status: 429, code: -31002, id: 1 },
      "1",
    ]);
    expect((await send(post(CALL, as("bob")))).status).toBe(200);
    work.finish();
    expect((await busy).status).toBe(200);
    expect((await send(post(CALL, as("ann")))).status).toBe(200);
    expect(activity()).toEqual(IDLE);
  });

  test("T-30 those of a bare exchange are counted apart from its calls, with the same bounds", async () => {
    const work = createWork();
    const { open, send, activity } = await start(work.exchange, {
      ...byToken,
      limits: { maxInFlight: 2, maxInFlightPerPrincipal: 1 },
    });
    const first = await open(post(LISTEN, as("ann")));
    await first.until("acknowledged");
    expect(fault(await send(post(LISTEN, as("ann"))))).toEqual({
      status: 429,
      code: -31002,
      id: "sub",
    });
    const second = await open(post(LISTEN, as("bob")));
    await second.until("acknowledged");
    expect(fault(await send(post(LISTEN, as("cy"))))).toEqual({
      status: 503,
      code: -31003,
      id: "sub",
    });
    expect(activity()).toEqual({ ...IDLE, listenStreams: 2 });
    expect((await send(post(CALL, as("ann")))).status).toBe(200);
    first.abort();
    while (activity().listenStreams > 1) await settled();
    const third = await open(post(LISTEN, as("cy")));
    await third.until("acknowledged");
    second.abort();
    third.abort();
  });
});

describeFaces("limits on subscriptions", (start) => {
  const INFO = { name: "test", version: "1.0.0" };
  const TOOLS: Message = { ...LISTEN, params: { notifications: { toolsListChanged: true } } };
  const refused = (status: number, code: number) => ({ status, code, id: "sub" });

  test("T-49 a caller at its limit is turned away before the acknowledgement, another is served, and closing frees at once", async () => {
    const server = createServer(INFO, { maxListenStreamsPerPrincipal: 1 }).tool("t", {}, () => "");
    const { open, send, activity } = await start(server, byToken);
    const first = await open(post(TOOLS, as("ann")));
    await first.until("acknowledged");
    const answer = await send(post(TOOLS, as("ann")));
    expect([fault(answer), answer.headers["retry-after"]]).toEqual([refused(429, -31001), "1"]);
    const other = await open(post(TOOLS, as("bob")));
    await other.until("acknowledged");
    expect(activity()).toEqual({ ...IDLE, listenStreams: 2 });
    first.abort();
    while (activity().listenStreams > 1) await settled();
    const second = await open(post(TOOLS, as("ann")));
    await second.until("acknowledged");
    second.abort();
    other.abort();
  });

  test("T-49 a full process turns everyone away, whatever HTTP allows of calls", async () => {
    const server = createServer(INFO, { maxListenStreams: 2 }).tool("t", {}, () => "");
    const { open, send } = await start(server, { limits: { maxInFlight: 1 } });
    const streams = [await open(post(TOOLS)), await open(post(TOOLS))];
    for (const stream of streams) await stream.until("acknowledged");
    const answer = await send(post(TOOLS));
    expect([fault(answer), answer.headers["retry-after"]]).toEqual([refused(503, -31003), "1"]);
    for (const stream of streams) stream.abort();
    await server.close();
  });
});

describeFaces("closing", (start) => {
  test("new requests are turned away, calls at work finish", async () => {
    const clock = createClock();
    const work = createWork();
    const { send, close } = await start(work.exchange, { every: clock.every, closeGraceMs: 5_000 });
    const busy = send(post(SLOW));
    while (work.begun() < 1) await settled();
    const closed = close();
    const answer = await send(post(CALL));
    expect([fault(answer), answer.headers["retry-after"], answer.headers["connection"]]).toEqual([
      { status: 503, code: -31003, id: undefined },
      "1",
      "close",
    ]);
    work.finish();
    expect((await busy).status).toBe(200);
    await closed;
  });

  test("subscriptions end with their last response", async () => {
    const clock = createClock();
    const work = createWork();
    const { open, close, activity } = await start(work.exchange, {
      every: clock.every,
      closeGraceMs: 5_000,
    });
    const stream = await open(post(LISTEN));
    await stream.until("acknowledged");
    const [text] = await Promise.all([stream.end(), close()]);
    expect(text).toContain(
      `data: ${JSON.stringify({ jsonrpc: "2.0", id: "sub", result: DONE })}\n\n`,
    );
    expect(activity()).toEqual(IDLE);
  });

  test("SUB-18 one that rejects with the reason is ended by the response that says so", async () => {
    const clock = createClock();
    const { open, send, close } = await start(
      async (_call, { signal, notify }) => {
        await notify({ method: "notifications/subscriptions/acknowledged" });
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        throw signal.reason;
      },
      { every: clock.every, closeGraceMs: 5_000 },
    );
    const stream = await open(post(LISTEN));
    await stream.until("acknowledged");
    const [text] = await Promise.all([stream.end(), close()]);
    const result = {
      resultType: "complete",
      _meta: { "io.modelcontextprotocol/subscriptionId": "sub" },
    };
    expect(text).toContain(`data: ${JSON.stringify({ jsonrpc: "2.0", id: "sub", result })}\n\n`);
    expect((await send(post(CALL))).status).toBe(503);
  });

  test("what does not finish in time is aborted and cut", async () => {
    const clock = createClock();
    const aborted = createGate<unknown>();
    const begun = createGate();
    const { open, close, activity } = await start(
      async (_call, { signal, notify }) => {
        await notify({ method: "notifications/vendor" });
        signal.addEventListener("abort", () => aborted.open(signal.reason));
        begun.open();
        await aborted.passed;
        return DONE;
      },
      { every: clock.every, closeGraceMs: 5_000 },
    );
    const stream = await open(post(CALL));
    await begun.passed;
    const closed = close();
    clock.advance(4_000);
    await settled();
    expect(activity()).toEqual({ ...IDLE, calls: 1 });
    clock.advance(1_000);
    await closed;
    expect(await aborted.passed).toMatchObject({ name: "AbortError" });
    await expect(stream.until("result")).rejects.toThrow(/ended|cut/);
    await settled();
    expect(activity()).toEqual(IDLE);
  });

  test("an idle endpoint closes at once, and twice", async () => {
    const { close } = await start(createWork().exchange);
    await close();
    await expect(close()).resolves.toBeUndefined();
  });
});
