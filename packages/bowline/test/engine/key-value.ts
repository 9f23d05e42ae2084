import { describe, expect, test } from "vitest";
import type { KeyValueStore } from "../../src/engine/contract.ts";
import type { JsonObject, JsonValue } from "../../src/json/value.ts";
import { withPair, type OpenPair } from "./pair.ts";

const VALUES: readonly JsonValue[] = [
  null,
  false,
  0,
  -1.5,
  1.7976931348623157e308,
  2 ** 53,
  "",
  'a "quoted" \\ text, \u0000 \u001f \u2028 é 😀',
  [],
  {},
  [[], [null, [{}]]],
  { "": 1, "a/b": { "~": [true] }, constructor: "c", toString: null },
  JSON.parse('{"__proto__":{"a":1}}'),
];

/** Reads and writes until no other was faster. */
async function increment(kv: KeyValueStore, key: string): Promise<void> {
  for (;;) {
    const found = await kv.get(key);
    const value = Number(found?.value ?? 0) + 1;
    const revision = await kv.put(key, value, { expected: found?.revision ?? "absent" });
    if (revision !== undefined) return;
  }
}

export function describeKeyValue(open: OpenPair): void {
  describe("kv", () => {
    describeValues(open);
    describeRevisions(open);
    describeRaces(open);
    describeExpiry(open);
  });
}

function describeValues(open: OpenPair): void {
  test(
    "has nothing where nothing was put",
    withPair(open)(async ({ one }) => {
      expect([await one.kv.get("a"), await one.kv.delete("a")]).toEqual([undefined, false]);
    }),
  );

  test.each(VALUES.map((value) => [JSON.stringify(value), value] as const))(
    "gives back %s on the other engine",
    (_, value) =>
      withPair(open)(async ({ one, other }) => {
        const revision = await one.kv.put("a", value);
        expect(await other.kv.get("a")).toStrictEqual({ value, revision });
      })(),
  );

  test(
    "copies values in and out",
    withPair(open)(async ({ one }) => {
      const value = { list: [1] };
      await one.kv.put("a", value);
      value.list.push(2);
      const first = await one.kv.get("a");
      Object.assign(Object(first?.value), { list: "changed" });
      expect((await one.kv.get("a"))?.value).toEqual({ list: [1] });
    }),
  );

  test(
    "leaves out members that are undefined, as their type says",
    withPair(open)(async ({ one }) => {
      const value: JsonObject = { a: undefined, b: 1 };
      await one.kv.put("a", value);
      expect((await one.kv.get("a"))?.value).toStrictEqual({ b: 1 });
    }),
  );

  test(
    "tells keys apart byte by byte, and from the names of queues and counters",
    withPair(open)(async ({ one }) => {
      const keys = ["a", "A", "a ", "é", "e\u0301", "a:b", "a*", "__proto__", "constructor"];
      for (const key of keys) await one.kv.put(key, key);
      await one.counter.add("a", 1);
      await one.queue.push("a", "item");
      const values = await Promise.all(keys.map(async (key) => (await one.kv.get(key))?.value));
      expect(values).toEqual(keys);
    }),
  );
}

function describeRevisions(open: OpenPair): void {
  test(
    "replaces a value only where the expected revision stands",
    withPair(open)(async ({ one, other }) => {
      const first = await one.kv.put("a", 1, { expected: "absent" });
      const second = await other.kv.put("a", 2, { expected: String(first) });
      const late = await one.kv.put("a", 3, { expected: String(first) });
      const again = await one.kv.put("a", 4, { expected: "absent" });
      const elsewhere = await one.kv.put("b", 5, { expected: String(second) });
      expect([late, again, elsewhere]).toEqual([undefined, undefined, undefined]);
      expect(await one.kv.get("a")).toEqual({ value: 2, revision: second });
      expect(await one.kv.get("b")).toBeUndefined();
    }),
  );

  test(
    "replaces in any case where nothing is expected",
    withPair(open)(async ({ one, other }) => {
      await one.kv.put("a", 1);
      const revision = await other.kv.put("a", 2);
      expect(await one.kv.get("a")).toEqual({ value: 2, revision });
    }),
  );

  test(
    "deletes only where the expected revision stands",
    withPair(open)(async ({ one, other }) => {
      const first = String(await one.kv.put("a", 1));
      const second = String(await one.kv.put("a", 1));
      const deleted = [
        await other.kv.delete("a", { expected: first }),
        await other.kv.delete("a", { expected: "absent" }),
        await other.kv.delete("a", { expected: second }),
        await one.kv.delete("a", { expected: second }),
      ];
      expect(deleted).toEqual([false, false, true, false]);
      expect(await one.kv.get("a")).toBeUndefined();
    }),
  );

  test(
    "gives no revision twice, not even for the same value or after a deletion",
    withPair(open)(async ({ one, other }) => {
      const revisions: (string | undefined)[] = [];
      for (let round = 0; round < 4; round++) {
        revisions.push(await one.kv.put("a", 1), await other.kv.put("a", 1));
        await one.kv.delete("a");
      }
      expect(new Set(revisions).size).toBe(8);
      expect(revisions).not.toContain(undefined);
      expect(revisions).not.toContain("absent");
    }),
  );
}

