import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DecodeError, LimitError } from "../base/errors.ts";
import { decodeMessages, EventDecoder, type ServerSentEvent } from "./decode.ts";
import { encodeEvent } from "./encode.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Cuts bytes at places of any number and order. */
function cut(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const sorted = places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b);
  return [...sorted, bytes.length].map((end, index) => bytes.subarray(sorted[index - 1] ?? 0, end));
}

const singly = (bytes: Uint8Array) =>
  cut(
    bytes,
    Array.from(bytes, (_, index) => index),
  );

function eventsOf(chunks: readonly Uint8Array[], maxEventChars?: number): ServerSentEvent[] {
  const events: ServerSentEvent[] = [];
  const decoder = new EventDecoder({ maxEventChars, onEvent: (event) => events.push(event) });
  for (const chunk of chunks) decoder.push(chunk);
  return events;
}

const message = (data: string): ServerSentEvent => ({ name: "message", data, id: undefined });

interface Source {
  readonly stream: ReadableStream<Uint8Array>;
  /** Why the reader gave the stream up. */
  readonly cancelled: unknown[];
}

function streamOf(chunks: readonly Uint8Array[], isEndless = false): Source {
  const cancelled: unknown[] = [];
  const rest = [...chunks];
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const chunk = rest.shift() ?? (isEndless ? bytesOf("x".repeat(1_000)) : undefined);
      if (chunk === undefined) controller.close();
      else controller.enqueue(chunk);
    },
    cancel: (reason) => {
      cancelled.push(reason);
    },
  });
  return { stream, cancelled };
}

async function messagesOf(
  stream: ReadableStream<Uint8Array>,
  maxEventChars?: number,
): Promise<{ messages: string[]; error?: unknown }> {
  const messages: string[] = [];
  try {
    for await (const text of decodeMessages(stream, { maxEventChars })) messages.push(text);
  } catch (error) {
    return { messages, error };
  }
  return { messages };
}

describe("an event decoder", () => {
  test.each([
    ["LF", "data: a\n\ndata: b\n\n"],
    ["CRLF", "data: a\r\n\r\ndata: b\r\n\r\n"],
    ["lone CR", "data: a\r\rdata: b\r\r"],
    ["all three", "data: a\r\n\rdata: b\n\r\n"],
    ["a byte order mark", "\ufeffdata: a\n\ndata: b\n\n"],
    ["no space after the colon", "data:a\n\ndata:b\n\n"],
    ["comments and blank lines", ":\n\n: hello\n\n\ndata: a\n: x\n\ndata: b\n\n"],
    ["unknown fields", "foo: 1\ndata: a\nbar\n\nDATA: c\n\ndata: b\n\n"],
    ["an unfinished event at the end", "data: a\n\ndata: b\n\ndata: c\n"],
  ])("T-33 reads %s, whole and byte by byte", (_form, text) => {
    expect(eventsOf([bytesOf(text)])).toEqual([message("a"), message("b")]);
    expect(eventsOf(singly(bytesOf(text)))).toEqual([message("a"), message("b")]);
  });

  test("T-33 an event ended by CR is reported before the next byte comes", () => {
    expect(eventsOf([bytesOf("data: a\r\r")])).toEqual([message("a")]);
    expect(eventsOf([bytesOf("data: a\r\n\r")])).toEqual([message("a")]);
  });

  test("T-33 joins the data lines of one event, and tells its name and id", () => {
    const text = "event: update\nid: 7\ndata: a\ndata\ndata:  b\n\n";
    expect(eventsOf([bytesOf(text)])).toEqual([{ name: "update", data: "a\n\n b", id: "7" }]);
  });

  test("T-33 only a mark at the very start is passed over, and only that of UTF-8", () => {
    expect(eventsOf([bytesOf("data: a\n\n\ufeffdata: b\n\n")])).toEqual([message("a")]);
    expect(eventsOf([bytesOf("\u00ef\u00bb\u00bfdata: a\n\n")])).toEqual([]);
  });

  test("T-33 keeps what a stream asks to wait within 1 to 60 seconds", () => {
    const waits: number[] = [];
    const decoder = new EventDecoder({
      onEvent: () => undefined,
      onRetry: (retryMs) => waits.push(retryMs),
    });
    const huge = "9".repeat(400);
    decoder.push(
      bytesOf(`retry: 0\nretry: 1500\nretry: ${huge}\nretry: -5\nretry: 1e3\nretry:\n\n`),
    );
    expect(waits).toEqual([1_000, 1_500, 60_000]);
  });

  test("BR-005 text of any width is the same at every split", () => {
    const text = "em dash — 漢字かな 😀 \u{10ffff} é";
    const bytes = bytesOf(encodeEvent(text));
    for (let place = 0; place <= bytes.length; place++) {
      expect(eventsOf(cut(bytes, [place]))).toEqual([message(text)]);
    }
    expect(eventsOf(singly(bytes))).toEqual([message(text)]);
  });

  test.each([
    ["a Latin-1 letter", [0xe9, 0x20]],
    ["an overlong slash", [0xc0, 0xaf]],
    ["a surrogate", [0xed, 0xa0, 0x80]],
    ["a broken sequence", [0xe2, 0x82, 0x20]],
  ])("T-06 T-33 refuses %s, and everything after it", (_name, bad) => {
    const decoder = new EventDecoder({ onEvent: () => undefined });
    decoder.push(bytesOf("data: a\n\ndata: "));
    expect(() => decoder.push(Uint8Array.from(bad))).toThrow(DecodeError);
    expect(() => decoder.push(bytesOf("b\n\n"))).toThrow(DecodeError);
  });

  test("T-07 T-33 reads any text as the rules of event streams say, at any split", () => {
    const fragment = fc.constantFrom(
      "\n",
      "\r",
      ":",
      " ",
      "x",
      "0",
      "é",
      "😀",
      "\r\n",
      "\n\n",
      "data:",
      "data: y",
      "data",
      "event:",
      "event: other",
      "event: message",
      "id: 7",
      "id",
      "retry: 10",
      "\ufeff",
    );
    const text = fc.array(fragment, { maxLength: 40 }).map((parts) => parts.join(""));
    const places = fc.array(fc.nat(), { maxLength: 20 });
    fc.assert(
      fc.property(text, places, (stream, cuts) => {
        const events = eventsOf(cut(bytesOf(stream), cuts));
        expect(events.map(({ name, data }) => [name, data])).toEqual(readPlainly(stream));
      }),
      { numRuns: 500 },
    );
  });
});

