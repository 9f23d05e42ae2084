/** URI templates: what a match says expands to a URI with the same match, and no input makes either slow or throw. */
import { deepStrictEqual, notStrictEqual, strictEqual } from "node:assert";
import * as fc from "fast-check";
import { expandUriTemplate } from "../packages/bowline/dist/uri/expand.js";
import { matchUriTemplate } from "../packages/bowline/dist/uri/match.js";
import { parseUriTemplate } from "../packages/bowline/dist/uri/template.js";

const OPERATORS = ["", "+", "#", ".", "/", ";", "?", "&"];
const LITERALS = ["/", ".", "-", "file:///", "~", "x", "%20", ""];

export function uri() {
  const expression = fc
    .tuple(
      fc.constantFrom(...OPERATORS),
      fc.uniqueArray(fc.constantFrom("a", "b", "c", "d*", "e*", "f:3"), {
        minLength: 1,
        maxLength: 3,
      }),
    )
    .map(([operator, names]) => `{${operator}${names.join(",")}}`);
  const template = fc
    .array(fc.oneof(expression, fc.constantFrom(...LITERALS)), { maxLength: 6 })
    .map((parts) => parts.join(""))
    .filter(namesOnce);
  const text = fc
    .string({ unit: "binary", maxLength: 6 })
    .filter((value) => value.isWellFormed?.() ?? true);
  const values = fc.record({
    a: text,
    b: text,
    c: text,
    d: fc.array(text, { maxLength: 3 }),
    e: fc.array(text, { maxLength: 3 }),
    f: text,
  });
  const alien = fc.oneof(fc.webUrl(), fc.string(), fc.stringMatching(/^[a-z/.,;?&=%0-9]{0,40}$/));
  return fc.property(template, values, alien, (source, variables, other) => {
    const parsed = parseUriTemplate(source);
    assertStable(parsed, expandUriTemplate(parsed, variables));
    assertStable(parsed, other);
    const single = parseUriTemplate("note:///{a}");
    if (variables.a === "") return;
    const match = matchUriTemplate(single, expandUriTemplate(single, variables));
    notStrictEqual(match, undefined);
    strictEqual(match.a, variables.a);
  });
}

/** A name that stands twice, once where it may be absent, has no single reading. */
function namesOnce(source) {
  const names = source.match(/[a-f](?=[,*:}])/g) ?? [];
  return new Set(names).size === names.length;
}

function assertStable(template, text) {
  const match = matchUriTemplate(template, text);
  if (match === undefined) return;
  const again = matchUriTemplate(template, expandUriTemplate(template, match));
  deepStrictEqual(again, match);
}
