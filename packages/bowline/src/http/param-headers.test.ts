import { mirroredArgument } from "../protocol/header-parameters.ts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../json/value.ts";
import type { HeaderParameter } from "../protocol/header-parameters.ts";
import {
  decodeHeaderValue,
  encodeHeaderValue,
  equalsArgument,
  formatArgument,
  paramHeaderName,
} from "./param-headers.ts";

const wellFormed = fc.string({ unit: "binary", maxLength: 60 }).filter((text) => !hasLone(text));
const hasLone = (text: string): boolean => /\p{Surrogate}/u.test(text);
const base64 = (text: string): string => Buffer.from(text, "utf8").toString("base64");

describe("values of mirrored headers", () => {
  test.each([
    ["us-west1", "us-west1"],
    ["Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="],
    [" padded ", "=?base64?IHBhZGRlZCA=?="],
    ["line1\nline2", "=?base64?bGluZTEKbGluZTI=?="],
    ["=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="],
    ["", ""],
    ["a b\tc", "a b\tc"],
    ["\t", "=?base64?CQ==?="],
    ["=?base64?", "=?base64?"],
    ["=?BASE64?eA==?=", "=?BASE64?eA==?="],
    ["\u{feff}x", "=?base64?77u/eA==?="],
    ["\u007f", "=?base64?fw==?="],
  ])("XHDR-19 XHDR-20 XHDR-21 HDR-11 BR-113 writes %j as %j", (text, value) => {
    expect(encodeHeaderValue(text)).toBe(value);
    expect(decodeHeaderValue(value)).toBe(text);
  });

  test("T-23 T-25 BR-113 every text comes back, and only safe bytes reach the wire", () => {
    fc.assert(
      fc.property(wellFormed, (text) => {
        const value = encodeHeaderValue(text);
        expect(value).toMatch(/^[\t\x20-\x7e]*$/);
        expect(decodeHeaderValue(value)).toBe(text);
      }),
    );
  });

  test("T-23 Base64 in any but its one canonical form stands for nothing", () => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_ \t.";
    const change = fc.record({
      at: fc.nat(),
      by: fc.constantFrom(...alphabet.split(""), ""),
      insert: fc.boolean(),
    });
    fc.assert(
      fc.property(wellFormed, change, (text, { at, by, insert }) => {
        const canonical = base64(text);
        const index = at % (canonical.length + 1);
        const changed = canonical.slice(0, index) + by + canonical.slice(index + (insert ? 0 : 1));
        fc.pre(changed !== canonical);
        expect(decodeHeaderValue(`=?base64?${changed}?=`)).not.toBe(text);
      }),
    );
  });

  test.each([
    ["missing padding", "=?base64?SGVsbG8?="],
    ["padding of the wrong length", "=?base64?SGVsbG8==?="],
    ["too much padding", "=?base64?SGVsbA====?="],
    ["the URL-safe alphabet", "=?base64?_-8=?="],
    ["a space inside", "=?base64?SGVs bG8=?="],
    ["a space at the end", "=?base64?SGVsbG8= ?="],
    ["trailing bits that are not zero", "=?base64?SGVsbG9=?="],
    ["overlong UTF-8", "=?base64?wIA=?="],
    ["UTF-8 that ends early", "=?base64?4oI=?="],
    ["an encoded surrogate", "=?base64?7aCA?="],
    ["an 8-bit byte", "caf\u00e9"],
    ["a control byte", "a\u0001b"],
    ["DEL", "a\u007f"],
  ])("T-23 XHDR-27 HDR-20 BR-113 refuses %s", (_, value) => {
    expect(decodeHeaderValue(value)).toBeUndefined();
  });

  test.each([
    ["=?Base64?SGVsbG8=?=", "=?Base64?SGVsbG8=?="],
    ["=?base64?SGVsbG8=", "=?base64?SGVsbG8="],
    ["SGVsbG8=?=", "SGVsbG8=?="],
    ["x=?base64?SGVsbG8=?=", "x=?base64?SGVsbG8=?="],
    ["=?base64?=", "=?base64?="],
    ["  \tspaced\t ", "spaced"],
  ])("T-23 takes %j for the literal %j", (value, text) => {
    expect(decodeHeaderValue(value)).toBe(text);
  });

  test("an encoded plain text is read too: senders may encode more than they must", () => {
    expect(decodeHeaderValue("=?base64?SGVsbG8=?=")).toBe("Hello");
    expect(decodeHeaderValue("=?base64??=")).toBe("");
  });

  test("a text with an unpaired surrogate is refused, not replaced", () => {
    expect(() => encodeHeaderValue("\ud800")).toThrow(TypeError);
    expect(() => encodeHeaderValue("a\udc00b")).toThrow(TypeError);
  });

  test("T-23 arbitrary header text never makes the decoder throw", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        for (const value of [text, `=?base64?${text}?=`]) {
          expect(["string", "undefined"]).toContain(typeof decodeHeaderValue(value));
        }
      }),
    );
  });
});

describe("arguments in headers", () => {
  const parameter = (...path: string[]): HeaderParameter => ({ name: "X", path, type: "string" });

  test("is named after the annotation", () => {
    expect(paramHeaderName({ name: "Region", path: ["region"], type: "string" })).toBe(
      "Mcp-Param-Region",
    );
  });

  test.each<[string, JsonValue | undefined, string[], JsonValue | undefined]>([
    ["a value", { a: "v" }, ["a"], "v"],
    ["a nested value", { a: { b: 1 } }, ["a", "b"], 1],
    ["false", { a: false }, ["a"], false],
    ["an empty text", { a: "" }, ["a"], ""],
    ["null", { a: null }, ["a"], undefined],
    ["an absent member", {}, ["a"], undefined],
    ["no arguments", undefined, ["a"], undefined],
    ["an array on the way", { a: ["v"] }, ["a", "0"], undefined],
    ["a text on the way", { a: "v" }, ["a", "length"], undefined],
    ["an inherited member", {}, ["constructor"], undefined],
    ["an own __proto__", JSON.parse('{"__proto__":"v"}') as JsonValue, ["__proto__"], "v"],
  ])("XHDR-11 XHDR-31 XHDR-32 T-03 finds %s", (_, args, path, found) => {
    expect(mirroredArgument(parameter(...path), args)).toEqual(found);
  });

  test.each<[JsonValue, string | undefined]>([
    ["text", "text"],
    [42, "42"],
    [-7, "-7"],
    [true, "true"],
    [false, "false"],
    [2 ** 53, undefined],
    [1.5, undefined],
    [["x"], undefined],
    [{ x: 1 }, undefined],
  ])("XHDR-17 XHDR-08 formats %j as %j", (value, text) => {
    expect(formatArgument(value)).toBe(text);
  });

  test.each<[string, JsonValue, boolean]>([
    ["42", 42, true],
    ["42.0", 42, true],
    ["4.2e1", 42, true],
    ["-0", 0, true],
    ["042", 42, false],
    ["+42", 42, false],
    ["0x2a", 42, false],
    ["42 ", 42, false],
    ["", 0, false],
    ["42", "42", true],
    ["42.0", "42", false],
    ["9007199254740992", 2 ** 53, false],
    ["9007199254740991", 2 ** 53 - 1, true],
    ["1.5", 1.5, false],
    ["true", true, true],
    ["True", true, false],
    ["1", true, false],
    ["x", ["x"], false],
    ["[object Object]", {}, false],
  ])("HDR-15 XHDR-08 T-21 compares %j with %j: %j", (text, value, equal) => {
    expect(equalsArgument(text, value)).toBe(equal);
  });
});
