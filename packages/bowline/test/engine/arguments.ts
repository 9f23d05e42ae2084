import { describe, expect, test } from "vitest";
import type { Engine } from "../../src/engine/contract.ts";
import type { JsonValue } from "../../src/json/value.ts";
import { createRecorder, failureOf, withPair, wrong, type OpenPair } from "./pair.ts";

const MAX_VALUE_BYTES = 1024 * 1024;
const MAX_MESSAGE_BYTES = 16 * 1024;

/** What one call of each kind makes of a name. */
const byName = (engine: Engine, name: string): readonly Promise<unknown>[] => [
  engine.kv.get(name),
  engine.kv.put(name, 1),
  engine.kv.delete(name),
  engine.pubsub.publish(name, 1),
  engine.pubsub.subscribe(name, createRecorder()),
  engine.queue.push(name, 1),
  engine.queue.take(name, 1_000),
  engine.counter.add(name, 1),
];

/** The same for values. */
const byValue = (engine: Engine, value: JsonValue): readonly Promise<unknown>[] => [
  engine.kv.put("a", value),
  engine.queue.push("a", value),
  engine.pubsub.publish("a", value),
];

/** The same for durations. */
const byDuration = (engine: Engine, ms: number): readonly Promise<unknown>[] => [
  engine.kv.put("a", 1, { ttlMs: ms }),
  engine.queue.push("a", 1, { delayMs: ms }),
  engine.queue.take("a", ms),
  engine.counter.add("a", 1, { ttlMs: ms }),
];

const failures = (calls: readonly Promise<unknown>[]) => Promise.all(calls.map(failureOf));
const each = (calls: readonly unknown[], failure: string) => calls.map(() => failure);

const NAMES: readonly (readonly [string, unknown, string])[] = [
  ["no text", 1, "TypeError"],
  ["nothing", undefined, "TypeError"],
  ["an empty text", "", "TypeError"],
  ["U+0000", "a\0b", "TypeError"],
  ["an unpaired surrogate", "a\ud800", "TypeError"],
  ["513 letters", "a".repeat(513), "LimitError maxNameBytes 512"],
  ["171 letters of three bytes", "€".repeat(171), "LimitError maxNameBytes 512"],
];

const circle: { self?: unknown } = {};
circle.self = circle;
const nested = (depth: number): JsonValue => (depth === 0 ? [] : [nested(depth - 1)]);

const VALUES: readonly (readonly [string, unknown, string])[] = [
  ["undefined", undefined, "TypeError"],
  ["a function", () => 1, "TypeError"],
  ["a symbol", Symbol("s"), "TypeError"],
  ["a bigint", 1n, "TypeError"],
  ["NaN", { a: [Number.NaN] }, "TypeError"],
  ["infinity", -Infinity, "TypeError"],
  ["a date", new Date(0), "TypeError"],
  ["a map", { map: new Map() }, "TypeError"],
  ["an error", [new Error("e")], "TypeError"],
  ["undefined in an array", [1, undefined], "TypeError"],
  ["a hole in an array", Object.assign([], { length: 1 }), "TypeError"],
  ["an unpaired surrogate", ["\udc00"], "TypeError"],
  ["an unpaired surrogate in a name", { "\udc00": 1 }, "TypeError"],
  ["a circle", circle, "LimitError maxJsonDepth 100"],
  ["101 levels", nested(100), "LimitError maxJsonDepth 100"],
];

const DURATIONS: readonly (readonly [string, unknown, string])[] = [
  ["a text", "1", "TypeError"],
  ["null", null, "TypeError"],
  ["0", 0, "RangeError"],
  ["a negative number", -1, "RangeError"],
  ["half a millisecond", 1.5, "RangeError"],
  ["NaN", Number.NaN, "RangeError"],
  ["infinity", Infinity, "RangeError"],
  ["more than ten years", 315_576_000_001, "RangeError"],
];

export function describeArguments(open: OpenPair): void {
  describe("arguments", () => {
    describeNames(open);
    describeValues(open);
    describeOthers(open);
  });
}

function describeNames(open: OpenPair): void {
  test.each(NAMES)("refuses a name that is %s, everywhere", (_, name, failure) =>
    withPair(open)(async ({ one }) => {
      const calls = byName(one, wrong(name));
      expect(await failures(calls)).toEqual(each(calls, failure));
    })(),
  );

  test.each([
    ["512 letters", "a".repeat(512)],
    ["128 pairs of surrogates", "😀".repeat(128)],
    ["control characters and blanks", "\u0001 \n\t:*?[]{}'\"\\%_"],
  ])("takes a name of %s, everywhere", (_, name) =>
    withPair(open)(async ({ one }) => {
      await Promise.all(byName(one, name));
      expect(await one.counter.add(name, 0)).toBe(1);
    })(),
  );
}

