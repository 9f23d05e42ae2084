import { describe, expect, test } from "vitest";
import type { Engine, Lease } from "../../src/engine/contract.ts";
import { withPair, type OpenPair } from "./pair.ts";

const LEASE_MS = 1_000;

const shown = (lease: Lease | undefined) =>
  lease && { id: lease.id, item: lease.item, attempts: lease.attempts };

async function take(engine: Engine): Promise<Lease> {
  const lease = await engine.queue.take("q", LEASE_MS);
  if (lease === undefined) throw new Error("no item to take");
  return lease;
}

export function describeLeaseQueue(open: OpenPair): void {
  describe("queue", () => {
    describeItems(open);
    describeManyTakers(open);
    describeLeases(open);
    describeExpiredLeases(open);
  });
}

function describeItems(open: OpenPair): void {
  test(
    "has no item where none was pushed",
    withPair(open)(async ({ one }) => {
      await one.queue.push("Q", 1);
      expect(await one.queue.take("q", LEASE_MS)).toBeUndefined();
    }),
  );

  test(
    "hands an item out on the other engine, as a copy, with its id and the first attempt",
    withPair(open)(async ({ one, other }) => {
      const item = { task: "a", list: [1] };
      const pushed = one.queue.push("q", item);
      item.list.push(2);
      const id = await pushed;
      expect(shown(await other.queue.take("q", LEASE_MS))).toEqual({
        id,
        item: { task: "a", list: [1] },
        attempts: 1,
      });
    }),
  );

  test(
    "hands out first what has been available for longest",
    withPair(open)(async ({ one, other, advance }) => {
      for (const item of ["a", "b", "c"]) {
        await one.queue.push("q", item);
        await advance(10);
      }
      const items: unknown[] = [];
      for (let count = 0; count < 3; count++) items.push((await take(other)).item);
      expect(items).toEqual(["a", "b", "c"]);
    }),
  );

  test(
    "holds an item back for its delay",
    withPair(open)(async ({ one, other, advance }) => {
      await one.queue.push("q", "late", { delayMs: 1_000 });
      await one.queue.push("q", "early", { delayMs: 100 });
      expect(await other.queue.take("q", LEASE_MS)).toBeUndefined();
      await advance(200);
      expect((await take(other)).item).toBe("early");
      expect(await other.queue.take("q", 60_000)).toBeUndefined();
      await advance(800);
      expect((await take(other)).item).toBe("late");
    }),
  );
}

function describeManyTakers(open: OpenPair): void {
  test(
    "gives every item an id of its own",
    withPair(open)(async ({ one, other }) => {
      const pushes = Array.from({ length: 100 }, (_, index) =>
        (index % 2 === 0 ? one : other).queue.push(`q${index % 3}`, 1),
      );
      expect(new Set(await Promise.all(pushes)).size).toBe(100);
    }),
  );

  test(
    "of a hundred that take one item, on two engines at once, one has it",
    withPair(open)(async ({ one, other }) => {
      await one.queue.push("q", 1);
      const takes = Array.from({ length: 100 }, (_, index) =>
        (index % 2 === 0 ? one : other).queue.take("q", LEASE_MS),
      );
      expect((await Promise.all(takes)).filter((lease) => lease !== undefined)).toHaveLength(1);
    }),
  );

  test(
    "hands each of a hundred items out once",
    withPair(open)(async ({ one, other }) => {
      const items = Array.from({ length: 100 }, (_, index) => index);
      const ids = await Promise.all(items.map((item) => one.queue.push("q", item)));
      const leases = await Promise.all(
        items.map((index) => (index % 2 === 0 ? one : other).queue.take("q", 60_000)),
      );
      const byItem = leases.toSorted((a, b) => Number(a?.item) - Number(b?.item));
      expect(byItem.map(shown)).toEqual(
        items.map((item) => ({ id: ids[item], item, attempts: 1 })),
      );
      expect(await one.queue.take("q", LEASE_MS)).toBeUndefined();
    }),
  );
}

