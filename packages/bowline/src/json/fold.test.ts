import * as fc from "fast-check";
import { expect, test } from "vitest";
import { guardNames } from "./fold.ts";

const KNOWN = ["id", "method", "requestState", "io.modelcontextprotocol/protocolVersion"];
const guard = guardNames(KNOWN);

const FULL_WIDTH = (name: string) =>
  name.replaceAll(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));

test("T-02 known names themselves are plain", () => {
  expect(KNOWN.filter((name) => !guard.isPlain(name))).toEqual([]);
});

test.each([
  ["other case", "Method"],
  ["all capitals", "REQUESTSTATE"],
  ["all small", "requeststate"],
  ["a trailing NUL", "method\u0000"],
  ["a NUL inside", "met\u0000hod"],
  ["a zero-width joiner", "met\u200dhod"],
  ["a soft hyphen", "me\u00adthod"],
  ["a byte order mark", "\ufeffmethod"],
  ["a tag character", "method\u{e0041}"],
  ["a long s", "reque\u017ftState"],
  ["a dotless i", "\u0131d"],
  ["full width letters", FULL_WIDTH("method")],
  ["mathematical letters", "\u{1d426}ethod"],
  ["a long s in a prefix", "io.modelcontextprotocol/protocolVer\u017fion"],
])("T-02 a name that differs by %s is not plain", (_difference, name) => {
  expect(guard.isPlain(name)).toBe(false);
});

test("T-02 the Kelvin sign is a k", () => {
  expect(guardNames(["task"]).isPlain("tas\u212a")).toBe(false);
});

test("T-03 __proto__ is never plain, constructor is", () => {
  expect(guard.isPlain("__proto__")).toBe(false);
  expect(["constructor", "toString", "prototype"].every((name) => guard.isPlain(name))).toBe(true);
});

test.each([
  "",
  "ids",
  "i d",
  "x-method",
  "com.example/Method",
  "méthod",
  "методы",
  "x".repeat(5_000),
])("T-02 an unrelated name is plain: %s", (name) => {
  expect(guard.isPlain(name)).toBe(true);
});

test("T-02 a name is not folded beyond a length, but refused", () => {
  expect(guard.isPlain(`${"\u0000".repeat(2_000)}id`)).toBe(false);
});

test("T-02 every change of case of every known name is caught", () => {
  const disguised = fc
    .constantFrom(...KNOWN)
    .chain((name) =>
      fc
        .array(fc.boolean(), { minLength: name.length, maxLength: name.length })
        .map((upper) =>
          Array.from(name, (letter, index) =>
            upper[index] === true ? letter.toUpperCase() : letter.toLowerCase(),
          ).join(""),
        ),
    );
  fc.assert(
    fc.property(disguised, (name) => {
      expect(guard.isPlain(name)).toBe(KNOWN.includes(name));
    }),
  );
});
