import { describe, expect, test, vi } from "vitest";
import { describeEngine } from "../../../test/engine/contract.ts";
import { createRecorder, failureOf, wrong } from "../../../test/engine/pair.ts";
import type { OnError } from "../../base/fault-report.ts";
import { createMemoryEngine, type MemoryEngineOptions } from "./create-memory-engine.ts";

/** An engine whose clock the test moves. */
function setUp(options: MemoryEngineOptions = {}) {
  const clock = { now: 1_000 };
  const engine = createMemoryEngine({ ...options, now: () => clock.now });
  return { clock, engine };
}

describeEngine("a store in memory", async () => {
  const { clock, engine } = setUp();
  return {
    one: engine,
    other: engine.share(),
    advance: async (ms) => {
      clock.now += ms;
    },
  };
});

describe("a full store", () => {
  test("refuses another value, counter or item, and throws nothing out", async () => {
    const { engine } = setUp({ limits: { maxEntries: 3 } });
    await engine.kv.put("a", 1);
    await engine.counter.add("a", 1);
    await engine.queue.push("a", 1);
    const calls = [
      engine.kv.put("b", 1),
      engine.counter.add("b", 1),
      engine.queue.push("b", 1),
      engine.queue.push("a", 1),
    ];
    expect(await Promise.all(calls.map(failureOf))).toEqual(
      calls.map(() => "LimitError maxEntries 3"),
    );
    expect([
      (await engine.kv.get("a"))?.value,
      await engine.counter.add("a", 0),
      (await engine.queue.take("a", 1_000))?.item,
    ]).toEqual([1, 1, 1]);
  });

  test("still replaces, counts, leases and removes what it holds", async () => {
    const { engine } = setUp({ limits: { maxEntries: 3 } });
    await engine.kv.put("a", 1);
    await engine.counter.add("a", 1);
    await engine.queue.push("a", 1);
    await engine.kv.put("a", 2);
    await engine.counter.add("a", 1);
    const lease = await engine.queue.take("a", 1_000);
    expect([
      await lease?.done(),
      await engine.kv.delete("a"),
      await engine.counter.add("a", -2),
    ]).toEqual([true, true, 0]);
    for (const key of ["x", "y", "z"]) await engine.kv.put(key, 1);
    expect(await failureOf(engine.kv.put("full", 1))).toBe("LimitError maxEntries 3");
  });

  test("counts the bytes of names and values", async () => {
    const { engine } = setUp({ limits: { maxBytes: 20 } });
    await engine.kv.put("é", "12345678");
    expect([
      await failureOf(engine.kv.put("b", "12345678")),
      await failureOf(engine.kv.put("é", "12345678901234567")),
      await failureOf(engine.queue.push("b", "123456")),
      await failureOf(engine.counter.add("b", 1)),
    ]).toEqual(Array.from({ length: 4 }, () => "LimitError maxBytes 20"));
    await engine.queue.push("b", "12345");
    await engine.kv.put("é", "1");
    await engine.kv.put("c", "1234");
    expect((await engine.kv.get("é"))?.value).toBe("1");
  });

  test("makes room by what is past its time, and by nothing else", async () => {
    const { clock, engine } = setUp({ limits: { maxEntries: 2, maxBytes: 20 } });
    await engine.kv.put("a", 1, { ttlMs: 100 });
    await engine.counter.add("b", 1, { ttlMs: 200 });
    expect(await failureOf(engine.kv.put("c", 1))).toBe("LimitError maxEntries 2");
    clock.now += 100;
    await engine.kv.put("c", 1);
    expect(await failureOf(engine.kv.put("d", 1))).toBe("LimitError maxEntries 2");
    clock.now += 100;
    await engine.kv.put("d", "1234567890");
    expect(await failureOf(engine.kv.put("c", "1234567890"))).toBe("LimitError maxBytes 20");
  });

  test("clears away all that is in the way, however much came to its end at once", async () => {
    const { clock, engine } = setUp({ limits: { maxEntries: 5_000, maxBytes: 50_000 } });
    for (let index = 0; index < 5_000; index++) {
      await engine.kv.put(String(index), 1, { ttlMs: 100 });
    }
    clock.now += 100;
    expect(await engine.kv.get("4999")).toBeUndefined();
    await engine.kv.put("4998", "new");
    const revision = await engine.kv.put("large", "x".repeat(49_000));
    expect(await engine.kv.get("large")).toMatchObject({ revision });
    expect((await engine.kv.get("4998"))?.value).toBe("new");
  });

  test("refuses an item for a queue that is full, leased items included", async () => {
    const { engine } = setUp({ limits: { maxQueueLength: 2 } });
    await engine.queue.push("a", 1);
    await engine.queue.push("a", 2);
    const lease = await engine.queue.take("a", 1_000);
    await engine.queue.push("b", 1);
    expect(await failureOf(engine.queue.push("a", 3))).toBe("LimitError maxQueueLength 2");
    await lease?.done();
    await engine.queue.push("a", 3);
    expect(await failureOf(engine.queue.push("a", 4))).toBe("LimitError maxQueueLength 2");
  });

  test("refuses a subscription over the number, until one is closed", async () => {
    const { engine } = setUp({ limits: { maxSubscriptions: 1 } });
    const subscription = await engine.pubsub.subscribe("a", createRecorder());
    expect(await failureOf(engine.pubsub.subscribe("b", createRecorder()))).toBe(
      "LimitError maxSubscriptions 1",
    );
    await subscription.close();
    await subscription.close();
    await engine.pubsub.subscribe("b", createRecorder());
    expect(await failureOf(engine.pubsub.subscribe("b", createRecorder()))).toBe(
      "LimitError maxSubscriptions 1",
    );
  });

  test("keeps no trace of a value that is written ten thousand times", async () => {
    const { engine } = setUp({ limits: { maxEntries: 1, maxBytes: 10 } });
    for (let round = 0; round < 10_000; round++) {
      await engine.kv.put("a", round % 7, { ttlMs: 1_000 + (round % 13) });
    }
    expect((await engine.kv.get("a"))?.value).toBe(9_999 % 7);
  });
});

