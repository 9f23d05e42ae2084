import { DecodeError } from "../base/errors.ts";
import { JSON_LIMITS, type JsonLimits } from "../base/limits.ts";
import { takeCensus } from "./census.ts";
import { hasUnsafeLiteral } from "./literal.ts";
import { scanJson } from "./scan.ts";
import type { JsonValue } from "./value.ts";
import { isWellFormed, isWellFormedJson } from "./well-formed.ts";

export interface ParsedJson {
  readonly value: JsonValue;
  /** The decoded document, for questions the value no longer answers. */
  readonly text: string;
  /** Some number is written with a fraction or an exponent. */
  readonly hasFraction: boolean;
  /** An integer literal lies beyond ±(2⁵³ − 1): the value may not be what was written. */
  readonly hasUnsafeInteger: boolean;
}

/** Both are stateless as used here. A byte order mark is kept, and the parser then refuses it. */
const DECODER: TextDecoder = /* @__PURE__ */ new TextDecoder("utf-8", {
  fatal: true,
  ignoreBOM: true,
});
const ENCODER: TextEncoder = /* @__PURE__ */ new TextEncoder();

/**
 * Parses one JSON document of a peer, given as bytes or as text decoded before.
 *
 * Throws `LimitError` where it is too deep or has too many values or members, and `DecodeError` where
 * it is not UTF-8 or not JSON, starts with a byte order mark, names a member twice in one object, holds
 * an unpaired surrogate, or a number too large to represent.
 */
export function parseJson(
  source: Uint8Array | string,
  limits: JsonLimits = JSON_LIMITS,
): ParsedJson {
  const scan = scanJson(typeof source === "string" ? encodeText(source) : source, limits);
  const text = typeof source === "string" ? source : decodeText(source);
  const value = parseText(text);
  // In valid JSON each colon outside strings is one member, and a name that repeats loses one key.
  const census = takeCensus(value);
  if (census.keys !== scan.members) throw new DecodeError("an object names a member twice");
  if (!census.isFinite) throw new DecodeError("a number is too large");
  // Valid UTF-8 holds no surrogates: only an escape can have brought one.
  if (text.includes("\\u") && !isWellFormedJson(value)) throw unpairedSurrogate();
  return {
    value,
    text,
    hasFraction: scan.hasFraction,
    hasUnsafeInteger: census.isBeyondSafe && hasUnsafeLiteral(text),
  };
}

function encodeText(text: string): Uint8Array {
  if (!isWellFormed(text)) throw unpairedSurrogate();
  return ENCODER.encode(text);
}

function decodeText(bytes: Uint8Array): string {
  try {
    return DECODER.decode(bytes);
  } catch (cause) {
    throw new DecodeError("the text is not valid UTF-8", { cause });
  }
}

function parseText(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DecodeError("the text is not valid JSON", { cause });
  }
}

function unpairedSurrogate(): DecodeError {
  return new DecodeError("a string holds an unpaired surrogate");
}
