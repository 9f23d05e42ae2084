import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RpcError } from "../base/errors.ts";
import { decodeClientMessage, decodeServerMessage, isRequest } from "../jsonrpc/decode.ts";
import { encodeRequest } from "../jsonrpc/encode.ts";
import type { JsonRpcRequest } from "../jsonrpc/message.ts";
import { type Call, decodeCall, encodeParams } from "./call.ts";

const VERSION = '"io.modelcontextprotocol/protocolVersion":"2026-07-28"';
const CAPABILITIES = '"io.modelcontextprotocol/clientCapabilities":{}';
const META = `"_meta":{${VERSION},${CAPABILITIES}}`;

function requestOf(params: string | undefined): JsonRpcRequest {
  const members = params === undefined ? "" : `,"params":${params}`;
  const message = decodeClientMessage(`{"jsonrpc":"2.0","id":1,"method":"tools/call"${members}}`);
  if (!isRequest(message)) throw new Error("not a request");
  return message;
}

const callOf = (params: string): Call => decodeCall(requestOf(params));
const withMeta = (members: string): string => `{"_meta":{${VERSION},${CAPABILITIES},${members}}}`;

function refusalOf(params: string | undefined): readonly [number, string] | undefined {
  try {
    decodeCall(requestOf(params));
    return undefined;
  } catch (error) {
    if (error instanceof RpcError) return [error.rpcCode, error.message];
    throw error;
  }
}

describe("a call", () => {
  test("RPC-07 has the method, the params without _meta, and the checked _meta", () => {
    const raw = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} }, roots: {} },
      "io.modelcontextprotocol/clientInfo": { name: "c", version: "1", icons: [{ src: "data:," }] },
      "io.modelcontextprotocol/logLevel": "warning",
      progressToken: 0,
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01",
      tracestate: "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE",
      baggage: "userId=alice,serverNode=DF%2028;internal",
      "com.example/own": [1],
    };
    const params = { name: "echo", arguments: { a: 1 }, _meta: raw };
    expect(callOf(JSON.stringify(params))).toEqual({
      method: "tools/call",
      params: { name: "echo", arguments: { a: 1 } },
      meta: {
        protocolVersion: "2026-07-28",
        clientCapabilities: { elicitation: { form: {} }, roots: {} },
        clientInfo: { name: "c", version: "1", icons: [{ src: "data:," }] },
        logLevel: "warning",
        progressToken: 0,
        traceparent: raw.traceparent,
        tracestate: raw.tracestate,
        baggage: raw.baggage,
        raw,
      },
    });
  });

  test("META-11 META-12 needs no more than a version and capabilities", () => {
    const { meta } = callOf(`{${META}}`);
    const { raw, ...fields } = meta;
    expect(fields).toEqual({
      protocolVersion: "2026-07-28",
      clientCapabilities: {},
      clientInfo: undefined,
      logLevel: undefined,
      progressToken: undefined,
      traceparent: undefined,
      tracestate: undefined,
      baggage: undefined,
    });
    expect(Object.keys(raw)).toHaveLength(2);
  });

  test("every call has the same members in the same order", () => {
    const shapes = [
      callOf(`{${META}}`),
      callOf(`{"name":"a",${META}}`),
      callOf(withMeta('"progressToken":"a","baggage":"a=b"')),
    ].map((call) => [Object.keys(call), Object.keys(call.meta)]);
    expect(shapes).toEqual([shapes[0], shapes[0], shapes[0]]);
  });

  test("META-01 keeps what others wrote, reserved keys with any value included", () => {
    const own = {
      "io.modelcontextprotocol/unheardOf": [null],
      "dev.mcp/x": false,
      "io.modelcontextprotocol/subscriptionId": {},
      "not a/proper key!": 1,
    };
    const { raw } = callOf(withMeta(JSON.stringify(own).slice(1, -1))).meta;
    expect(raw).toMatchObject(own);
  });
});

