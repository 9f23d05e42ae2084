import type { JsonObject, JsonValue } from "../json/value.ts";

/** Members every result may carry; the rest depends on the method. */
export interface Result {
  readonly resultType: string;
  readonly _meta?: JsonObject | undefined;
  readonly [member: string]: unknown;
}

/** A result that is final. */
export interface CompleteResult extends Result {
  readonly resultType: "complete";
}

export type ResultMember = JsonValue | undefined;

const ENCODED: unique symbol = Symbol("bowline.encoded");

/**
 * Attaches the JSON text of a result that is sent many times, so that a transport only adds the id.
 * The member is not enumerable: a middleware that spreads the result gets one without it.
 */
export function withEncoding<R extends Result>(result: R, encoding: EncodedResult): R {
  Object.defineProperty(result, ENCODED, { value: encoding });
  return result;
}

interface Encodable {
  readonly [ENCODED]?: EncodedResult;
}

/** JSON text of a whole result, as text and as UTF-8. */
export interface EncodedResult {
  readonly text: string;
  readonly bytes: Uint8Array;
}

export function encodingOf(result: Result & Encodable): EncodedResult | undefined {
  return result[ENCODED];
}