function describeRaces(open: OpenPair): void {
  test(
    "T-43 of a hundred that put where nothing stands, on two engines at once, one wins",
    withPair(open)(async ({ one, other }) => {
      const puts = Array.from({ length: 100 }, (_, index) =>
        (index % 2 === 0 ? one : other).kv.put("nonce", index, { expected: "absent" }),
      );
      const revisions = await Promise.all(puts);
      const won = revisions.filter((revision) => revision !== undefined);
      expect(won).toHaveLength(1);
      expect(await one.kv.get("nonce")).toEqual({
        value: revisions.indexOf(won[0]),
        revision: won[0],
      });
    }),
  );

  test(
    "of a hundred that delete one revision, one hears that it did",
    withPair(open)(async ({ one, other }) => {
      const expected = String(await one.kv.put("a", 1));
      const deletions = Array.from({ length: 100 }, (_, index) =>
        (index % 2 === 0 ? one : other).kv.delete("a", { expected }),
      );
      expect((await Promise.all(deletions)).filter(Boolean)).toEqual([true]);
    }),
  );

  test(
    "loses no change of those that read, and replace what they have read",
    withPair(open)(async ({ one, other }) => {
      const work = Array.from({ length: 20 }, (_, index) =>
        increment((index % 2 === 0 ? one : other).kv, "a"),
      );
      await Promise.all(work);
      expect((await one.kv.get("a"))?.value).toBe(20);
    }),
  );
}

function describeExpiry(open: OpenPair): void {
  test(
    "keeps a value for its time, and then has nothing",
    withPair(open)(async ({ one, other, advance }) => {
      const revision = String(await one.kv.put("a", 1, { ttlMs: 1_000 }));
      await advance(400);
      expect(await other.kv.get("a")).toEqual({ value: 1, revision });
      await advance(600);
      expect([
        await other.kv.get("a"),
        await other.kv.put("a", 2, { expected: revision }),
        await other.kv.delete("a", { expected: revision }),
        await other.kv.delete("a"),
      ]).toEqual([undefined, undefined, false, false]);
    }),
  );

  test(
    "takes a value past its time for absent",
    withPair(open)(async ({ one, other, advance }) => {
      await one.kv.put("a", 1, { ttlMs: 500 });
      await advance(500);
      const revision = await other.kv.put("a", 2, { expected: "absent" });
      expect(revision).toBeTypeOf("string");
      expect(await one.kv.get("a")).toEqual({ value: 2, revision });
    }),
  );

  test(
    "counts the time of the last put alone",
    withPair(open)(async ({ one, advance }) => {
      const [stays, longer, shorter] = ["stays", "longer", "shorter"];
      for (const key of [stays, longer]) await one.kv.put(key, 1, { ttlMs: 500 });
      await one.kv.put(shorter, 1);
      await one.kv.put(stays, 2);
      await one.kv.put(longer, 2, { ttlMs: 60_000 });
      await one.kv.put(shorter, 2, { ttlMs: 500 });
      await advance(500);
      const left = await Promise.all([stays, longer, shorter].map((key) => one.kv.get(key)));
      expect(left.map((found) => found?.value)).toEqual([2, 2, undefined]);
    }),
  );

  test(
    "leaves value and time as they were where another revision stands",
    withPair(open)(async ({ one, advance }) => {
      const revision = await one.kv.put("a", 1, { ttlMs: 1_000 });
      await one.kv.put("a", 2, { expected: "absent", ttlMs: 60_000 });
      expect(await one.kv.get("a")).toEqual({ value: 1, revision });
      await advance(1_000);
      expect(await one.kv.get("a")).toBeUndefined();
    }),
  );
}
