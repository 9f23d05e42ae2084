import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  CALL,
  createClock,
  createGate,
  describeFaces,
  DONE,
  eventsOf,
  fault,
  post,
} from "../../../test/http.ts";
import { LimitError, RpcError } from "../../base/errors.ts";
import type { Exchange } from "../../protocol/exchange.ts";
import type { ServerNotification } from "../../protocol/notifications.ts";

const progress = (done: number): ServerNotification => ({
  method: "notifications/progress",
  params: { progressToken: "t", progress: done },
});
const sent = (done: number) => ({ jsonrpc: "2.0", ...progress(done) });
const LAST = { jsonrpc: "2.0", id: 1, result: DONE };
const IDLE = { calls: 0, listenStreams: 0, detached: 0, slowConsumers: 0 };
/** Lets everything run that is due now. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describeFaces("event streams", (start) => {
  test("HTTP-20 HTTP-23 HTTP-26 HTTP-30 BR-023 carry notifications, then the result, then end", async () => {
    const { send, activity } = await start(async (_call, { notify }) => {
      for (let done = 1; done <= 3; done++) await notify(progress(done));
      return DONE;
    });
    const answer = await send(post(CALL));
    expect(eventsOf(answer.text)).toEqual([sent(1), sent(2), sent(3), LAST]);
    expect(answer.text).not.toMatch(/^(?:event|id|retry):/m);
    expect([
      answer.status,
      answer.headers["content-type"],
      answer.headers["cache-control"],
      answer.headers["x-accel-buffering"],
    ]).toEqual([200, "text/event-stream", "no-store, no-cache, no-transform", "no"]);
    expect(activity()).toEqual(IDLE);
  });

  test("BR-023 HTTP-20 a notification leaves while the handler still works", async () => {
    const gate = createGate();
    const { open } = await start(async (_call, { notify }) => {
      await notify(progress(1));
      await gate.passed;
      await notify(progress(2));
      return DONE;
    });
    const answer = await open(post(CALL));
    expect(await answer.until('"progress":1')).toContain(`data: ${JSON.stringify(sent(1))}`);
    gate.open();
    const text = await answer.end();
    expect(eventsOf(text)).toEqual([sent(1), sent(2), LAST]);
  });

  test("HTTP-21 HTTP-33 nothing follows the result", async () => {
    const late: Promise<void>[] = [];
    const { send } = await start((_call, { notify }) => {
      void Promise.resolve().then(() => late.push(settled().then(() => notify(progress(9)))));
      return notify(progress(1)).then(() => DONE);
    });
    const answer = await send(post(CALL));
    await settled();
    await Promise.all(late);
    expect(late).toHaveLength(1);
    expect(eventsOf(answer.text)).toEqual([sent(1), LAST]);
  });

  test("HTTP-21 T-10 each stream carries its own call's notifications only", async () => {
    const { send } = await start(async (call, { notify }) => {
      for (let index = 0; index < 5; index++) {
        await notify({ method: "notifications/vendor", params: { name: call.params["name"] } });
        await settled();
      }
      return { resultType: "complete", name: call.params["name"] };
    });
    const names = Array.from({ length: 16 }, (_, index) => `n${index}`);
    const answers = await Promise.all(
      names.map((name) => send(post({ ...CALL, params: { name } }))),
    );
    for (const [index, answer] of answers.entries()) {
      const others = names.filter((_, other) => other !== index);
      expect(others.filter((name) => answer.text.includes(`"${name}"`))).toEqual([]);
      expect(eventsOf(answer.text)).toHaveLength(6);
    }
  });

  test("an error ends a stream that has begun, with status 200", async () => {
    const gate = createGate();
    const { open } = await start(async (_call, { notify }) => {
      await notify(progress(1));
      await gate.passed;
      throw new RpcError(-32021, "lacking");
    });
    const answer = await open(post(CALL));
    await answer.until('"progress":1');
    gate.open();
    expect(answer.status).toBe(200);
    expect(await answer.end()).toContain(
      `data: ${JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32021, message: "lacking" } })}\n\n`,
    );
  });

  test("T-32 no text splits an event", async () => {
    const texts = fc.array(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.constantFrom("\r\n\r\n", "\n\ndata: x\n\n", "\u2028", "\0"),
      ),
    );
    const { send } = await start(async (call, { notify }) => {
      await notify({ method: "notifications/vendor", params: { echo: call.params["texts"] } });
      return { resultType: "complete", echo: call.params["texts"] };
    });
    await fc.assert(
      fc.asyncProperty(texts, async (given) => {
        fc.pre(given.every((text) => !/\p{Surrogate}/u.test(text)));
        const answer = await send(post({ ...CALL, params: { name: "echo", texts: given } }));
        expect(eventsOf(answer.text)).toEqual([
          { jsonrpc: "2.0", method: "notifications/vendor", params: { echo: given } },
          { jsonrpc: "2.0", id: 1, result: { resultType: "complete", echo: given } },
        ]);
      }),
      { numRuns: 60 },
    );
  });

  test("HTTP-27 BR-023 a quiet stream is kept open by comments", async () => {
    const clock = createClock();
    const gate = createGate();
    const { open } = await start(
      async (_call, { notify }) => {
        await notify(progress(1));
        await gate.passed;
        return DONE;
      },
      { every: clock.every, keepAliveMs: 15_000 },
    );
    const answer = await open(post(CALL));
    await answer.until('"progress":1');
    clock.advance(14_000);
    clock.advance(2_000);
    await answer.until(": keep-alive\n\n");
    clock.advance(15_000);
    clock.advance(15_000);
    gate.open();
    const text = await answer.end();
    expect(text.match(/: keep-alive/g)).toHaveLength(3);
    expect(text).toContain(JSON.stringify(LAST));
  });

  test("notify may be called loose, and after others were not awaited", async () => {
    const { send } = await start((_call, context) => {
      const { notify } = context;
      void notify(progress(1));
      void context.notify(progress(2));
      return Promise.resolve(DONE);
    });
    expect(eventsOf((await send(post(CALL))).text)).toEqual([sent(1), sent(2), LAST]);
  });
});

describeFaces("leaving clients", (start) => {
  /** A handler that waits for its signal and says so. */
  const createWaiting = (notifies: boolean) => {
    const begun = createGate();
    const aborted = createGate<unknown>();
    const exchange: Exchange = async (_call, { signal, notify }) => {
      if (notifies) await notify(progress(1));
      signal.addEventListener("abort", () => aborted.open(signal.reason));
      begun.open();
      await aborted.passed;
      await notify(progress(2));
      throw signal.reason;
    };
    return { exchange, begun: begun.passed, aborted: aborted.passed };
  };

  test.each([false, true])(
    "HTTP-31 HTTP-32 HTTP-33 T-31 BR-031 BR-075 abort the handler and free its place (streaming: %s)",
    async (notifies) => {
      const { exchange, begun, aborted } = createWaiting(notifies);
      const { sendAndLeave, activity } = await start(exchange, {
        onError: (error) => expect(error).toBeUndefined(),
      });
      const leave = await sendAndLeave(post(CALL));
      await begun;
      expect(activity()).toEqual({ ...IDLE, calls: 1 });
      leave();
      expect(await aborted).toMatchObject({ name: "AbortError" });
      await settled();
      expect(activity()).toEqual(IDLE);
    },
  );

  test("HTTP-31 T-31 leaving after the first event aborts too", async () => {
    const { exchange, begun, aborted } = createWaiting(true);
    const { open, activity } = await start(exchange);
    const answer = await open(post(CALL));
    await answer.until('"progress":1');
    await begun;
    answer.abort();
    expect(await aborted).toMatchObject({ name: "AbortError" });
    await settled();
    expect(activity()).toEqual(IDLE);
  });

  test("T-31 a handler that ignores its signal holds no place, is counted, and its answer is dropped", async () => {
    const gate = createGate();
    const begun = createGate();
    const seen: unknown[] = [];
    const { sendAndLeave, send, activity } = await start(
      async (call, context) => {
        if (call.params["name"] !== "slow") return DONE;
        begun.open();
        await gate.passed;
        // Read only now: a signal made after the fact knows what happened.
        seen.push(context.signal.aborted);
        await context.notify(progress(1));
        return DONE;
      },
      { limits: { maxInFlight: 1, maxDetached: 2 } },
    );
    const leave = await sendAndLeave(post({ ...CALL, params: { name: "slow" } }));
    await begun.passed;
    leave();
    while (activity().detached === 0) await settled();
    expect(activity()).toEqual({ ...IDLE, detached: 1 });
    expect((await send(post(CALL))).status).toBe(200);
    gate.open();
    while (activity().detached > 0) await settled();
    expect([seen, activity()]).toEqual([[true], IDLE]);
  });

  test("T-31 too many such handlers stop new work", async () => {
    const gate = createGate();
    const begun: number[] = [];
    const { sendAndLeave, send, activity } = await start(
      async () => {
        begun.push(begun.length);
        await gate.passed;
        return DONE;
      },
      { limits: { maxDetached: 2 } },
    );
    for (const count of [1, 2]) {
      const leave = await sendAndLeave(post(CALL));
      while (begun.length < count) await settled();
      leave();
      while (activity().detached < count) await settled();
    }
    const answer = await send(post(CALL));
    expect([fault(answer), answer.headers["retry-after"]]).toEqual([
      { status: 503, code: -31003, id: undefined },
      "1",
    ]);
    gate.open();
    while (activity().detached > 0) await settled();
    expect((await send(post(CALL))).status).toBe(200);
  });

  test("T-31 a fault after the client left is not reported", async () => {
    const begun = createGate();
    const faults: unknown[] = [];
    const { sendAndLeave, activity } = await start(
      async (_call, { signal }) => {
        begun.open();
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        throw new Error("too late");
      },
      { onError: (error) => faults.push(error) },
    );
    const leave = await sendAndLeave(post(CALL));
    await begun.passed;
    leave();
    while (activity().calls > 0 || activity().detached > 0) await settled();
    expect(faults).toEqual([]);
  });
});