describe("listeners", () => {
  test("one that throws or rejects is reported, and neither it nor others miss a message", async () => {
    const onError = vi.fn<OnError>();
    const { engine } = setUp({ onError });
    const recorder = createRecorder();
    const [thrown, rejected] = [new Error("thrown"), new Error("rejected")];
    const heard: unknown[] = [];
    await engine.pubsub.subscribe("t", {
      onMessage: (message) => {
        heard.push(message);
        throw thrown;
      },
    });
    await engine.pubsub.subscribe("t", { onMessage: () => Promise.reject(rejected) });
    await engine.pubsub.subscribe("t", recorder);
    await engine.pubsub.publish("t", 1);
    await recorder.until(1);
    await engine.pubsub.publish("t", 2);
    await recorder.until(2);
    await vi.waitFor(() => expect(onError).toHaveBeenCalledTimes(4));
    expect([recorder.heard, heard]).toEqual([
      [1, 2],
      [1, 2],
    ]);
    expect(new Set(onError.mock.calls.map(([error]) => error))).toEqual(
      new Set([thrown, rejected]),
    );
    expect(onError.mock.calls[0]?.[1]).toEqual({
      ref: expect.any(String),
      method: "engine listener",
    });
  });

  test("T-50 hears of a gap instead of more messages than may wait", async () => {
    const { engine } = setUp();
    const events: unknown[] = [];
    const recorder = createRecorder();
    await engine.pubsub.subscribe("t", {
      onMessage: (message) => void events.push(message),
      onGap: () => void events.push("gap"),
    });
    await engine.pubsub.subscribe("t", recorder);
    const publish = (first: number, count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, index) => engine.pubsub.publish("t", first + index)),
      );
    await publish(0, 258);
    await recorder.until(257);
    await publish(1_000, 1);
    await recorder.until(1_000);
    expect(events).toEqual(["gap", 256, 257, 1_000]);
    expect(recorder.heard).toEqual([256, 257, 1_000]);
  });

  test("is not called any more once it has closed itself", async () => {
    const { engine } = setUp();
    const heard: unknown[] = [];
    const recorder = createRecorder();
    const subscription = await engine.pubsub.subscribe("t", {
      onMessage: (message) => {
        heard.push(message);
        return subscription.close();
      },
    });
    await engine.pubsub.subscribe("t", recorder);
    await Promise.all([engine.pubsub.publish("t", 1), engine.pubsub.publish("t", 2)]);
    await recorder.until(2);
    expect(heard).toEqual([1]);
  });
});

describe("time", () => {
  test("does not go back where the clock does", async () => {
    const { clock, engine } = setUp();
    await engine.kv.put("a", 1, { ttlMs: 100 });
    clock.now = 0;
    await engine.kv.put("b", 1, { ttlMs: 200 });
    clock.now = 1_100;
    expect([await engine.kv.get("a"), (await engine.kv.get("b"))?.value]).toEqual([undefined, 1]);
    clock.now = 1_200;
    expect(await engine.kv.get("b")).toBeUndefined();
  });

  test("that is no number fails the call", async () => {
    const { clock, engine } = setUp();
    clock.now = Number.NaN;
    expect(await failureOf(engine.kv.get("a"))).toBe("RangeError");
  });

  test("passes without a timer", async () => {
    vi.useFakeTimers();
    try {
      const engine = createMemoryEngine();
      await engine.kv.put("a", 1, { ttlMs: 1_000 });
      await engine.counter.add("a", 1, { ttlMs: 1_000 });
      await engine.queue.push("a", 1, { delayMs: 1_000 });
      await engine.pubsub.subscribe("a", createRecorder());
      expect(vi.getTimerCount()).toBe(0);
      vi.advanceTimersByTime(1_000);
      expect([await engine.kv.get("a"), await engine.counter.add("a", 0)]).toEqual([undefined, 0]);
      expect((await engine.queue.take("a", 1_000))?.item).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("createMemoryEngine", () => {
  test("shares nothing between two stores", async () => {
    const [one, other] = [createMemoryEngine(), createMemoryEngine()];
    await one.kv.put("a", 1);
    expect(await other.kv.get("a")).toBeUndefined();
  });

  test("goes on with a shared engine when the first is closed, which shares no more", async () => {
    const first = createMemoryEngine();
    await first.kv.put("a", 1);
    const second = first.share();
    await first.close();
    expect((await second.share().kv.get("a"))?.value).toBe(1);
    expect(() => first.share()).toThrow("the engine is closed");
  });

  test.each([
    [{ maxEntries: 0 }, "limits.maxEntries: 0 is no limit"],
    [{ maxBytes: 1.5 }, "limits.maxBytes: 1.5 is no limit"],
    [{ maxQueueLength: Infinity }, "limits.maxQueueLength: Infinity is no limit"],
    [{ maxSubscriptions: undefined }, "limits.maxSubscriptions: undefined is no limit"],
    [{ maxItems: 1 }, "limits: there is no maxItems"],
  ])("refuses the limits %o", (limits, message) => {
    expect(() => createMemoryEngine({ limits: wrong(limits) })).toThrow(new RangeError(message));
  });
});