describe("a request that makes no call", () => {
  const invalid = (params: string | undefined) => refusalOf(params)?.[0];

  test.each([
    ["no params", undefined],
    ["no _meta", "{}"],
    ["a null _meta", '{"_meta":null}'],
    ["_meta that is a list", '{"_meta":[]}'],
    ["_meta that is a string", '{"_meta":"a"}'],
    ["no version", `{"_meta":{${CAPABILITIES}}}`],
    ["no capabilities", `{"_meta":{${VERSION}}}`],
    [
      "a null version",
      `{"_meta":{"io.modelcontextprotocol/protocolVersion":null,${CAPABILITIES}}}`,
    ],
    [
      "a numeric version",
      `{"_meta":{"io.modelcontextprotocol/protocolVersion":1,${CAPABILITIES}}}`,
    ],
    [
      "a version without end",
      `{"_meta":{"io.modelcontextprotocol/protocolVersion":"${"2".repeat(300)}",${CAPABILITIES}}}`,
    ],
    [
      "null capabilities",
      `{"_meta":{${VERSION},"io.modelcontextprotocol/clientCapabilities":null}}`,
    ],
    [
      "a list of capabilities",
      `{"_meta":{${VERSION},"io.modelcontextprotocol/clientCapabilities":[]}}`,
    ],
    [
      "a capability that is true",
      `{"_meta":{${VERSION},"io.modelcontextprotocol/clientCapabilities":{"elicitation":true}}}`,
    ],
    [
      "a null capability",
      `{"_meta":{${VERSION},"io.modelcontextprotocol/clientCapabilities":{"roots":null}}}`,
    ],
    [
      "an elicitation mode that is true",
      `{"_meta":{${VERSION},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":true}}}}`,
    ],
    [
      "an extension that is a string",
      `{"_meta":{${VERSION},"io.modelcontextprotocol/clientCapabilities":{"extensions":{"a/b":"1"}}}}`,
    ],
    [
      "client info without a version",
      withMeta('"io.modelcontextprotocol/clientInfo":{"name":"a"}'),
    ],
    ["client info that is a string", withMeta('"io.modelcontextprotocol/clientInfo":"a"')],
    [
      "a client name that is a number",
      withMeta('"io.modelcontextprotocol/clientInfo":{"name":1,"version":"1"}'),
    ],
    [
      "a client title that is a list",
      withMeta('"io.modelcontextprotocol/clientInfo":{"name":"a","version":"1","title":[]}'),
    ],
    [
      "a client icon without a source",
      withMeta('"io.modelcontextprotocol/clientInfo":{"name":"a","version":"1","icons":[{}]}'),
    ],
    ["an unknown log level", withMeta('"io.modelcontextprotocol/logLevel":"verbose"')],
    ["a log level in capitals", withMeta('"io.modelcontextprotocol/logLevel":"INFO"')],
    ["a numeric log level", withMeta('"io.modelcontextprotocol/logLevel":3')],
    ["a null progress token", withMeta('"progressToken":null')],
    ["a fractional progress token", withMeta('"progressToken":1.5')],
    ["a progress token of minus zero", withMeta('"progressToken":-0')],
    ["a progress token without end", withMeta(`"progressToken":"${"x".repeat(257)}"`)],
    [
      "too many members in params",
      `{${META},${Array.from({ length: 1_024 }, (_, index) => `"x${index}":1`).join(",")}}`,
    ],
    [
      "too many members in _meta",
      withMeta(Array.from({ length: 1_024 }, (_, index) => `"x${index}":1`).join(",")),
    ],
  ])("META-13 BR-035 %s is answered with invalid params", (_case, params) => {
    expect(invalid(params)).toBe(-32602);
  });

  test.each([
    [
      "META-13 no version",
      `{"_meta":{${CAPABILITIES}}}`,
      'params._meta["io.modelcontextprotocol/protocolVersion"] is missing',
    ],
    [
      "META-13 no capabilities",
      `{"_meta":{${VERSION}}}`,
      'params._meta["io.modelcontextprotocol/clientCapabilities"] is missing',
    ],
    [
      "ERR-04 an unknown log level",
      withMeta('"io.modelcontextprotocol/logLevel":"verbose"'),
      'params._meta["io.modelcontextprotocol/logLevel"] is not a log level',
    ],
  ])("%s is told by name", (_case, params, reason) => {
    expect(refusalOf(params)).toEqual([-32602, reason]);
  });

  test.each([
    ["T-02 a name in another case", `{${META},"Name":"a"}`],
    ["T-02 arguments with a NUL", `{${META},"arguments\\u0000":{}}`],
    ["T-02 a uri in full width", `{${META},"\\uff55\\uff52\\uff49":"a"}`],
    ["T-02 a second _meta in capitals", `{${META},"_META":{}}`],
    ["T-02 a request state with a long s", `{${META},"reque\\u017ftState":"a"}`],
    ["T-02 a progress token in small letters", withMeta('"progresstoken":1')],
    [
      "T-02 a version in another case",
      withMeta('"io.modelcontextprotocol/protocolversion":"2025-11-25"'),
    ],
    ["T-03 __proto__ in params", `{${META},"__proto__":{"name":"a"}}`],
    ["T-03 __proto__ in _meta", withMeta('"__proto__":{"progressToken":1}')],
    [
      "T-03 __proto__ in the capabilities",
      `{"_meta":{${VERSION},"io.modelcontextprotocol/clientCapabilities":{"__proto__":{"roots":{}}}}}`,
    ],
    [
      "T-03 __proto__ deep in the capabilities",
      `{"_meta":{${VERSION},"io.modelcontextprotocol/clientCapabilities":{"extensions":{"a/b":{"c":[{"__proto__":{}}]}}}}}`,
    ],
  ])("%s is answered with an invalid request", (_case, params) => {
    expect(invalid(params)).toBe(-32600);
  });
});

