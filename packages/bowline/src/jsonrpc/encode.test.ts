import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decodeServerMessage } from "./decode.ts";
import {
  encodeError,
  encodeNotification,
  encodeRequest,
  encodeResult,
  RESULT_TAIL,
  resultHead,
} from "./encode.ts";

test("RPC-09 RPC-10 a success response has the id of its request and a result", () => {
  expect(encodeResult(0, { resultType: "complete" })).toBe(
    '{"jsonrpc":"2.0","id":0,"result":{"resultType":"complete"}}',
  );
  expect(encodeResult("0", {})).toBe('{"jsonrpc":"2.0","id":"0","result":{}}');
});

test("a result that is encoded already is the same text as one that is not", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.integer(), fc.string()),
      fc.dictionary(fc.string(), fc.jsonValue()),
      (id, result) => {
        const text = encodeResult(id, result);
        expect(encodeResult(id, {}, JSON.stringify(result))).toBe(text);
        expect(resultHead(id) + JSON.stringify(result) + RESULT_TAIL).toBe(text);
      },
    ),
  );
});

test.each(["\ud800", "a\udfffb", "\\\ud800", '"\ud800"', "\\\\\ud9ff"])(
  "T-06 a result with half a character is not sent: %j",
  (text) => {
    expect(() => encodeResult(1, { content: [{ text }] })).toThrow("an unpaired surrogate");
    expect(() => encodeResult(1, { [text]: 1 })).toThrow(TypeError);
  },
);

test.each(["\ud83d\ude00", "\\ud800", "\\\\ud800", "\\\\\\udfff", "\\u0000\\ud"])(
  "T-06 a result with whole characters is sent as it is: %j",
  (text) => {
    expect(JSON.parse(encodeResult(1, { text }))).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: { text },
    });
  },
);

test("RPC-19 RPC-21 an error response has the id of its request, a code and a message", () => {
  expect(encodeError(7, { code: -32601, message: "no" })).toBe(
    '{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no"}}',
  );
  expect(encodeError("a", { code: -32602, message: "no", data: null })).toBe(
    '{"jsonrpc":"2.0","id":"a","error":{"code":-32602,"message":"no","data":null}}',
  );
});

test("RPC-19 an error response to an unreadable request leaves the id out", () => {
  expect(encodeError(undefined, { code: -32700, message: "no" })).toBe(
    '{"jsonrpc":"2.0","error":{"code":-32700,"message":"no"}}',
  );
});

test("RPC-25 a notification has no id, whatever object it is made from", () => {
  const notification = { id: 5, method: "notifications/progress", params: { progress: 1 } };
  expect(encodeNotification(notification)).toBe(
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}',
  );
  expect(encodeNotification({ method: "a" })).toBe('{"jsonrpc":"2.0","method":"a"}');
});

test("RPC-03 RPC-04 a request has its version and id", () => {
  expect(encodeRequest({ jsonrpc: "2.0", id: 1, method: "a", params: { b: 1 } })).toBe(
    '{"jsonrpc":"2.0","id":1,"method":"a","params":{"b":1}}',
  );
});

test("a message is one line, and what is decoded from it is what was encoded", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue()), (value) => {
      const result: unknown = JSON.parse(JSON.stringify(value));
      const text = encodeResult(1, value);
      expect(text).not.toMatch(/[\r\n]/);
      expect(decodeServerMessage(text)).toEqual({ jsonrpc: "2.0", id: 1, result });
      const params = encodeNotification({ method: "m", params: value });
      expect(decodeServerMessage(params)).toEqual({ jsonrpc: "2.0", method: "m", params: result });
    }),
  );
});

test("a result that JSON cannot hold is the caller's to answer for", () => {
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  expect(() => encodeResult(1, circle)).toThrow(TypeError);
  expect(() => encodeResult(1, { big: 1n })).toThrow(TypeError);
});
