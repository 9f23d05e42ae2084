/** Lines over stdio: however the bytes are split, the same lines come out, and none is longer than the limit. */
import { deepStrictEqual, ok } from "node:assert";
import * as fc from "fast-check";
import { LineReader } from "../packages/bowline/dist/stdio/lines.js";

const MAX_LINE_BYTES = 12;

export function lines() {
  const piece = fc.oneof(
    fc.constantFrom("\n", "\r\n", "\r", "", "😀", "é"),
    fc.string({ maxLength: 20 }),
  );
  const stream = fc.array(piece, { maxLength: 24 }).map((parts) => Buffer.from(parts.join("")));
  const cuts = fc.array(fc.nat(), { maxLength: 30 });
  return fc.property(stream, cuts, (bytes, places) => {
    const whole = read([bytes]);
    deepStrictEqual(read(cutAt(bytes, places)), whole);
    deepStrictEqual(read([...bytes].map((byte) => Uint8Array.of(byte))), whole);
    for (const event of whole) ok(event.length <= MAX_LINE_BYTES * 2 + "line ".length);
  });
}

function read(chunks) {
  const events = [];
  const reader = new LineReader(MAX_LINE_BYTES, {
    line: (bytes) => events.push(`line ${Buffer.from(bytes).toString("hex")}`),
    oversized: () => events.push("oversized"),
    runaway: () => events.push("runaway"),
  });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return events;
}

function cutAt(bytes, places) {
  const sorted = places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b);
  return [0, ...sorted].map((start, index) => bytes.subarray(start, sorted[index] ?? bytes.length));
}