function describeValues(open: OpenPair): void {
  test.each(VALUES)("refuses a value with %s, and stores nothing", (_, value, failure) =>
    withPair(open)(async ({ one }) => {
      const calls = byValue(one, wrong(value));
      expect(await failures(calls)).toEqual(each(calls, failure));
      expect([await one.kv.get("a"), await one.queue.take("a", 1_000)]).toEqual([
        undefined,
        undefined,
      ]);
    })(),
  );

  test(
    "takes values and items of 1 MiB, messages of 16 KiB, and 100 levels",
    withPair(open)(async ({ one, other }) => {
      const large = "é".repeat(MAX_VALUE_BYTES / 2 - 1);
      const message = "m".repeat(MAX_MESSAGE_BYTES - 2);
      const recorder = createRecorder();
      await other.pubsub.subscribe("t", recorder);
      await one.kv.put("a", large);
      await one.kv.put("b", nested(99));
      await one.queue.push("a", large);
      await one.pubsub.publish("t", message);
      await recorder.until(message);
      expect((await other.kv.get("a"))?.value).toBe(large);
      expect((await other.kv.get("b"))?.value).toEqual(nested(99));
      expect((await other.queue.take("a", 1_000))?.item).toBe(large);
    }),
  );

  test(
    "refuses a byte more",
    withPair(open)(async ({ one }) => {
      const large = `${"é".repeat(MAX_VALUE_BYTES / 2 - 1)}a`;
      const message = "m".repeat(MAX_MESSAGE_BYTES - 1);
      const calls = [
        one.kv.put("a", large),
        one.queue.push("a", large),
        one.pubsub.publish("t", message),
      ];
      expect(await failures(calls)).toEqual([
        `LimitError maxValueBytes ${MAX_VALUE_BYTES}`,
        `LimitError maxValueBytes ${MAX_VALUE_BYTES}`,
        `LimitError maxMessageBytes ${MAX_MESSAGE_BYTES}`,
      ]);
    }),
  );

  test.each([
    ["texts", "twice"],
    ["empty arrays", []],
  ])("refuses a small value that is immense as text, made of %s, without writing it", (_, leaf) =>
    withPair(open)(async ({ one }) => {
      let value: JsonValue = leaf;
      for (let level = 0; level < 90; level++) value = [value, value];
      expect(await failures(byValue(one, value))).toEqual([
        `LimitError maxValueBytes ${MAX_VALUE_BYTES}`,
        `LimitError maxValueBytes ${MAX_VALUE_BYTES}`,
        `LimitError maxMessageBytes ${MAX_MESSAGE_BYTES}`,
      ]);
    })(),
  );
}

function describeOthers(open: OpenPair): void {
  test.each(DURATIONS)("refuses a duration that is %s", (_, ms, failure) =>
    withPair(open)(async ({ one }) => {
      await one.queue.push("leased", 1);
      const lease = await one.queue.take("leased", 1_000);
      const calls = [
        ...byDuration(one, wrong(ms)),
        lease?.extend(wrong(ms)) ?? Promise.resolve(),
        lease?.release({ delayMs: wrong(ms) }) ?? Promise.resolve(),
      ];
      expect(await failures(calls)).toEqual(each(calls, failure));
      expect([await one.kv.get("a"), await one.counter.add("a", 0)]).toEqual([undefined, 0]);
    })(),
  );

  test(
    "takes durations from a millisecond to ten years",
    withPair(open)(async ({ one }) => {
      for (const ms of [1, 315_576_000_000]) await Promise.all(byDuration(one, ms));
      expect(await one.kv.get("a")).toMatchObject({ value: 1 });
    }),
  );

  test.each([
    ["undefined", undefined],
    ["null", null],
    ["a number", 1],
  ])("refuses %s where a revision is expected, instead of writing in any case", (_, expected) =>
    withPair(open)(async ({ one }) => {
      const revision = await one.kv.put("a", 1);
      const options = wrong({ expected });
      const calls = [one.kv.put("a", 2, options), one.kv.delete("a", options)];
      expect(await failures(calls)).toEqual(["TypeError", "TypeError"]);
      expect(await one.kv.get("a")).toEqual({ value: 1, revision });
    })(),
  );

  test.each([
    ["a text", "1", "TypeError"],
    ["a fraction", 0.5, "RangeError"],
    ["NaN", Number.NaN, "RangeError"],
    ["beyond the safe integers", 2 ** 53, "RangeError"],
  ])("refuses to add what is %s", (_, by, failure) =>
    withPair(open)(async ({ one }) => {
      expect(await failureOf(one.counter.add("a", wrong(by)))).toBe(failure);
      expect(await one.counter.add("a", 0)).toBe(0);
    })(),
  );

  test.each([
    ["nothing", undefined],
    ["a function", () => undefined],
    ["an object without onMessage", {}],
    ["an object whose onGap is no function", { onMessage: () => undefined, onGap: 1 }],
  ])("refuses a listener that is %s", (_, listener) =>
    withPair(open)(async ({ one }) => {
      expect(await failureOf(one.pubsub.subscribe("t", wrong(listener)))).toBe("TypeError");
    })(),
  );
}
