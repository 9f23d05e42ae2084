import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fitsBytes, utf8Length } from "./bytes.ts";

test("the length of a text in UTF-8 is that of its encoding", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
    }),
  );
});

test("an unpaired surrogate counts as its replacement", () => {
  for (const text of ["\ud800", "\udc00", "\udc00\ud800", "a\ud83d", "\ud83d\ude00\ude00"]) {
    expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
  }
});

test("a text fits up to the last byte", () => {
  expect([fitsBytes("x".repeat(256), 256), fitsBytes("x".repeat(257), 256)]).toEqual([true, false]);
  expect([fitsBytes("é".repeat(128), 256), fitsBytes("é".repeat(129), 256)]).toEqual([true, false]);
  expect([fitsBytes("語".repeat(85), 256), fitsBytes("語".repeat(86), 256)]).toEqual([true, false]);
});
