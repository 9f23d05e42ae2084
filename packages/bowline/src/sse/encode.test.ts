import * as fc from "fast-check";
import { expect, test } from "vitest";
import { EventDecoder } from "./decode.ts";
import { encodeEvent, KEEP_ALIVE } from "./encode.ts";

function eventsOf(text: string): unknown[] {
  const events: unknown[] = [];
  new EventDecoder({ onEvent: (event) => events.push(event) }).push(new TextEncoder().encode(text));
  return events;
}

test("T-32 an event is one data line and a blank one", () => {
  expect(encodeEvent('{"a":1}')).toBe('data: {"a":1}\n\n');
});

test("T-32 any JSON survives the way through an event stream", () => {
  const value = fc.oneof(fc.jsonValue(), fc.string({ unit: "binary" }));
  const hostile = fc.constantFrom(
    "\n\ndata: x\n\n",
    "\r\r",
    "\u2028",
    "\u0000",
    ": x",
    "\ufeff",
    " lead",
  );
  fc.assert(
    fc.property(fc.oneof(value, hostile), (sent) => {
      const data = JSON.stringify(sent);
      expect(eventsOf(KEEP_ALIVE + encodeEvent(data) + KEEP_ALIVE)).toEqual([
        { name: "message", data, id: undefined },
      ]);
    }),
  );
});

test.each(["a\nb", "a\rb", "\n", "{}\r\n"])("T-32 refuses data with a line break: %j", (data) => {
  expect(() => encodeEvent(data)).toThrow(new TypeError("event data has a line break"));
});
