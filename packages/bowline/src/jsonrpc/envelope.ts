import { MAX_ID_BYTES, MAX_PARAMS_MEMBERS } from "../base/limits.ts";
import { fitsBytes } from "../base/bytes.ts";
import { guardNames, type NameGuard } from "../json/fold.ts";
import { numberLiteralOf } from "../json/literal.ts";
import type { ParsedJson } from "../json/parse.ts";
import type { JsonObject, JsonValue } from "../json/value.ts";
import type { RequestId } from "./message.ts";

/** The own members of a message's outermost object, before their types are known. */
export interface Envelope {
  readonly jsonrpc: JsonValue | undefined;
  readonly id: JsonValue | undefined;
  readonly method: JsonValue | undefined;
  readonly params: JsonValue | undefined;
  readonly result: JsonValue | undefined;
  readonly error: JsonValue | undefined;
  /** A member could be mistaken for one of these or is called `__proto__`, or there are too many to tell. */
  readonly isSuspect: boolean;
}

const GUARD: NameGuard = /* @__PURE__ */ guardNames([
  "jsonrpc",
  "id",
  "method",
  "params",
  "result",
  "error",
]);

export function openEnvelope(message: JsonObject): Envelope {
  let jsonrpc: JsonValue | undefined;
  let id: JsonValue | undefined;
  let method: JsonValue | undefined;
  let params: JsonValue | undefined;
  let result: JsonValue | undefined;
  let error: JsonValue | undefined;
  const names = Object.keys(message);
  let isSuspect = names.length > MAX_PARAMS_MEMBERS;
  if (isSuspect) names.length = MAX_PARAMS_MEMBERS;
  for (const name of names) {
    switch (name) {
      case "jsonrpc":
        jsonrpc = message["jsonrpc"];
        break;
      case "id":
        id = message["id"];
        break;
      case "method":
        method = message["method"];
        break;
      case "params":
        params = message["params"];
        break;
      case "result":
        result = message["result"];
        break;
      case "error":
        error = message["error"];
        break;
      default:
        if (!GUARD.isPlain(name)) isSuspect = true;
    }
  }
  return { jsonrpc, id, method, params, result, error, isSuspect };
}

/**
 * The id of a message, if it is one: a string of 1 to 256 bytes, or a safe integer written in digits.
 *
 * `1.0`, `1e0` and `-0` are no ids: their echo would be written differently.
 */
export function requestIdOf(id: JsonValue | undefined, parsed: ParsedJson): RequestId | undefined {
  if (typeof id === "string") return id !== "" && fitsBytes(id, MAX_ID_BYTES) ? id : undefined;
  if (typeof id !== "number" || !Number.isSafeInteger(id) || Object.is(id, -0)) return undefined;
  if (parsed.hasFraction && numberLiteralOf(parsed.text, "id") !== String(id)) return undefined;
  return id;
}
