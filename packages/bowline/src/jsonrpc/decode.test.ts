import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DecodeError, LimitError } from "../base/errors.ts";
import { decodeClientMessage, decodeServerMessage, isRequest } from "./decode.ts";
import { encodeResult } from "./encode.ts";
import { MessageRefusal, UnexpectedRequest } from "./refusal.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** The code and the id of the refusal, the id member absent where it is to be left out of the answer. */
function answerTo(text: string): { code: number; id?: unknown } {
  try {
    decodeClientMessage(bytesOf(text));
  } catch (error) {
    if (!(error instanceof MessageRefusal)) throw error;
    return error.id === undefined ? { code: error.rpcCode } : { code: error.rpcCode, id: error.id };
  }
  throw new Error(`accepted: ${text}`);
}

function faultOf(text: string): string {
  try {
    decodeServerMessage(bytesOf(text));
  } catch (error) {
    if (error instanceof UnexpectedRequest) return "request";
    if (error instanceof DecodeError) return error.path === "" ? error.message : error.path;
    throw error;
  }
  throw new Error(`accepted: ${text}`);
}

describe("messages of a client", () => {
  test("RPC-03 a request is one object with its version, id, method and params", () => {
    const text = '{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"cursor":"a"}}';
    const request = decodeClientMessage(bytesOf(text));
    expect(request).toEqual({
      jsonrpc: "2.0",
      id: 7,
      method: "tools/list",
      params: { cursor: "a" },
    });
    expect(isRequest(request)).toBe(true);
    expect(decodeClientMessage(text)).toEqual(request);
  });

  test("RPC-25 a notification has no id that could be answered", () => {
    const notification = decodeClientMessage(
      '{"jsonrpc":"2.0","method":"notifications/cancelled"}',
    );
    expect(notification).toEqual({ jsonrpc: "2.0", method: "notifications/cancelled" });
    expect(isRequest(notification)).toBe(false);
    expect(answerTo('{"jsonrpc":"2.0","id":5,"method":"notifications/cancelled"}')).toEqual({
      code: -32600,
      id: 5,
    });
  });

  test("T-08 members that are not JSON-RPC's are passed over", () => {
    const text = '{"jsonrpc":"2.0","id":1,"method":"a","trace":{"id":2},"constructor":1}';
    expect(decodeClientMessage(text)).toEqual({ jsonrpc: "2.0", id: 1, method: "a" });
  });

  test.each([
    [
      "T-01 a duplicate member",
      '{"jsonrpc":"2.0","id":1,"method":"a","m\\u0065thod":"b"}',
      { code: -32700 },
    ],
    [
      "T-01 a duplicate deep inside",
      '{"jsonrpc":"2.0","id":1,"method":"a","params":{"a":[{"b":1,"b":1}]}}',
      { code: -32700 },
    ],
    [
      "T-05 a number too large",
      '{"jsonrpc":"2.0","id":1,"method":"a","params":{"a":1e400}}',
      { code: -32700 },
    ],
    [
      "T-06 a lone surrogate",
      '{"jsonrpc":"2.0","id":1,"method":"a","params":{"a":"\\udfff"}}',
      { code: -32700 },
    ],
    [
      "T-04 too deep",
      `{"jsonrpc":"2.0","id":1,"method":"a","params":{"a":${"[".repeat(99)}${"]".repeat(99)}}}`,
      { code: -32600 },
    ],
    ["BR-001 a truncated object", '{"jsonrpc":"2.0","id":1,"method":', { code: -32700 }],
    ["BR-033 an empty batch", "[]", { code: -32600 }],
    ["BR-033 a batch of one", '[{"jsonrpc":"2.0","id":1,"method":"a"}]', { code: -32600 }],
    [
      "BR-033 a batch of two",
      '[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","id":2,"method":"a"}]',
      { code: -32600 },
    ],
    ["T-08 a string", '"hello"', { code: -32600 }],
    ["T-08 null", "null", { code: -32600 }],
    ["T-08 an empty object", "{}", { code: -32600 }],
    ["T-08 a posted result", '{"jsonrpc":"2.0","id":1,"result":{}}', { code: -32600, id: 1 }],
    [
      "T-08 a posted error",
      '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"a"}}',
      { code: -32600, id: 1 },
    ],
    [
      "T-08 a result and an error",
      '{"jsonrpc":"2.0","id":1,"result":{},"error":{}}',
      { code: -32600, id: 1 },
    ],
    [
      "T-08 a request with a result",
      '{"jsonrpc":"2.0","id":1,"method":"a","result":{}}',
      { code: -32600, id: 1 },
    ],
    [
      "T-08 a request with a null error",
      '{"jsonrpc":"2.0","id":1,"method":"a","error":null}',
      { code: -32600, id: 1 },
    ],
    ["T-08 BR-002 no version", '{"id":1,"method":"a"}', { code: -32600, id: 1 }],
    [
      "T-08 BR-002 another version",
      '{"jsonrpc":"1.0","id":1,"method":"a"}',
      { code: -32600, id: 1 },
    ],
    ["T-08 a numeric version", '{"jsonrpc":2,"id":1,"method":"a"}', { code: -32600, id: 1 }],
    ["T-08 no method", '{"jsonrpc":"2.0","id":1}', { code: -32600, id: 1 }],
    [
      "T-08 BR-002 a method of the wrong type",
      '{"jsonrpc":"2.0","id":1,"method":["a"]}',
      { code: -32600, id: 1 },
    ],
    [
      "T-08 a method that is too long",
      `{"jsonrpc":"2.0","id":1,"method":"${"a".repeat(257)}"}`,
      { code: -32600, id: 1 },
    ],
    [
      "T-02 a method in another case",
      '{"jsonrpc":"2.0","id":1,"method":"a","Method":"b"}',
      { code: -32600, id: 1 },
    ],
    [
      "T-02 params with a NUL",
      '{"jsonrpc":"2.0","id":1,"method":"a","params\\u0000":{}}',
      { code: -32600, id: 1 },
    ],
    [
      "T-02 a result with a long s",
      '{"jsonrpc":"2.0","id":1,"method":"a","re\\u017fult":{}}',
      { code: -32600, id: 1 },
    ],
    [
      "T-03 __proto__",
      '{"jsonrpc":"2.0","id":1,"method":"a","__proto__":{"method":"b"}}',
      { code: -32600, id: 1 },
    ],
    [
      "T-05 an unsafe integer in params",
      '{"jsonrpc":"2.0","id":"x","method":"a","params":{"a":[9007199254740993]}}',
      { code: -32602, id: "x" },
    ],
    [
      "BR-035 params that are a string",
      '{"jsonrpc":"2.0","id":1,"method":"a","params":"b"}',
      { code: -32602, id: 1 },
    ],
    [
      "BR-035 params that are a number",
      '{"jsonrpc":"2.0","id":1,"method":"a","params":5}',
      { code: -32602, id: 1 },
    ],
    [
      "BR-035 T-08 params that are an array",
      '{"jsonrpc":"2.0","id":1,"method":"a","params":[1]}',
      { code: -32602, id: 1 },
    ],
    [
      "BR-035 params that are null",
      '{"jsonrpc":"2.0","id":1,"method":"a","params":null}',
      { code: -32602, id: 1 },
    ],
  ])("%s is refused", (_shape, text, answer) => {
    expect(answerTo(text)).toEqual(answer);
  });

  test("T-03 a member on Object.prototype is no member of a message", () => {
    const root: object = Object.getPrototypeOf({});
    const planted = { value: "planted", configurable: true, writable: true, enumerable: false };
    Object.defineProperty(root, "id", planted);
    Object.defineProperty(root, "method", planted);
    const decoded = decodeClientMessage('{"jsonrpc":"2.0","method":"a"}');
    const isAsked = isRequest(decoded);
    const code = answerTo('{"jsonrpc":"2.0"}').code;
    Reflect.deleteProperty(root, "id");
    Reflect.deleteProperty(root, "method");
    expect([Object.keys(decoded), isAsked, code]).toEqual([["jsonrpc", "method"], false, -32600]);
  });

  test("T-02 T-04 a message of too many members is refused", () => {
    const message = (count: number) =>
      `{"jsonrpc":"2.0","id":1,"method":"a",${Array.from({ length: count }, (_, index) => `"é${index}":0`).join(",")}}`;
    expect(decodeClientMessage(message(1_021))).toEqual({ jsonrpc: "2.0", id: 1, method: "a" });
    expect(answerTo(message(1_022))).toEqual({ code: -32600, id: 1 });
  });

  test("BR-001 a thousand bad messages are refused alike", () => {
    const answers = Array.from({ length: 1_000 }, () =>
      answerTo('{"jsonrpc":"2.0","id":1,"params":'),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set(['{"code":-32700}']),
    );
  });

  test("T-11 refusals say nothing of the message they refuse", () => {
    const canary = "c4n4ry";
    const texts = [
      `{"jsonrpc":"2.0","id":1,"method":"${canary}",`,
      `{"jsonrpc":"2.0","id":1,"method":"a","${canary}":1,"${canary}":2}`,
      `{"jsonrpc":"${canary}","id":1,"method":"a"}`,
      `{"jsonrpc":"2.0","id":1,"method":"a","params":"${canary}"}`,
    ];
    for (const text of texts) expect(() => decodeClientMessage(text)).not.toThrow(canary);
  });
});