describeFaces("slow clients", (start) => {
  test("T-29 a producer that waits is held at the queue limit, others are not", async () => {
    let taken = 0;
    const text = "x".repeat(10_000);
    const { open, send } = await start(
      async (call, { notify, signal }) => {
        if (call.params["name"] !== "flood") return DONE;
        while (!signal.aborted && taken < 5_000) {
          await notify({ method: "notifications/vendor", params: { text } });
          taken += 1;
        }
        return DONE;
      },
      { limits: { maxStreamQueueBytes: 256 * 1024 } },
    );
    const answer = await open(post({ ...CALL, params: { name: "flood" } }));
    answer.pause();
    let before = -1;
    while (taken !== before) {
      before = taken;
      for (let turn = 0; turn < 50; turn++) await settled();
    }
    // What the kernel buffers, the queue and nothing more: far from the 50 MB on offer.
    expect(taken).toBeLessThan(4_000);
    expect((await send(post(CALL))).status).toBe(200);
    answer.abort();
  });

  test("T-29 it goes on as the client reads, and nothing is lost", async () => {
    const text = "x".repeat(10_000);
    const { send } = await start(
      async (_call, { notify }) => {
        for (let done = 0; done < 300; done++) {
          await notify({ method: "notifications/vendor", params: { done, text } });
        }
        return DONE;
      },
      { limits: { maxStreamQueueBytes: 64 * 1024 } },
    );
    const events = eventsOf((await send(post(CALL))).text) as { params?: { done: number } }[];
    expect(events.map(({ params }) => params?.done)).toEqual([
      ...Array.from({ length: 300 }, (_, done) => done),
      undefined,
    ]);
  });

  test("T-29 a producer that does not wait is stopped at the backlog limit", async () => {
    const aborted = createGate<unknown>();
    const text = "x".repeat(100_000);
    const { open, activity } = await start(
      async (_call, { notify, signal }) => {
        signal.addEventListener("abort", () => aborted.open(signal.reason));
        for (let done = 0; done < 100; done++) {
          void notify({ method: "notifications/vendor", params: { text } });
        }
        await aborted.passed;
        return DONE;
      },
      { limits: { maxStreamBacklogBytes: 1024 * 1024 } },
    );
    const answer = open(post(CALL)).catch(() => undefined);
    expect(await aborted.passed).toBeInstanceOf(LimitError);
    await answer;
    await settled();
    expect(activity()).toEqual({ ...IDLE, slowConsumers: 1 });
  });

  test("T-29 one that takes nothing is given up, its handler aborted, others served", async () => {
    const clock = createClock();
    const aborted = createGate<unknown>();
    const text = "x".repeat(100_000);
    const { open, send, activity } = await start(
      async (call, { notify, signal }) => {
        if (call.params["name"] !== "flood") return DONE;
        signal.addEventListener("abort", () => aborted.open(signal.reason));
        while (!signal.aborted) await notify({ method: "notifications/vendor", params: { text } });
        throw signal.reason;
      },
      { every: clock.every, limits: { writeStallMs: 50 } },
    );
    const answer = await open(post({ ...CALL, params: { name: "flood" } }));
    answer.pause();
    while (activity().slowConsumers === 0) {
      clock.advance(1_000);
      await settled();
    }
    expect(await aborted.passed).toMatchObject({ code: "ERR_MCP_TRANSPORT" });
    await settled();
    expect(activity()).toEqual({ ...IDLE, slowConsumers: 1 });
    expect((await send(post(CALL))).status).toBe(200);
    answer.abort();
  });
});
