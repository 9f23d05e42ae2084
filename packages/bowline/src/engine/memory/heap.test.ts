import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Heap, type HeapMember } from "./heap.ts";

interface Numbered extends HeapMember {
  rank: number;
}

/** What to do to a heap: add a rank, or remove or rank anew one of those in it. */
const steps = fc.array(
  fc.record({
    action: fc.constantFrom("add", "add", "remove", "rank"),
    pick: fc.nat(),
    rank: fc.integer({ min: 0, max: 50 }),
  }),
  { maxLength: 200 },
);

const leastOf = (members: readonly Numbered[]) =>
  members.length === 0 ? undefined : Math.min(...members.map(({ rank }) => rank));

describe("Heap", () => {
  test("has the first of its members in front, whatever is added, removed and moved", () => {
    fc.assert(
      fc.property(steps, (actions) => {
        const heap = new Heap<Numbered>((one, other) => one.rank < other.rank);
        const members: Numbered[] = [];
        const removed: Numbered[] = [];
        for (const { action, pick, rank } of actions) {
          const picked = members[pick % Math.max(1, members.length)];
          if (action === "add" || picked === undefined) {
            const member = { rank, place: -1 };
            heap.add(member);
            members.push(member);
          } else if (action === "remove") {
            heap.remove(picked);
            members.splice(members.indexOf(picked), 1);
            removed.push(picked);
          } else {
            picked.rank = rank;
            heap.moved(picked);
          }
          expect([heap.size, heap.first?.rank]).toEqual([members.length, leastOf(members)]);
        }
        expect(removed.filter(({ place }) => place !== -1)).toEqual([]);
        const places = members.map(({ place }) => place).toSorted((a, b) => a - b);
        expect(places).toEqual(members.map((_, index) => index));
      }),
      { numRuns: 200 },
    );
  });
});
