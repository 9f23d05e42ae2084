import { expect, test } from "vitest";
import { RpcError } from "../../base/errors.ts";
import { encodeError } from "../../jsonrpc/encode.ts";
import { toErrorObject } from "./error-object.ts";
import {
  headerMismatch,
  internalError,
  invalidParams,
  invalidRequest,
  methodNotFound,
  missingCapability,
  unsupportedVersion,
} from "../errors.ts";

const codeSent = (code: number) => toErrorObject(new RpcError(code, "no")).code;

test.each([
  ["ERR-01 ERR-02 an invalid request", invalidRequest("no"), { code: -32600, message: "no" }],
  [
    "ERR-01 ERR-03 an unknown method",
    methodNotFound("a/b"),
    { code: -32601, message: 'method "a/b" not found' },
  ],
  [
    "ERR-01 ERR-04 invalid params",
    invalidParams("no", { path: "/a" }),
    { code: -32602, message: "no", data: { path: "/a" } },
  ],
  ["ERR-09 ERR-10 a header mismatch", headerMismatch("no"), { code: -32020, message: "no" }],
  [
    "ERR-09 ERR-11 a missing capability",
    missingCapability({ elicitation: { form: {} } }),
    {
      code: -32021,
      message: "the client lacks a capability this request needs",
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    },
  ],
  [
    "ERR-09 ERR-12 an unsupported version",
    unsupportedVersion("1999-01-01", ["2026-07-28"]),
    {
      code: -32022,
      message: 'protocol version "1999-01-01" is not served',
      data: { supported: ["2026-07-28"], requested: "1999-01-01" },
    },
  ],
] as const)("%s is sent as it is", (_case, error, sent) => {
  expect(toErrorObject(error)).toEqual(sent);
  expect(JSON.parse(encodeError(1, toErrorObject(error)))).toEqual({
    jsonrpc: "2.0",
    id: 1,
    error: sent,
  });
});

test("T-11 an internal error shows a reference and nothing of its cause", () => {
  const sent = toErrorObject(internalError("r-1", new Error("secret")));
  expect(sent).toEqual({ code: -32603, message: "Internal error", data: { ref: "r-1" } });
});

test("ERR-05 ERR-08 ERR-15 no code is sent that this revision does not allow", () => {
  const sent = new Set<number>();
  for (let code = -32_099; code <= -32_000; code++) sent.add(codeSent(code));
  expect([...sent].toSorted((a, b) => a - b)).toEqual([-32603, -32602, -32022, -32021, -32020]);
  expect(codeSent(-32042)).toBe(-32603);
});

test("ERR-14 a resource not found is sent as invalid params", () => {
  expect(toErrorObject(new RpcError(-32002, "gone", { data: { uri: "a:b" } }))).toEqual({
    code: -32602,
    message: "gone",
    data: { uri: "a:b" },
  });
});

test("RPC-22 a code that is no integer is sent as an internal error", () => {
  expect([1.5, Number.NaN, Number.POSITIVE_INFINITY].map(codeSent)).toEqual([
    -32603, -32603, -32603,
  ]);
});

test("ERR-18 codes of applications are sent as they are", () => {
  const codes = [0, 1, -1, 404, -31001, -31999, -32100, -32700, -32769, Number.MAX_SAFE_INTEGER];
  expect(codes.map(codeSent)).toEqual(codes);
});

test("RPC-23 data of any type is sent, also null and false", () => {
  const sent = [null, false, 0, "", []].map((data) =>
    toErrorObject(new RpcError(1, "no", { data })),
  );
  expect(sent.map((error) => error.data)).toEqual([null, false, 0, "", []]);
});