describe("ids", () => {
  const request = (id: string) => `{"jsonrpc":"2.0","method":"a","id":${id}}`;

  test.each([
    "0",
    "-1",
    "1",
    "9007199254740991",
    "-9007199254740991",
    '"0"',
    '"init-1"',
    '" "',
    '"é漢😀"',
    `"${"x".repeat(200)}"`,
    `"${"x".repeat(256)}"`,
    `"${"é".repeat(128)}"`,
    '"__proto__"',
    '"line\\nbreak \\"quoted\\" \\\\"',
  ])("BR-043 T-05 RPC-09 RPC-19 the id %s comes back byte for byte", (id) => {
    const message = decodeClientMessage(request(id));
    const echoed = isRequest(message) ? encodeResult(message.id, {}) : undefined;
    expect(echoed).toBe(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
    expect(answerTo(`{"id":${id}}`)).toEqual({ code: -32600, id: JSON.parse(id) });
  });

  test("T-05 RPC-09 any string or safe integer comes back byte for byte", () => {
    const id = fc.oneof(
      fc.maxSafeInteger().filter((integer) => !Object.is(integer, -0)),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }),
    );
    fc.assert(
      fc.property(id, fc.dictionary(fc.string(), fc.string()), (value, params) => {
        const text = `{"params":${JSON.stringify({ params, id: 1.5 })},"id":${JSON.stringify(value)},"method":"a","jsonrpc":"2.0"}`;
        const message = decodeClientMessage(bytesOf(text));
        expect(isRequest(message) && JSON.stringify(message.id)).toBe(JSON.stringify(value));
      }),
    );
  });

  test.each([
    "null",
    "true",
    "{}",
    "[1]",
    "1.5",
    "1.0",
    "1e0",
    "1.00000000000000000001",
    "-0",
    "0.0",
    "9007199254740992",
    "9007199254740993",
    "-9007199254740993",
    "1e300",
    '""',
    `"${"x".repeat(257)}"`,
    `"${"é".repeat(129)}"`,
    `"${"x".repeat(1_000_000)}"`,
  ])("BR-045 T-05 the id %s is refused and never echoed", (id) => {
    expect(answerTo(request(id))).toEqual({ code: -32600 });
    expect(answerTo(`{"i\\u0064" : ${id} ,"jsonrpc":"2.0","method":"a"}`)).toEqual({
      code: -32600,
    });
  });

  test("BR-045 T-05 an infinite id is no JSON we take", () => {
    expect(answerTo(request("1e400"))).toEqual({ code: -32700 });
  });

  test("T-05 fractions elsewhere do not disturb an integer id", () => {
    const text = '{"jsonrpc":"2.0","method":"a","params":{"id":1.0,"x":[7.0]},"id":7}';
    expect(decodeClientMessage(text)).toEqual({
      jsonrpc: "2.0",
      id: 7,
      method: "a",
      params: { id: 1, x: [7] },
    });
  });
});

