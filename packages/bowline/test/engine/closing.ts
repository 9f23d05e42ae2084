import { describe, expect, test } from "vitest";
import type { Engine, EngineCallOptions } from "../../src/engine/contract.ts";
import { createRecorder, failureOf, withPair, type OpenPair } from "./pair.ts";

const CLOSED = "ERR_MCP_TRANSPORT_CLOSED";

/** One call of each kind. */
const callsOf = (engine: Engine, options?: EngineCallOptions): readonly Promise<unknown>[] => [
  engine.kv.get("a", options),
  engine.kv.put("a", 2, options),
  engine.kv.delete("a", options),
  engine.pubsub.publish("a", 2, options),
  engine.pubsub.subscribe("a", createRecorder(), options),
  engine.queue.push("a", 2, options),
  engine.queue.take("a", 1_000, options),
  engine.counter.add("a", 2, options),
];

const failures = (calls: readonly Promise<unknown>[]) => Promise.all(calls.map(failureOf));

export function describeClosing(open: OpenPair): void {
  describe("closing", () => {
    describeClosed(open);
    describeSignals(open);
  });
}

function describeClosed(open: OpenPair): void {
  test(
    "refuses every call after it, and leaves the store as it is to others",
    withPair(open)(async ({ one, other }) => {
      const revision = await one.kv.put("a", 1);
      await one.close();
      await one.close();
      const calls = callsOf(one);
      expect(await failures(calls)).toEqual(calls.map(() => CLOSED));
      expect(await other.kv.get("a")).toEqual({ value: 1, revision });
    }),
  );

  test(
    "ends the subscriptions of the engine, and no others",
    withPair(open)(async ({ one, other }) => {
      const [ended, live] = [createRecorder(), createRecorder()];
      const subscription = await one.pubsub.subscribe("t", ended);
      await other.pubsub.subscribe("t", live);
      const published = other.pubsub.publish("t", 1);
      await Promise.all([one.close(), published]);
      await subscription.close();
      await live.until(1);
      expect(ended.heard).toEqual([]);
    }),
  );

  test(
    "lets a lease run out by itself",
    withPair(open)(async ({ one, other, advance }) => {
      await one.queue.push("q", 1);
      const lease = await one.queue.take("q", 1_000);
      await one.close();
      const calls = [lease?.extend(1_000), lease?.done(), lease?.release()];
      const settled = calls.map((call) => call ?? Promise.resolve("no lease"));
      expect(await failures(settled)).toEqual([CLOSED, CLOSED, CLOSED]);
      expect(await other.queue.take("q", 1_000)).toBeUndefined();
      await advance(1_000);
      expect((await other.queue.take("q", 1_000))?.attempts).toBe(2);
    }),
  );

  test(
    "comes at the end of a block",
    withPair(open)(async ({ one }) => {
      {
        await using engine = one;
        await engine.counter.add("a", 1);
      }
      expect(await failureOf(one.counter.add("a", 1))).toBe(CLOSED);
    }),
  );
}

function describeSignals(open: OpenPair): void {
  test(
    "an aborted signal ends a call with its own reason, and does nothing",
    withPair(open)(async ({ one }) => {
      const signal = AbortSignal.abort("changed my mind");
      await one.kv.put("a", 1);
      await one.queue.push("b", 1);
      const lease = await one.queue.take("b", 60_000);
      const calls = [
        ...callsOf(one, { signal }),
        lease?.extend(1_000, { signal }) ?? Promise.resolve(),
        lease?.release({ signal }) ?? Promise.resolve(),
        lease?.done({ signal }) ?? Promise.resolve(),
      ];
      expect(await failures(calls)).toEqual(calls.map(() => "changed my mind"));
      expect([
        (await one.kv.get("a"))?.value,
        await one.counter.add("a", 0),
        await one.queue.take("a", 1_000),
        await lease?.done(),
      ]).toEqual([1, 0, undefined, true]);
    }),
  );
}
