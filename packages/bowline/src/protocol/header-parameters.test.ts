import { describe, expect, test } from "vitest";
import { DecodeError } from "../base/errors.ts";
import type { JsonObject } from "../json/value.ts";
import { headerParametersOf } from "./header-parameters.ts";

const marked = (name: unknown, more: JsonObject = { type: "string" }) =>
  ({ ...more, "x-mcp-header": name }) as JsonObject;
const object = (properties: JsonObject): JsonObject => ({ type: "object", properties });
const faultOf = (schema: JsonObject): string => {
  try {
    headerParametersOf(schema);
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
  return "accepted";
};

describe("arguments mirrored in headers", () => {
  test("XHDR-01 XHDR-09 marks are found through properties, in order, at any depth", () => {
    const schema = object({
      region: marked("Region"),
      limits: object({ rows: marked("Max-Rows", { type: "integer" }), other: { type: "number" } }),
      dryRun: marked("Dry.Run", { type: "boolean" }),
    });
    expect(headerParametersOf(schema)).toEqual([
      { name: "Region", path: ["region"], type: "string" },
      { name: "Max-Rows", path: ["limits", "rows"], type: "integer" },
      { name: "Dry.Run", path: ["dryRun"], type: "boolean" },
    ]);
  });

  test("a schema without marks has none", () => {
    expect(headerParametersOf({ type: "object", additionalProperties: false })).toEqual([]);
  });

  test("a property called like the annotation is a property", () => {
    expect(headerParametersOf(object({ "x-mcp-header": { type: "string" } }))).toEqual([]);
    expect(headerParametersOf(object({ properties: marked("A") }))).toEqual([
      { name: "A", path: ["properties"], type: "string" },
    ]);
  });

  test("what a value holds is no annotation", () => {
    const value = { "x-mcp-header": "A" };
    const schema = object({
      a: { const: value, enum: [value], default: value, examples: [value] },
    });
    expect(headerParametersOf(schema)).toEqual([]);
  });

  test.each([
    ["XHDR-03", ""],
    ["XHDR-04", "a b"],
    ["XHDR-04", "a:b"],
    ["XHDR-04", "ä"],
    ["XHDR-04", "a/b"],
    ["XHDR-05 T-25", "a\r\nX-Evil: 1"],
    ["XHDR-05", "a\u0000"],
    ["XHDR-05", "a\n"],
    ["XHDR-04", 3],
    ["XHDR-04", null],
  ])("%s refuses the name %j", (_, name) => {
    expect(faultOf(object({ a: marked(name) }))).toBe(
      `x-mcp-header ${JSON.stringify(name)} is not the name of a header, at #/properties/a`,
    );
  });

  test("XHDR-06 T-25 refuses a name used twice, ignoring case", () => {
    const schema = object({ a: marked("Region"), b: object({ c: marked("REGION") }) });
    expect(faultOf(schema)).toBe('x-mcp-header "REGION" is used twice, at #');
  });

  test.each<JsonObject>([
    { type: "number" },
    { type: "object" },
    { type: "array" },
    { type: "null" },
    { type: ["string", "null"] },
    {},
    { enum: ["a"] },
  ])("XHDR-07 T-25 refuses a mark on %j", (schema) => {
    expect(faultOf(object({ a: marked("A", schema) }))).toBe(
      'x-mcp-header "A" marks an argument whose type is not string, integer or boolean, at #/properties/a',
    );
  });

  const MARK = marked("A");
  test.each<[string, JsonObject]>([
    ["the root", { ...object({}), "x-mcp-header": "A" }],
    ["items", object({ a: { type: "array", items: MARK } })],
    ["properties below items", object({ a: { items: object({ b: MARK }) } })],
    ["prefixItems", object({ a: { prefixItems: [MARK] } })],
    ["contains", object({ a: { contains: MARK } })],
    ["anyOf", object({ a: { anyOf: [MARK] } })],
    ["oneOf", { type: "object", oneOf: [object({ a: MARK })] }],
    ["allOf", { type: "object", allOf: [object({ a: MARK })] }],
    ["not", object({ a: { not: MARK } })],
    ["if", { type: "object", if: object({ a: MARK }) }],
    // oxlint-disable-next-line unicorn/no-thenable -- the keyword
    ["then", { type: "object", then: object({ a: MARK }) }],
    ["else", { type: "object", else: object({ a: MARK }) }],
    ["$defs", { ...object({ a: { $ref: "#/$defs/a" } }), $defs: { a: MARK } }],
    ["definitions", { ...object({}), definitions: { a: object({ b: MARK }) } }],
    ["patternProperties", { type: "object", patternProperties: { a: MARK } }],
    ["additionalProperties", { type: "object", additionalProperties: MARK }],
    ["dependentSchemas", { type: "object", dependentSchemas: { a: object({ b: MARK }) } }],
    ["an unknown keyword", object({ a: { "x-more": { properties: { b: MARK } } } })],
  ])("XHDR-09 XHDR-10 T-25 refuses a mark that is reached through %s", (_, schema) => {
    expect(faultOf(schema)).toMatch(/^x-mcp-header "A" marks no argument of its own, at #/);
  });

  test("T-25 refuses more than 32 marks", () => {
    const properties = (count: number) =>
      object(
        Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, marked(`P${i}`)])),
      );
    expect(headerParametersOf(properties(32))).toHaveLength(32);
    expect(faultOf(properties(33))).toBe(
      "more than 32 parameters have x-mcp-header, at #/properties/p32",
    );
  });
});
