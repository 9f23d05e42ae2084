import { MAX_PARAMS_MEMBERS } from "../base/limits.ts";
import { guardNames, type NameGuard } from "../json/fold.ts";
import type { JsonObject } from "../json/value.ts";
import type { JsonRpcRequest } from "../jsonrpc/message.ts";
import { refuseMisleadingNames } from "./request/checks.ts";
import { decodeMeta, encodeMeta } from "./request/meta.ts";
import { invalidParams } from "./errors.ts";
import type { Meta } from "./meta.ts";

/** All that is needed to answer one request. Nothing is remembered between calls. */
export interface Call {
  readonly method: string;
  /** The request's `params` without `_meta`. */
  readonly params: JsonObject;
  readonly meta: Meta;
}

/** Every member some method of the specification has in its `params`. */
const GUARD: NameGuard = /* @__PURE__ */ guardNames([
  "_meta",
  "name",
  "arguments",
  "uri",
  "cursor",
  "ref",
  "argument",
  "context",
  "notifications",
  "inputResponses",
  "requestState",
]);

/**
 * Turns a request into the call it makes.
 *
 * Throws the `RpcError` to answer with: -32602 where `_meta` or a compulsory field of it is missing, or
 * a known field is malformed; -32600 where a member could be mistaken for a known one.
 */
export function decodeCall(request: JsonRpcRequest): Call {
  const given = Object.hasOwn(request, "params") ? request.params : undefined;
  if (given === undefined) throw invalidParams("params._meta is missing");
  const names = Object.keys(given);
  if (names.length > MAX_PARAMS_MEMBERS) throw invalidParams("params has too many members");
  refuseMisleadingNames(names, GUARD, "params");
  const { _meta: raw, ...params } = given;
  return {
    method: request.method,
    params,
    meta: decodeMeta(Object.hasOwn(given, "_meta") ? raw : undefined),
  };
}

/**
 * The `params` of a request that makes this call.
 *
 * Throws `TypeError` where a key of `meta.raw` does not follow the naming rules. Reserved keys are taken
 * from the named fields of `meta` alone.
 */
export function encodeParams(call: Call): JsonObject {
  return { ...call.params, _meta: encodeMeta(call.meta) };
}
