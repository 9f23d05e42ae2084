import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { StderrRing } from "./stderr-ring.ts";

describe("StderrRing", () => {
  test("T-16 keeps the last bytes, however they came", () => {
    const chunk = fc.string({ unit: "binary-ascii", maxLength: 40 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.array(chunk), (size, chunks) => {
        const ring = new StderrRing(size);
        for (const text of chunks) ring.push(new TextEncoder().encode(text));
        expect(ring.text()).toBe(chunks.join("").slice(-size));
      }),
    );
  });

  test("decodes what is cut in the middle of a character", () => {
    const ring = new StderrRing(5);
    ring.push(new TextEncoder().encode("漢字"));
    expect(ring.text()).toBe("\ufffd\ufffd字");
  });
});