describe("special names", () => {
  test("T-03 arguments are plain data, whatever their members are called", () => {
    const call = callOf(`{${META},"arguments":{"__proto__":{"a":1},"constructor":1,"Name":2}}`);
    expect(JSON.stringify(call.params)).toBe(
      '{"arguments":{"__proto__":{"a":1},"constructor":1,"Name":2}}',
    );
    expect(Object.getPrototypeOf(call.params["arguments"])).toBe(Object.prototype);
  });

  test("T-03 what stands on Object.prototype is no member of params, _meta or the capabilities", () => {
    const root: object = Object.getPrototypeOf({});
    const names = ["_meta", "progressToken", "io.modelcontextprotocol/logLevel", "name"];
    const property = { value: "planted", configurable: true, writable: true, enumerable: true };
    for (const name of names) Object.defineProperty(root, name, property);
    const { params, meta } = callOf(`{${META}}`);
    const missing = [refusalOf("{}")?.[0], refusalOf(`{"_meta":{${VERSION}}}`)?.[0]];
    for (const name of names) Reflect.deleteProperty(root, name);
    expect([Object.keys(params), meta.progressToken, meta.logLevel, missing]).toEqual([
      [],
      undefined,
      undefined,
      [-32602, -32602],
    ]);
  });

  test("T-03 no prototype changes, whatever params arrive", () => {
    const before = Reflect.ownKeys(Object.prototype);
    const name = fc.constantFrom("__proto__", "constructor", "prototype", "_meta", "name", "a");
    const tree = fc.dictionary(name, fc.dictionary(name, fc.jsonValue()));
    fc.assert(
      fc.property(tree, (params) => {
        refusalOf(JSON.stringify(params));
        expect(Reflect.ownKeys(Object.prototype)).toEqual(before);
      }),
    );
  });
});

