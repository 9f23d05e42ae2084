import { describe, expect, test } from "vitest";
import { failureOf, withPair, type OpenPair } from "./pair.ts";

export function describeCounter(open: OpenPair): void {
  describe("counter", () => {
    describeSums(open);
    describeLifetime(open);
    describeBounds(open);
  });
}

function describeSums(open: OpenPair): void {
  test(
    "begins at 0, and counts up and down on both engines",
    withPair(open)(async ({ one, other }) => {
      const sums = [
        await one.counter.add("a", 5),
        await other.counter.add("a", -7),
        await one.counter.add("a", 0),
        await one.counter.add("b", 0),
      ];
      expect(sums).toEqual([5, -2, -2, 0]);
    }),
  );

  test(
    "loses no addition of two hundred, and shows none twice",
    withPair(open)(async ({ one, other }) => {
      const additions = Array.from({ length: 200 }, (_, index) =>
        (index % 2 === 0 ? one : other).counter.add("a", 1),
      );
      const sums = (await Promise.all(additions)).toSorted((a, b) => a - b);
      expect(sums).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
    }),
  );
}

function describeLifetime(open: OpenPair): void {
  test(
    "keeps a counter for the time that its first addition gave it",
    withPair(open)(async ({ one, other, advance }) => {
      await one.counter.add("a", 1, { ttlMs: 1_000 });
      await advance(400);
      expect(await other.counter.add("a", 1, { ttlMs: 60_000 })).toBe(2);
      await advance(600);
      expect(await other.counter.add("a", 1)).toBe(1);
      await advance(1_000);
      expect(await other.counter.add("a", 1)).toBe(2);
    }),
  );

  test(
    "forgets a counter that comes to 0, and its time with it",
    withPair(open)(async ({ one, advance }) => {
      await one.counter.add("a", 2, { ttlMs: 500 });
      expect(await one.counter.add("a", -2)).toBe(0);
      await one.counter.add("a", 3);
      await advance(500);
      expect(await one.counter.add("a", 0)).toBe(3);
    }),
  );
}

function describeBounds(open: OpenPair): void {
  test(
    "adds nothing where the sum is no safe integer",
    withPair(open)(async ({ one }) => {
      await one.counter.add("a", Number.MAX_SAFE_INTEGER);
      await one.counter.add("b", Number.MIN_SAFE_INTEGER);
      const failures = [
        await failureOf(one.counter.add("a", 1)),
        await failureOf(one.counter.add("b", -1)),
      ];
      expect(failures).toEqual(["RangeError", "RangeError"]);
      expect([await one.counter.add("a", -1), await one.counter.add("b", 1)]).toEqual([
        Number.MAX_SAFE_INTEGER - 1,
        Number.MIN_SAFE_INTEGER + 1,
      ]);
    }),
  );
}