describe("messages of a server", () => {
  test("a result has an id and an object", () => {
    const text = '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","n":9007199254740993}}';
    expect(decodeServerMessage(bytesOf(text))).toEqual(JSON.parse(text));
  });

  test("an error has an integer code and a message, and may have data", () => {
    const text = '{"jsonrpc":"2.0","id":"a","error":{"code":-32602,"message":"no","data":[1]}}';
    expect(decodeServerMessage(text)).toEqual(JSON.parse(text));
    const bare = '{"jsonrpc":"2.0","error":{"code":1,"message":""}}';
    expect(decodeServerMessage(bare)).toEqual(JSON.parse(bare));
  });

  test("ERR-07 a code of nobody keeps no meaning but its number", () => {
    const text = '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request"}}';
    expect(decodeServerMessage(text)).toEqual({
      jsonrpc: "2.0",
      error: { code: -32000, message: "Bad Request" },
    });
  });

  test("a notification has a method, and params where the server wrote some", () => {
    const texts = [
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":0.5}}',
      '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}',
    ];
    for (const text of texts) expect(decodeServerMessage(text)).toEqual(JSON.parse(text));
  });

  test.each([
    [
      "BR-033 a batch",
      '[{"jsonrpc":"2.0","id":1,"result":{}}]',
      "the message is not one JSON object",
    ],
    ["T-08 a request", '{"jsonrpc":"2.0","id":1,"method":"ping"}', "request"],
    ["T-08 a request with a null id", '{"jsonrpc":"2.0","id":null,"method":"ping"}', "request"],
    [
      "T-08 a result and an error",
      '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}',
      "the message is not either a result or an error",
    ],
    [
      "T-08 a method and a result",
      '{"jsonrpc":"2.0","method":"a","result":{}}',
      "the message is not either a notification or a response",
    ],
    [
      "T-08 nothing of all",
      '{"jsonrpc":"2.0","id":1}',
      "the message is not a method, a result or an error",
    ],
    ["T-08 no version", '{"id":1,"result":{}}', "/jsonrpc"],
    ["T-09 a result without an id", '{"jsonrpc":"2.0","result":{}}', "/id"],
    ["T-09 a result with a null id", '{"jsonrpc":"2.0","id":null,"result":{}}', "/id"],
    ["T-09 a fractional id", '{"jsonrpc":"2.0","id":1.5,"result":{}}', "/id"],
    [
      "T-09 an id that rounds to another",
      '{"jsonrpc":"2.0","id":1.00000000000000000001,"result":{}}',
      "/id",
    ],
    [
      "T-09 an error with an object as id",
      '{"jsonrpc":"2.0","id":{},"error":{"code":1,"message":""}}',
      "/id",
    ],
    ["a result that is a list", '{"jsonrpc":"2.0","id":1,"result":[]}', "/result"],
    ["a null result", '{"jsonrpc":"2.0","id":1,"result":null}', "/result"],
    ["an error that is a string", '{"jsonrpc":"2.0","id":1,"error":"no"}', "/error"],
    [
      "a fractional code",
      '{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":""}}',
      "/error/code",
    ],
    ["an error without a message", '{"jsonrpc":"2.0","id":1,"error":{"code":1}}', "/error/message"],
    ["params that are a list", '{"jsonrpc":"2.0","method":"a","params":[]}', "/params"],
    ["a method that is a number", '{"jsonrpc":"2.0","method":1}', "/method"],
    [
      "T-01 a duplicate",
      '{"jsonrpc":"2.0","id":1,"result":{"a":1,"\\u0061":2}}',
      "an object names a member twice",
    ],
    [
      "T-02 a misleading name",
      '{"jsonrpc":"2.0","id":1,"result":{},"ID":2}',
      "a member has a misleading name",
    ],
    ["BR-001 what is not JSON", "<html>", "the text is not valid JSON"],
  ])("%s is refused", (_shape, text, fault) => {
    expect(faultOf(text)).toBe(fault);
  });

  test("T-04 a document over a limit is refused as such", () => {
    const deep = `{"jsonrpc":"2.0","id":1,"result":{"a":${"[".repeat(200)}${"]".repeat(200)}}}`;
    expect(() => decodeServerMessage(deep)).toThrow(LimitError);
  });
});

test("T-08 whatever JSON arrives, decoding ends in a message or a refusal", () => {
  const member = fc.constantFrom("jsonrpc", "id", "method", "params", "result", "error", "extra");
  const value = fc.oneof(fc.constantFrom("2.0", 1, "a", {}, null), fc.jsonValue());
  const before = Reflect.ownKeys(Object.prototype);
  fc.assert(
    fc.property(fc.oneof(fc.dictionary(member, value), fc.jsonValue()), (json) => {
      const text = JSON.stringify(json);
      for (const decode of [decodeClientMessage, decodeServerMessage]) {
        try {
          expect(decode(bytesOf(text)).jsonrpc).toBe("2.0");
        } catch (error) {
          if (!(error instanceof MessageRefusal || error instanceof DecodeError)) throw error;
        }
      }
      expect(Reflect.ownKeys(Object.prototype)).toEqual(before);
    }),
    { numRuns: 500 },
  );
});