describe("limits of an event decoder", () => {
  test("T-33 takes an event of the largest size and refuses the next, whole and in pieces", () => {
    for (const [size, expected] of [
      [5_000, [message("x".repeat(5_000))]],
      [5_001, "refused"],
    ] as const) {
      const bytes = bytesOf(encodeEvent("x".repeat(size)));
      for (const chunks of [[bytes], cut(bytes, [2, 900, 4_999, 5_003]), singly(bytes)]) {
        expect(outcomeOf(chunks, 5_000)).toEqual(expected);
      }
    }
  });

  test("T-33 refuses an event of endless lines", () => {
    expect(outcomeOf([bytesOf("data: xxxxxxxxxxxxxxxxxxxx\n".repeat(500))], 5_000)).toBe("refused");
    expect(
      outcomeOf(
        Array.from({ length: 9_000 }, () => bytesOf("data:\n")),
        5_000,
      ),
    ).toBe("refused");
  });

  test("T-33 counts each event alone, and comments not at all", () => {
    const decoder = new EventDecoder({ maxEventChars: 100, onEvent: () => undefined });
    const flood = bytesOf(
      ": a comment of some length, for ever and ever and ever again\n".repeat(50),
    );
    const event = bytesOf(encodeEvent("x".repeat(90)));
    for (let round = 0; round < 200; round++) {
      decoder.push(flood);
      decoder.push(event);
    }
    expect(() => decoder.push(event)).not.toThrow();
  });

  test("T-33 a refused stream stays refused", () => {
    const decoder = new EventDecoder({ maxEventChars: 10, onEvent: () => undefined });
    const limit = new LimitError("maxEventChars", 10, "an event is larger than 10 characters");
    expect(() => decoder.push(bytesOf("x".repeat(2_000)))).toThrow(limit);
    expect(() => decoder.push(bytesOf("\n\ndata: a\n\n"))).toThrow(limit);
  });

  function outcomeOf(chunks: readonly Uint8Array[], max: number): ServerSentEvent[] | "refused" {
    try {
      return eventsOf(chunks, max);
    } catch (error) {
      if (error instanceof LimitError) return "refused";
      throw error;
    }
  }
});

describe("the messages of a stream", () => {
  test("BR-038 events without data and of other names are passed over", async () => {
    const text =
      "id: 1\ndata:\n\nid: 2\n\nevent: ping\ndata: 1\n\nevent: message\ndata: {}\n\nretry: 5\ndata: []\n\n";
    expect(await messagesOf(streamOf([bytesOf(text)]).stream)).toEqual({ messages: ["{}", "[]"] });
  });

  test("T-33 a stream that ends within an event yields only what was whole", async () => {
    const { stream } = streamOf([bytesOf(encodeEvent("1")), bytesOf("data: 2\n")]);
    expect(await messagesOf(stream)).toEqual({ messages: ["1"] });
  });

  test("T-33 a line without end is given up at the limit and the stream cancelled", async () => {
    const { stream, cancelled } = streamOf([bytesOf(encodeEvent("1"))], true);
    const { messages, error } = await messagesOf(stream, 20_000);
    expect([messages, error]).toEqual([["1"], expect.any(LimitError)]);
    expect(cancelled).toHaveLength(1);
  });

  test("T-33 what came whole before an event that is too large is yielded, however cut", async () => {
    const bytes = bytesOf(encodeEvent("1") + encodeEvent("x".repeat(50)) + encodeEvent("2"));
    for (const chunks of [[bytes], singly(bytes)]) {
      const { messages, error } = await messagesOf(streamOf(chunks).stream, 20);
      expect([messages, error]).toEqual([["1"], expect.any(LimitError)]);
    }
  });

  test("a reader that stops early cancels the stream", async () => {
    const { stream, cancelled } = streamOf([bytesOf(encodeEvent("1") + encodeEvent("2"))], true);
    for await (const text of decodeMessages(stream)) {
      expect(text).toBe("1");
      break;
    }
    expect(cancelled).toHaveLength(1);
  });
});

/** The rules of the HTML standard, line by line. The last event counts only if a blank line ended it. */
function readPlainly(text: string): readonly (readonly [string, string])[] {
  const events: (readonly [string, string])[] = [];
  let data: string[] = [];
  let name = "";
  for (const line of text
    .replace(/^\ufeff/, "")
    .split(/\r\n|\r|\n/)
    .slice(0, -1)) {
    const [, field = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/su.exec(line) ?? [];
    if (line === "" && data.length > 0)
      events.push([name === "" ? "message" : name, data.join("\n")]);
    if (line === "") [data, name] = [[], ""];
    if (field === "data") data.push(value);
    if (field === "event") name = value;
  }
  return events;
}