function describeLeases(open: OpenPair): void {
  test(
    "removes an item that is done, once",
    withPair(open)(async ({ one, other, advance }) => {
      await one.queue.push("q", 1);
      const lease = await take(other);
      expect([await lease.done(), await lease.done()]).toEqual([true, false]);
      expect([await lease.extend(LEASE_MS), await lease.release()]).toEqual([false, false]);
      await advance(LEASE_MS);
      expect(await one.queue.take("q", LEASE_MS)).toBeUndefined();
    }),
  );

  test(
    "hands an item that is released out again, and counts the attempts",
    withPair(open)(async ({ one, other }) => {
      const id = await one.queue.push("q", 1);
      const lease = await take(one);
      expect([await lease.release(), await lease.release()]).toEqual([true, false]);
      expect(shown(await take(other))).toEqual({ id, item: 1, attempts: 2 });
      expect([await lease.done(), await lease.extend(LEASE_MS)]).toEqual([false, false]);
    }),
  );

  test(
    "puts an item that is released behind those that are available",
    withPair(open)(async ({ one, advance }) => {
      await one.queue.push("q", "first");
      await advance(10);
      await one.queue.push("q", "second");
      await advance(10);
      await (await take(one)).release();
      expect([(await take(one)).item, (await take(one)).item]).toEqual(["second", "first"]);
    }),
  );

  test(
    "holds an item that is released back for its delay",
    withPair(open)(async ({ one, advance }) => {
      await one.queue.push("q", 1);
      const lease = await take(one);
      expect(await lease.release({ delayMs: 1_000 })).toBe(true);
      expect(await lease.done()).toBe(false);
      await advance(400);
      expect(await one.queue.take("q", LEASE_MS)).toBeUndefined();
      await advance(600);
      expect((await take(one)).attempts).toBe(2);
    }),
  );

  test(
    "of a hundred that are done with one lease, one hears that it was",
    withPair(open)(async ({ one }) => {
      await one.queue.push("q", 1);
      const lease = await take(one);
      const answers = await Promise.all(Array.from({ length: 100 }, () => lease.done()));
      expect(answers.filter(Boolean)).toEqual([true]);
    }),
  );
}

function describeExpiredLeases(open: OpenPair): void {
  test(
    "hands an item out again when its lease has run out, and counts the attempts",
    withPair(open)(async ({ one, other, advance }) => {
      const id = await one.queue.push("q", "item");
      await take(one);
      await advance(400);
      expect(await other.queue.take("q", LEASE_MS)).toBeUndefined();
      await advance(600);
      const second = await other.queue.take("q", LEASE_MS);
      await advance(1_000);
      const third = await one.queue.take("q", LEASE_MS);
      expect([shown(second), shown(third)]).toEqual([
        { id, item: "item", attempts: 2 },
        { id, item: "item", attempts: 3 },
      ]);
    }),
  );

  test(
    "knows a lease that has run out no more, even before the item is taken again",
    withPair(open)(async ({ one, other, advance }) => {
      await one.queue.push("q", 1);
      const lease = await take(one);
      await advance(LEASE_MS);
      const use = async () => [
        await lease.extend(LEASE_MS),
        await lease.release(),
        await lease.done(),
      ];
      expect(await use()).toEqual([false, false, false]);
      const next = await take(other);
      expect(await use()).toEqual([false, false, false]);
      expect([next.attempts, await next.done()]).toEqual([2, true]);
    }),
  );

  test(
    "prolongs a lease from now on",
    withPair(open)(async ({ one, other, advance }) => {
      await one.queue.push("q", 1);
      const lease = await take(one);
      await advance(600);
      expect(await lease.extend(1_000)).toBe(true);
      await advance(600);
      expect(await other.queue.take("q", LEASE_MS)).toBeUndefined();
      await advance(400);
      expect([await lease.done(), (await take(other)).attempts]).toEqual([false, 2]);
    }),
  );

  test(
    "shortens a lease as well",
    withPair(open)(async ({ one, other, advance }) => {
      await one.queue.push("q", 1);
      const lease = await take(one);
      expect(await lease.extend(100)).toBe(true);
      await advance(100);
      expect([await lease.done(), (await take(other)).attempts]).toEqual([false, 2]);
    }),
  );
}
