import { encodeBase64 } from "../base/base64.ts";
import { trimWhitespace } from "../base/whitespace.ts";
import type { JsonValue } from "../json/value.ts";
import type { HeaderParameter } from "../protocol/header-parameters.ts";
import { isPlainFieldValue } from "./field-value.ts";

const OPEN = "=?base64?";
const CLOSE = "?=";
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * A text as the value of `Mcp-Name` or `Mcp-Param-*`: as it is where a header can carry it, in Base64
 * between markers otherwise. Throws a `TypeError` for a text with an unpaired surrogate.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#value-encoding
 */
export function encodeHeaderValue(text: string): string {
  if (isPlainFieldValue(text) && !isMarked(text)) return text;
  if (hasLoneSurrogate(text)) throw new TypeError("a text with an unpaired surrogate has no UTF-8");
  return OPEN + encodeBase64(new TextEncoder().encode(text)) + CLOSE;
}

/**
 * The text a header value stands for; undefined where the value breaks the rules: a byte outside
 * visible ASCII, or Base64 that is not the canonical form of valid UTF-8.
 */
export function decodeHeaderValue(value: string): string | undefined {
  const text = trimWhitespace(value);
  if (!isPlainFieldValue(text)) return undefined;
  if (!isMarked(text)) return text;
  const base64 = text.slice(OPEN.length, -CLOSE.length);
  try {
    const bytes = fromBase64(base64);
    // Only the canonical form: other texts for the same bytes would tell two parties two things.
    if (encodeBase64(bytes) !== base64) return undefined;
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Not Base64, or not UTF-8: the caller refuses the header.
    return undefined;
  }
}

/** Name of the header that mirrors a parameter. */
export function paramHeaderName(parameter: HeaderParameter): string {
  return `Mcp-Param-${parameter.name}`;
}

/** The header value for an argument; undefined for a value that no header can mirror. */
export function formatArgument(value: JsonValue): string | undefined {
  if (typeof value === "string") return encodeHeaderValue(value);
  if (typeof value === "boolean") return String(value);
  return typeof value === "number" && Number.isSafeInteger(value) ? String(value) : undefined;
}

/** Whether a decoded header value says the same as the argument in the body. */
export function equalsArgument(text: string, value: JsonValue): boolean {
  if (typeof value === "string") return text === value;
  if (typeof value === "boolean") return text === String(value);
  // Beyond the safe range two different integers look the same.
  return Number.isSafeInteger(value) && NUMBER.test(text) && Number(text) === value;
}

function isMarked(text: string): boolean {
  return text.length >= OPEN.length + CLOSE.length && text.startsWith(OPEN) && text.endsWith(CLOSE);
}

function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}

function fromBase64(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0));
}
