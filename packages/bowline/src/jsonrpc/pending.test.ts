import * as fc from "fast-check";
import { expect, test } from "vitest";
import { LimitError } from "../base/errors.ts";
import type { RequestId } from "./message.ts";
import { PendingRequests } from "./pending.ts";

interface Recorded {
  readonly outcomes: unknown[];
  readonly settle: (response: unknown) => void;
  readonly fail: (reason: unknown) => void;
}

function record(): Recorded {
  const outcomes: unknown[] = [];
  return {
    outcomes,
    settle: (response) => outcomes.push(response),
    fail: (reason) => outcomes.push(reason),
  };
}

const result = (id: RequestId) => ({ jsonrpc: "2.0", id, result: {} }) as const;

test("RPC-04 RPC-05 RPC-06 every request gets an integer of its own", () => {
  const pending = new PendingRequests();
  const ids = Array.from({ length: 5 }, () => pending.add(record()));
  expect(ids).toEqual([1, 2, 3, 4, 5]);
  pending.settle(result(5));
  expect(pending.add(record())).toBe(6);
});

test("T-09 an answer settles its request once; the second is a stray", () => {
  const pending = new PendingRequests();
  const request = record();
  const id = pending.add(request);
  expect([pending.settle(result(id)), pending.settle(result(id))]).toEqual([true, false]);
  expect(request.outcomes).toEqual([result(id)]);
  expect([pending.size, pending.strays]).toEqual([0, 1]);
});

test("T-09 BR-043 an id of the other type, of nobody, or none at all settles nothing", () => {
  const pending = new PendingRequests();
  const request = record();
  pending.add(request);
  const error = { code: -32700, message: "no" };
  const strays = [result("1"), result(2), result(-1), { jsonrpc: "2.0", error } as const];
  expect(strays.map((response) => pending.settle(response))).toEqual([false, false, false, false]);
  expect(request.outcomes).toEqual([]);
  expect([pending.size, pending.strays]).toEqual([1, 4]);
});

test("T-09 the answer to a request that was given up is a stray", () => {
  const pending = new PendingRequests<Recorded>();
  const request = record();
  const id = pending.add(request);
  expect([pending.find(id), pending.forget(id), pending.find(id)]).toEqual([
    request,
    request,
    undefined,
  ]);
  expect(pending.settle(result(id))).toBe(false);
  expect(request.outcomes).toEqual([]);
});

test("T-09 no more requests wait than allowed", () => {
  const pending = new PendingRequests(2);
  const id = pending.add(record());
  pending.add(record());
  expect(() => pending.add(record())).toThrow(LimitError);
  pending.settle(result(id));
  expect(pending.add(record())).toBe(3);
});

test("a closed connection fails what waits, and what comes later, with the first reason", () => {
  const pending = new PendingRequests();
  const waiting = [record(), record()];
  for (const request of waiting) pending.add(request);
  const reason = new Error("closed");
  pending.close(reason);
  pending.close(new Error("again"));
  expect(waiting.map((request) => request.outcomes)).toEqual([[reason], [reason]]);
  expect(() => pending.add(record())).toThrow(reason);
  expect(pending.size).toBe(0);
});

test("a request that fails may add another without being failed twice", () => {
  const pending = new PendingRequests();
  const outcomes: string[] = [];
  pending.add({
    settle: () => outcomes.push("settled"),
    fail: () => {
      outcomes.push("failed");
      expect(() => pending.add(record())).toThrow("closed");
    },
  });
  pending.close(new Error("closed"));
  expect(outcomes).toEqual(["failed"]);
});

/** What the requests of a connection do, said as plainly as can be. */
class Model {
  readonly #max: number;
  readonly #open = new Set<RequestId>();
  readonly settled = new Set<RequestId>();
  added = 0;
  strays = 0;

  constructor(max: number) {
    this.#max = max;
  }

  add(): number | undefined {
    if (this.#open.size >= this.#max) return undefined;
    this.added += 1;
    this.#open.add(this.added);
    return this.added;
  }

  settle(id: RequestId): boolean {
    const isOpen = this.#open.delete(id);
    if (isOpen) this.settled.add(id);
    else this.strays += 1;
    return isOpen;
  }

  forget(id: RequestId): boolean {
    return this.#open.delete(id);
  }
}

test("T-09 any interleaving settles each request at most once, by its own answer", () => {
  const id = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.constantFrom("1", "2"));
  const step = fc.record({ kind: fc.constantFrom("add", "settle", "forget"), id });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const model = new Model(6);
      const pending = new PendingRequests<Recorded>(6);
      const requests: Recorded[] = [];
      const add = (): number | undefined => {
        const request = record();
        try {
          const added = pending.add(request);
          requests.push(request);
          return added;
        } catch (error) {
          if (!(error instanceof LimitError)) throw error;
          return undefined;
        }
      };
      for (const { kind, id: target } of steps) {
        const [found, expected] =
          kind === "add"
            ? [add(), model.add()]
            : kind === "settle"
              ? [pending.settle(result(target)), model.settle(target)]
              : [pending.forget(target) !== undefined, model.forget(target)];
        expect(found).toBe(expected);
      }
      expect(pending.strays).toBe(model.strays);
      expect(requests.map((request) => request.outcomes)).toEqual(
        requests.map((_, index) => (model.settled.has(index + 1) ? [result(index + 1)] : [])),
      );
    }),
  );
});
