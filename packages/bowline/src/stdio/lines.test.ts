import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LineReader } from "./lines.ts";

type Event = string | { readonly refused: "oversized" | "runaway" };

const OVERSIZED: Event = { refused: "oversized" };
const RUNAWAY: Event = { refused: "runaway" };

/** What a reader tells of chunks, each given in memory that is overwritten afterwards. */
function read(chunks: Iterable<Uint8Array>, maxLineBytes = 64): readonly Event[] {
  const events: Event[] = [];
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const reader = new LineReader(maxLineBytes, {
    line: (bytes) => events.push(decoder.decode(bytes)),
    oversized: () => events.push(OVERSIZED),
    runaway: () => events.push(RUNAWAY),
  });
  for (const chunk of chunks) {
    const lent = Uint8Array.from(chunk);
    reader.push(lent);
    lent.fill(0x21);
  }
  reader.end();
  return events;
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function split(bytes: Uint8Array, positions: readonly number[]): readonly Uint8Array[] {
  const cuts = [0, ...positions.toSorted((a, b) => a - b), bytes.length];
  return cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end));
}

const TEXT = "an em dash — 漢字 🦉\r\n\n\r\n{}\nlast one";
const LINES = ["an em dash — 漢字 🦉", "{}", "last one"];

describe("LineReader", () => {
  test("BR-005 STDIO-02 reads the same lines at every split of the bytes in two", () => {
    const bytes = bytesOf(TEXT);
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(read(split(bytes, [at])), `split at ${at}`).toEqual(LINES);
    }
  });

  test("BR-005 reads the same lines when every byte comes alone", () => {
    const bytes = bytesOf(TEXT);
    expect(read(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(LINES);
  });

  test("T-07 any split gives what one chunk gives, lines over the limit included", () => {
    const line = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => text.replace(/[\r\n]/g, "")),
      fc.integer({ min: 60, max: 70 }).map((length) => "x".repeat(length)),
    );
    const stream = fc.array(fc.tuple(line, fc.constantFrom("\n", "\r\n")), { maxLength: 12 });
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 20 }), (lines, cuts) => {
        const bytes = bytesOf(lines.flat().join(""));
        const positions = cuts.map((cut) => cut % (bytes.length + 1));
        expect(read(split(bytes, positions))).toEqual(read([bytes]));
      }),
    );
  });

  test("BR-006 takes LF and CRLF and skips empty lines", () => {
    expect(read([bytesOf("\n\r\na\r\n\nb\n\r\n\r\nc\r\n")])).toEqual(["a", "b", "c"]);
  });

  test("keeps a carriage return that does not end the line", () => {
    expect(read([bytesOf("a\rb\n\r\r\n")])).toEqual(["a\rb", "\r"]);
  });

  test("hands on a last line without a newline at the end of the stream", () => {
    expect(read([bytesOf("a\nb")])).toEqual(["a", "b"]);
    expect(read([bytesOf("a\n\r")])).toEqual(["a"]);
  });

  const LIMIT_CASES = [
    ["one byte below the limit", 63, "\n", "line"],
    ["the limit", 64, "\n", "line"],
    ["the limit and CRLF", 64, "\r\n", "line"],
    ["one byte over the limit", 65, "\n", "oversized"],
    ["one byte over the limit and CRLF", 65, "\r\n", "oversized"],
  ] as const;

  test.each(LIMIT_CASES)("T-07 %s: %i bytes are %4$s", (_, length, ending, outcome) => {
    const line = "x".repeat(length);
    const bytes = bytesOf(`${line}${ending}next\n`);
    const expected = [outcome === "line" ? line : OVERSIZED, "next"];
    expect(read([bytes])).toEqual(expected);
    for (let at = 0; at <= bytes.length; at += 1)
      expect(read(split(bytes, [at]))).toEqual(expected);
  });

  test("T-07 gives a peer up after sixteen times the limit, and reads nothing more", () => {
    const chunk = bytesOf("x".repeat(64));
    const endless = Array.from({ length: 17 }, () => chunk);
    expect(read([...endless.slice(1), bytesOf("\nnext\n")])).toEqual([OVERSIZED, "next"]);
    expect(read([...endless, bytesOf("\nnext\n")])).toEqual([OVERSIZED, RUNAWAY]);
  });

  test("T-07 an oversized line in one chunk or in many is one refusal", () => {
    const line = bytesOf(`${"x".repeat(200)}\nnext\n`);
    expect(read([line])).toEqual([OVERSIZED, "next"]);
    expect(read(Array.from(line, (byte) => Uint8Array.of(byte)))).toEqual([OVERSIZED, "next"]);
  });

  test("BR-003 a line of 200 MB leaves no more than the limit in memory", () => {
    const events: Event[] = [];
    const reader = new LineReader(16 * 1024 * 1024, {
      line: (bytes) => events.push(new TextDecoder().decode(bytes)),
      oversized: () => events.push(OVERSIZED),
      runaway: () => events.push(RUNAWAY),
    });
    const chunk = bytesOf("x".repeat(65_536));
    const before = process.memoryUsage().arrayBuffers;
    let peak = before;
    for (let sent = 0; sent < 200e6; sent += chunk.length) {
      reader.push(chunk);
      if (sent % (1024 * 1024) === 0) peak = Math.max(peak, process.memoryUsage().arrayBuffers);
    }
    reader.push(bytesOf("\nnext\n"));
    expect(events).toEqual([OVERSIZED, "next"]);
    // A buffer and the one it outgrew, at worst not collected yet: 16, 8, 4 … MiB.
    expect(peak - before).toBeLessThan(64 * 1024 * 1024);
  });
});