describe("trace context", () => {
  const TRACE = '"traceparent":"00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01"';

  test.each([
    [
      "a traceparent of zeroes",
      '"traceparent":"00-00000000000000000000000000000000-00f067aa0ba902b7-01"',
    ],
    ["a traceparent that is no string", '"traceparent":7'],
    ["a tracestate without a traceparent", '"tracestate":"a=b"'],
    ["a tracestate of bad format", '"tracestate":"a b"'],
    ["a baggage of bad format", '"baggage":"a"'],
  ])("META-24 %s is left out, and the call goes on", (_case, members) => {
    const { meta } = callOf(withMeta(members));
    expect([meta.traceparent, meta.tracestate, meta.baggage]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(meta.raw).toMatchObject(JSON.parse(`{${members}}`));
  });

  test("META-24 a traceparent stays where only its tracestate is bad", () => {
    const { meta } = callOf(withMeta(`${TRACE},"tracestate":"="`));
    expect([meta.traceparent?.length, meta.tracestate]).toEqual([55, undefined]);
  });
});

describe("the params of a call", () => {
  test("META-10 RPC-07 have a version and capabilities in _meta, and decode to the same call", () => {
    const text = withMeta('"progressToken":7,"com.example/own":1').slice(0, -1) + ',"name":"a"}';
    const call = callOf(text);
    const params = encodeParams(call);
    expect(params).toEqual(JSON.parse(text));
    const sent = encodeRequest({ jsonrpc: "2.0", id: 2, method: call.method, params });
    const received = decodeClientMessage(sent);
    expect(isRequest(received) ? decodeCall(received) : undefined).toEqual(call);
  });

  test("META-08 take reserved keys from the fields, whatever the raw _meta says", () => {
    const call = callOf(withMeta('"progressToken":7,"traceparent":"bad"'));
    const meta = { ...call.meta, progressToken: undefined, protocolVersion: "2030-01-01" };
    expect(encodeParams({ ...call, meta })).toEqual({
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2030-01-01",
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    });
  });

  test("META-02 META-03 META-06 refuse a key that breaks the naming rules", () => {
    const { meta } = callOf(`{${META}}`);
    for (const key of ["1x/a", "a./b", "-a", "a/b/c", "é"]) {
      const call = { method: "a", params: {}, meta: { ...meta, raw: { [key]: 1 } } };
      expect(() => encodeParams(call)).toThrow(
        new TypeError(`_meta key ${JSON.stringify(key)} is malformed`),
      );
    }
  });

  test("META-24 refuse trace context of a bad format", () => {
    const { meta } = callOf(`{${META}}`);
    for (const name of ["traceparent", "tracestate", "baggage"]) {
      const call = { method: "a", params: {}, meta: { ...meta, [name]: "a b" } };
      expect(() => encodeParams(call)).toThrow(new TypeError(`${name} "a b" is malformed`));
    }
  });
});

const EXAMPLES = fileURLToPath(new URL("../../../../../shared/spec/examples", import.meta.url));

describe("the examples of the specification", () => {
  const examples = existsSync(EXAMPLES)
    ? readdirSync(EXAMPLES, { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".json"))
        .map((file) => readFileSync(`${EXAMPLES}/${file}`, "utf8"))
    : [];
  const messages = examples.filter((text) => /^\{\s*"jsonrpc"/.test(text));
  const requests = messages.filter((text) => /"method":/.test(text) && /\n {2}"id":/.test(text));
  const fromServers = messages.filter((text) => !requests.includes(text));

  test.skipIf(examples.length === 0)("RPC-03 requests among them are calls", () => {
    expect(requests.length).toBeGreaterThan(5);
    const decoded = requests.map((text) => decodeClientMessage(text));
    expect(decoded).toEqual(requests.map((text) => JSON.parse(text)));
    const calls = decoded.filter(isRequest).map((request) => decodeCall(request));
    expect(calls.map((call) => call.meta.protocolVersion)).toEqual(calls.map(() => "2026-07-28"));
    expect(calls.map((call) => encodeParams(call))).toEqual(
      decoded.map((request) => request.params),
    );
  });

  test.skipIf(examples.length === 0)(
    "RPC-03 responses and notifications among them are read",
    () => {
      expect(fromServers.length).toBeGreaterThan(10);
      expect(fromServers.map((text) => decodeServerMessage(text))).toEqual(
        fromServers.map((text) => JSON.parse(text)),
      );
    },
  );
});
