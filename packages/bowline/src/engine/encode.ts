import { utf8Length } from "../base/bytes.ts";
import { LimitError } from "../base/errors.ts";
import { JSON_LIMITS, MAX_ENGINE_MESSAGE_BYTES, MAX_ENGINE_VALUE_BYTES } from "../base/limits.ts";
import type { JsonValue } from "../json/value.ts";
import { isWellFormed } from "../json/well-formed.ts";

/** A value as it is stored or sent. */
export interface EncodedValue {
  readonly text: string;
  /** Of the text in UTF-8. */
  readonly bytes: number;
}

/**
 * The JSON text of a value or an item.
 *
 * Throws a `TypeError` for what JSON cannot say, instead of leaving it out as `JSON.stringify` does
 * (members that are `undefined` are left out, as their type allows), and a `LimitError` for what is
 * too large or too deep, a circle included.
 */
export function encodeValue(value: JsonValue): EncodedValue {
  return encode(value, "maxValueBytes", MAX_ENGINE_VALUE_BYTES);
}

/** The same for a message, which is smaller. */
export function encodeMessage(message: JsonValue): EncodedValue {
  return encode(message, "maxMessageBytes", MAX_ENGINE_MESSAGE_BYTES);
}

/** A copy of what was encoded. */
export function decodeText(text: string): JsonValue {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the text was written by `encode`
  return JSON.parse(text) as JsonValue;
}

function encode(value: JsonValue, limit: string, max: number): EncodedValue {
  const size: Size = { least: 0, limit, max };
  inspect(value, size, 0);
  const text = JSON.stringify(value);
  const bytes = utf8Length(text);
  if (bytes > max) throw tooLarge(size);
  return { text, bytes };
}

/** What the text takes at least. Ends the walk before a value that branches without end is written out. */
interface Size {
  least: number;
  readonly limit: string;
  readonly max: number;
}

function inspect(value: unknown, size: Size, depth: number): void {
  switch (typeof value) {
    case "string":
      inspectText(value, size);
      return;
    case "number":
      if (!Number.isFinite(value)) throw notJson(String(value));
      grow(size, 1);
      return;
    case "boolean":
      grow(size, 4);
      return;
    case "object":
      if (value === null) grow(size, 4);
      else inspectInside(value, size, depth + 1);
      return;
    case "bigint":
    case "function":
    case "symbol":
    case "undefined":
      throw notJson(typeof value);
  }
}

function inspectInside(value: object, size: Size, depth: number): void {
  if (depth > JSON_LIMITS.maxJsonDepth) {
    const { maxJsonDepth } = JSON_LIMITS;
    throw new LimitError("maxJsonDepth", maxJsonDepth, `nested deeper than ${maxJsonDepth} levels`);
  }
  grow(size, 2);
  if (Array.isArray(value)) {
    // By index: an iterator would end where the array does, and holes are to be seen.
    for (let index = 0; index < value.length; index++) inspect(value[index], size, depth);
    return;
  }
  if (!isPlain(value)) throw notJson("an object with a class");
  for (const [name, item] of Object.entries(value)) {
    if (item === undefined) continue;
    inspectText(name, size);
    inspect(item, size, depth);
  }
}

function inspectText(text: string, size: Size): void {
  grow(size, text.length + 2);
  if (!isWellFormed(text)) throw notJson("a text with an unpaired surrogate");
}

/** Made by `{}`, by a parser or without a prototype, here or in another realm. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function grow(size: Size, bytes: number): void {
  size.least += bytes;
  if (size.least > size.max) throw tooLarge(size);
}

const tooLarge = ({ limit, max }: Size): LimitError =>
  new LimitError(limit, max, `larger than ${max} bytes as JSON text`);

const notJson = (what: string): TypeError =>
  new TypeError(`the value holds ${what}, which is not JSON`);
