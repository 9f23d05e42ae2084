/**
 * The bounded JSON parse against a slow, plain reference: what one refuses the other refuses, and what both accept is the
 * same value.
 */
import { deepStrictEqual, ok, strictEqual } from "node:assert";
import * as fc from "fast-check";
import { DecodeError, LimitError } from "../packages/bowline/dist/base/errors.js";
import { parseJson } from "../packages/bowline/dist/json/parse.js";
import { readReference } from "./json-reference.mjs";

const LIMITS = { maxJsonDepth: 12, maxJsonNodes: 200, maxJsonMembers: 60 };
const FRAGMENTS = [
  ...Array.from('{}[],:"\\ \n\t-+.eE0123456789'),
  "true",
  "null",
  '"a":',
  '"\\u0061":1,',
  '"a":1,',
  "\\ud800",
  "\\udc00",
  "\\ud83d\\ude00",
  "__proto__",
  "1e999",
  "9007199254740993",
  "\u{feff}",
  "é",
  "😀",
];

export function json() {
  const text = fc.oneof(
    fc.json({ maxDepth: 14 }),
    fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 40 }).map((parts) => parts.join("")),
    fc.tuple(fc.json(), fc.nat(), fc.constantFrom(...FRAGMENTS)).map(insert),
  );
  const bytes = fc.tuple(text, fc.option(fc.tuple(fc.nat(), fc.nat(255)), { freq: 5 })).map(spoil);
  return fc.property(bytes, (input) => {
    const expected = readReference(input, LIMITS);
    const found = attempt(() => parseJson(input, LIMITS).value);
    strictEqual(
      "value" in found,
      "value" in expected,
      `${expected.reason ?? "reads"}: ${String(found.error)}`,
    );
    if ("value" in expected) return deepStrictEqual(found.value, expected.value);
    return ok(DecodeError.is(found.error) || LimitError.is(found.error), String(found.error));
  });
}

function insert([text, at, fragment]) {
  const position = at % (text.length + 1);
  return text.slice(0, position) + fragment + text.slice(position);
}

function spoil([text, change]) {
  const bytes = new TextEncoder().encode(text);
  if (change !== null && bytes.length > 0) bytes[change[0] % bytes.length] = change[1];
  return bytes;
}

function attempt(run) {
  try {
    return { value: run() };
  } catch (error) {
    return { error };
  }
}
