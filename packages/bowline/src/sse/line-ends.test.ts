import * as fc from "fast-check";
import { expect, test } from "vitest";
import { LineEnds } from "./line-ends.ts";

test("T-33 line ends are the same at any split", () => {
  const piece = fc.string({ unit: fc.constantFrom("\r", "\n", "x"), maxLength: 6 });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const ends = new LineEnds();
      const normalized = pieces.map((text) => ends.normalize(text)).join("");
      expect(normalized).toBe(pieces.join("").replaceAll(/\r\n?/g, "\n"));
    }),
  );
});
