import * as fc from "fast-check";
import { expect, test } from "vitest";
import { BodyPieces } from "./body-pieces.ts";

const gather = (pieces: readonly Uint8Array[]): BodyPieces => {
  const body = new BodyPieces();
  for (const piece of pieces) body.add(piece);
  return body;
};

test("T-07 any split gives the same body", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3_000 }), fc.array(fc.nat(40)), (bytes, sizes) => {
      const pieces: Uint8Array[] = [];
      let at = 0;
      for (const size of sizes) {
        pieces.push(bytes.subarray(at, at + size));
        at += size;
      }
      pieces.push(bytes.subarray(at));
      const body = gather(pieces);
      expect([body.size, Buffer.compare(body.join(), bytes)]).toEqual([bytes.length, 0]);
    }),
  );
});

test("T-07 single bytes are not kept as single objects", () => {
  const bytes = new Uint8Array(1_000_000).map((_, index) => index % 251);
  const body = gather(Array.from({ length: bytes.length }, (_, at) => bytes.subarray(at, at + 1)));
  expect(body.count).toBeLessThan(bytes.length / 200);
  expect(Buffer.compare(body.join(), bytes)).toBe(0);
});

test("nothing is an empty body, and one piece is taken as it is", () => {
  expect(new BodyPieces().join()).toEqual(new Uint8Array());
  const piece = new Uint8Array([1, 2]);
  expect(gather([piece]).join()).toBe(piece);
});
