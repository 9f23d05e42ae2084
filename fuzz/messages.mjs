/**
 * Messages and calls: whatever bytes come, decoding ends in a message or in a refusal with a code of the table of answers,
 * nothing changes a prototype, and what was accepted is the same message when it is sent on.
 */
import { deepStrictEqual, ok, strictEqual } from "node:assert";
import * as fc from "fast-check";
import { DecodeError, LimitError, RpcError } from "../packages/bowline/dist/base/errors.js";
import {
  decodeClientMessage,
  decodeServerMessage,
  isRequest,
} from "../packages/bowline/dist/jsonrpc/decode.js";
import { encodeRequest } from "../packages/bowline/dist/jsonrpc/encode.js";
import { decodeCall, encodeParams } from "../packages/bowline/dist/protocol/call.js";

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const NAMES = [
  "jsonrpc",
  "id",
  "method",
  "params",
  "result",
  "error",
  "_meta",
  "Method",
  "progressToken",
  "io.modelcontextprotocol/logLevel",
  "io.modelcontextprotocol/clientInfo",
  "traceparent",
  "__proto__",
  "constructor",
  "re\u017fult",
  "arguments",
];
const LITERALS = [
  "1",
  "1.0",
  "-0",
  "1e400",
  "9007199254740993",
  "null",
  '"a"',
  '"\\ud800"',
  "{}",
  "[]",
  '"2.0"',
  "true",
];

export function messages() {
  const member = fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...LITERALS));
  const names = fc.array(member, { maxLength: 3 });
  const text = fc
    .tuple(names, names, names, fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }))
    .map(([outer, params, meta, args]) =>
      object([
        ["jsonrpc", '"2.0"'],
        ["id", "7"],
        ["method", '"tools/call"'],
        [
          "params",
          object([
            ["_meta", object([...pairs(META), ...meta])],
            ["arguments", JSON.stringify(args)],
            ...params,
          ]),
        ],
        ...outer,
      ]),
    );
  const bytes = fc.tuple(text, fc.option(fc.tuple(fc.nat(), fc.nat(255)), { freq: 3 })).map(spoil);
  const prototype = Reflect.ownKeys(Object.prototype);
  return fc.property(bytes, (input) => {
    const call = attempt(() => {
      const message = decodeClientMessage(input);
      return isRequest(message) ? { id: message.id, call: decodeCall(message) } : undefined;
    });
    attempt(() => decodeServerMessage(input));
    deepStrictEqual(Reflect.ownKeys(Object.prototype), prototype);
    if (call === undefined) return;
    const sent = attempt(() => encodeParams(call.call));
    if (sent === undefined) return;
    const line = encodeRequest({
      jsonrpc: "2.0",
      id: call.id,
      method: call.call.method,
      params: sent,
    });
    const { raw: _raw, ...meta } = call.call.meta;
    const received = decodeClientMessage(line);
    const { raw: _again, ...metaAgain } = decodeCall(received).meta;
    deepStrictEqual([received.id, metaAgain], [call.id, meta]);
    strictEqual(JSON.stringify(decodeCall(received).params), JSON.stringify(call.call.params));
  });
}

const pairs = (value) =>
  Object.entries(value).map(([name, member]) => [name, JSON.stringify(member)]);

function object(members) {
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`;
}

function spoil([text, change]) {
  const bytes = new TextEncoder().encode(text);
  if (change !== null) bytes[change[0] % bytes.length] = change[1];
  return bytes;
}

/** What was decoded, or nothing where it was refused as it should be. */
function attempt(run) {
  try {
    return run();
  } catch (error) {
    const isAnswer = RpcError.is(error) && [-32700, -32600, -32602].includes(error.rpcCode);
    const isMisuse = error instanceof TypeError && error.message.includes("malformed");
    ok(isAnswer || isMisuse || DecodeError.is(error) || LimitError.is(error), String(error));
    return undefined;
  }
}
