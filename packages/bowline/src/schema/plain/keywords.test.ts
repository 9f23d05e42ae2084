import { describe, expect, test } from "vitest";
/* oxlint-disable unicorn/no-thenable -- the keyword of conditions */
import { compileSchema } from "../compile.ts";
import type { Check } from "./validator.ts";

/** The check as it is from the second value on: synchronous. */
const validator = async (schema: object) => {
  const compiled = compileSchema(schema, { io: "output", label: "x" });
  await compiled.check(undefined);
  return (value: unknown) => compiled.check(value) as Check;
};
const refusing = (schema: object) => () => compileSchema(schema, { io: "output", label: "x" });
const messageOf = async (schema: object, value: unknown) => {
  const check = (await validator(schema))(value);
  return check.ok ? "ok" : check.issues;
};

/** Each keyword with values it accepts and values it refuses. */
const CASES: readonly (readonly [
  keyword: string,
  schema: object,
  good: readonly unknown[],
  bad: readonly unknown[],
])[] = [
  ["type string", { type: "string" }, ["", "a"], [1, null, [], {}, true]],
  ["type integer", { type: "integer" }, [1, 1.0, -3], [1.5, "1", null]],
  ["type number", { type: "number" }, [1, 1.5], ["1", null]],
  ["type boolean", { type: "boolean" }, [true, false], [0, "true", null]],
  ["type null", { type: "null" }, [null], [0, "", false, {}]],
  ["type array", { type: "array" }, [[], [1]], [{}, "", null]],
  ["type object", { type: "object" }, [{}, { a: 1 }], [[], null, ""]],
  ["several types", { type: ["string", "null"] }, ["a", null], [1, {}]],
  ["enum", { enum: [1, "a", null, { a: [1] }] }, [1, "a", null, { a: [1] }], [2, {}, { a: [2] }]],
  ["const", { const: { a: 1, b: [2] } }, [{ b: [2], a: 1 }], [{ a: 1 }, { a: 1, b: [2], c: 3 }]],
  ["const true", { const: true }, [true], [1, "true"]],
  ["multipleOf", { multipleOf: 0.01 }, [0, 0.07, 19.99, 4.35, "x"], [0.075, 1e-12, 19.995]],
  ["minimum", { minimum: 1.1 }, [1.1, 2, "x"], [1.09]],
  ["exclusiveMinimum", { exclusiveMinimum: 1 }, [1.01], [1]],
  ["maximum", { maximum: 3 }, [3], [3.01]],
  ["exclusiveMaximum", { exclusiveMaximum: 3 }, [2.99], [3]],
  ["minLength in code points", { minLength: 2 }, ["ab", "💩💩", 1], ["a", "💩"]],
  ["maxLength in code points", { maxLength: 2 }, ["ab", "💩💩"], ["abc"]],
  ["pattern", { pattern: "^\\p{Lu}$" }, ["Ä", 1], ["ä"]],
  ["pattern without Unicode rules", { pattern: "^[\\w-.]+$" }, ["a-b.c"], ["a b"]],
  ["format is an annotation", { format: "email" }, ["no address"], []],
  ["contentEncoding is an annotation", { contentEncoding: "base64" }, ["%"], []],
  ["required", { required: ["a"] }, [{ a: null }, []], [{}, { b: 1 }]],
  ["properties", { properties: { a: { type: "string" } } }, [{}, { a: "" }, 1], [{ a: 1 }]],
  ["properties false", { properties: { a: false } }, [{}, { b: 1 }], [{ a: 1 }]],
  [
    "patternProperties",
    { patternProperties: { "^n": { type: "number" } } },
    [{ n: 1, a: "" }],
    [{ n: "" }],
  ],
  [
    "additionalProperties",
    { properties: { a: true }, patternProperties: { "^x": true }, additionalProperties: false },
    [{}, { a: 1, x1: 2 }],
    [{ b: 1 }],
  ],
  [
    "additionalProperties schema",
    { additionalProperties: { type: "number" } },
    [{ a: 1 }],
    [{ a: "" }],
  ],
  ["propertyNames", { propertyNames: { maxLength: 2 } }, [{ ab: 1 }, {}], [{ abc: 1 }]],
  ["minProperties", { minProperties: 1 }, [{ a: 1 }, []], [{}]],
  ["maxProperties", { maxProperties: 1 }, [{ a: 1 }], [{ a: 1, b: 2 }]],
  ["dependentRequired", { dependentRequired: { a: ["b"] } }, [{}, { a: 1, b: 2 }, []], [{ a: 1 }]],
  [
    "dependentSchemas",
    { dependentSchemas: { a: { required: ["b"] } } },
    [{}, { a: 1, b: 1 }],
    [{ a: 1 }],
  ],
  ["items", { items: { type: "number" } }, [[], [1, 2], {}], [[1, ""]]],
  ["prefixItems", { prefixItems: [{ type: "number" }], items: false }, [[], [1]], [[""], [1, 2]]],
  ["contains", { contains: { const: 1 } }, [[2, 1]], [[], [2]]],
  ["minContains", { contains: { const: 1 }, minContains: 2 }, [[1, 1]], [[1]]],
  ["minContains 0", { contains: { const: 1 }, minContains: 0 }, [[]], []],
  ["maxContains", { contains: { const: 1 }, maxContains: 1 }, [[1, 2]], [[1, 1]]],
  ["minItems", { minItems: 1 }, [[1]], [[]]],
  ["maxItems", { maxItems: 1 }, [[1]], [[1, 2]]],
  [
    "uniqueItems",
    { uniqueItems: true },
    [
      [1, "1", true, null],
      [{ a: 1 }, { a: 2 }],
      [[1], ["1"]],
      ["[1,]", [1]],
    ],
    [
      [1, 1],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [0, -0],
      [[{ a: 1 }], [{ a: 1 }]],
    ],
  ],
  ["unevaluatedItems", { prefixItems: [true], unevaluatedItems: false }, [[1]], [[1, 2]]],
  [
    "unevaluatedProperties",
    { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
    [{ a: 1 }],
    [{ b: 1 }],
  ],
  ["allOf", { allOf: [{ minimum: 1 }, { maximum: 3 }] }, [2], [0, 4]],
  ["anyOf", { anyOf: [{ type: "string" }, { minimum: 3 }] }, ["", 3], [2]],
  ["oneOf", { oneOf: [{ multipleOf: 2 }, { multipleOf: 3 }] }, [2, 3], [6, 5]],
  ["not", { not: { type: "string" } }, [1], [""]],
  [
    "if, then, else",
    { if: { minimum: 0 }, then: { multipleOf: 2 }, else: { multipleOf: 3 } },
    [2, -3],
    [3, -2],
  ],
  ["then without if", { then: false }, [1], []],
  ["minContains without contains", { minContains: 3 }, [[]], []],
  ["unknown keyword", { "x-mcp-header": "A", minimun: 3 }, [1], []],
  [
    "$defs with $ref",
    { $defs: { a: { type: "string" } }, items: { $ref: "#/$defs/a" } },
    [["a"]],
    [[1]],
  ],
  [
    "$ref beside others",
    { $ref: "#/$defs/a", maxLength: 1, $defs: { a: { type: "string" } } },
    ["a"],
    ["ab", 1],
  ],
  ["$anchor", { $defs: { a: { $anchor: "n", type: "null" } }, $ref: "#n" }, [null], [1]],
  [
    "$id and relative $ref",
    { $id: "https://a.example/x/", $defs: { a: { $id: "b", type: "null" } }, $ref: "/x/b" },
    [null],
    [1],
  ],
  [
    "$dynamicRef to the only anchor",
    { $dynamicAnchor: "n", type: ["array", "null"], items: { $dynamicRef: "#n" } },
    [[[null]]],
    [[1]],
  ],
];

describe("JSCH-01 JSCH-03 JSCH-06 keywords of 2020-12, the dialect of a schema that names none", () => {
  test.each(CASES)("%s", async (_, schema, good, bad) => {
    const check = await validator(schema);
    expect(good.filter((value) => !check(value).ok)).toEqual([]);
    expect(bad.filter((value) => check(value).ok)).toEqual([]);
    const named = await validator({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      ...schema,
    });
    expect(bad.filter((value) => named(value).ok)).toEqual([]);
  });
});

describe("JSCH-06 BR-057 draft-07 by its own rules", () => {
  const draft07 = (schema: object) =>
    validator({ $schema: "http://json-schema.org/draft-07/schema#", ...schema });

  test.each<[string, object, readonly unknown[], readonly unknown[]]>([
    [
      "items as a list, and additionalItems",
      { items: [{ type: "number" }], additionalItems: { type: "string" } },
      [[1, "a"], []],
      [["a"], [1, 2]],
    ],
    [
      "additionalItems without a list says nothing",
      { items: {}, additionalItems: false },
      [[1, 2]],
      [],
    ],
    ["an empty list", { items: [], additionalItems: false }, [[]], [[1]]],
    [
      "dependencies",
      { dependencies: { a: ["b"], c: { required: ["d"] } } },
      [{ a: 1, b: 1 }, {}],
      [{ a: 1 }, { c: 1 }],
    ],
    [
      "$ref alone counts",
      { definitions: { s: { type: "string" } }, items: { $ref: "#/definitions/s", maxLength: 1 } },
      [["long"]],
      [[1]],
    ],
    [
      "later keywords have no meaning",
      {
        prefixItems: [false],
        dependentRequired: { a: ["b"] },
        unevaluatedProperties: false,
        minContains: 2,
      },
      [[1], { a: 1 }],
      [],
    ],
    [
      "$id as an anchor",
      { definitions: { s: { $id: "#s", type: "string" } }, items: { $ref: "#s" } },
      [["a"]],
      [[1]],
    ],
    [
      "a pointer through items",
      { items: [{ type: "string" }, { $ref: "#/items/0" }] },
      [["a", "b"]],
      [["a", 1]],
    ],
  ])("%s", async (_, schema, good, bad) => {
    const check = await draft07(schema);
    expect(good.filter((value) => !check(value).ok)).toEqual([]);
    expect(bad.filter((value) => check(value).ok)).toEqual([]);
  });

  test.each([
    "https://json-schema.org/draft/2020-12/schema",
    "https://json-schema.org/draft/2020-12/schema#",
    "http://json-schema.org/draft-07/schema",
    "http://json-schema.org/draft-07/schema#",
  ])("JSCH-02 $schema %j is supported", async ($schema) => {
    expect((await validator({ $schema, type: "object" }))({})).toEqual({ ok: true, value: {} });
  });

  test.each([
    "https://json-schema.org/draft/2019-09/schema",
    "http://json-schema.org/draft-04/schema#",
    "https://a.example/dialect",
    "",
  ])("JSCH-07 T-60 $schema %j is refused, not skipped", ($schema) => {
    expect(refusing({ $schema, type: "object" })).toThrow(
      `x: $schema ${JSON.stringify($schema)} names an unsupported dialect: 2020-12 and draft-07 are supported`,
    );
  });

  test("two dialects in one schema are refused", () => {
    const inner = { $id: "a", $schema: "http://json-schema.org/draft-07/schema#" };
    expect(refusing({ $defs: { inner } })).toThrow("mixes two dialects");
  });
});

describe("issues are worded for a model to correct the value", () => {
  test.each<[object, unknown, readonly object[]]>([
    [{ required: ["a", "b"] }, {}, [{ path: "", message: 'must have the properties "a", "b"' }]],
    [
      { properties: { a: true }, additionalProperties: false },
      { a: 1, b: 2 },
      [{ path: "", message: 'must not have the property "b"' }],
    ],
    [{ items: { enum: ["C", "F"] } }, ["K"], [{ path: "/0", message: 'must be one of "C", "F"' }]],
    [{ const: 3 }, 4, [{ path: "", message: "must be 3" }]],
    [{ type: ["string", "null"] }, 4, [{ path: "", message: "must be either string or null" }]],
    [{ pattern: "^a" }, "b", [{ path: "", message: 'must match the pattern "^a"' }]],
    [{ multipleOf: 2 }, 3, [{ path: "", message: "must be a multiple of 2" }]],
    [{ uniqueItems: true }, [1, 1], [{ path: "", message: "must not have equal items" }]],
    [
      { propertyNames: { maxLength: 1 } },
      { ab: 1 },
      [
        { path: "/ab", message: "must not have more than 1 characters" },
        { path: "", message: 'must not name the property "ab"' },
      ],
    ],
    [
      { properties: { "a/b~c": { type: "string" } } },
      { "a/b~c": 1 },
      [{ path: "/a~1b~0c", message: "must be string" }],
    ],
    [
      { anyOf: [{ type: "string" }, { minimum: 3 }] },
      1,
      [
        { path: "", message: "must be string" },
        { path: "", message: "must be >= 3" },
        { path: "", message: "must match one of the alternatives" },
      ],
    ],
    [
      { properties: { a: { $ref: "#/$defs/n" } }, $defs: { n: { type: "null" } } },
      { a: 1 },
      [{ path: "/a", message: "must be null" }],
    ],
  ])("%j with %j", async (schema, value, issues) => {
    expect(await messageOf(schema, value)).toEqual(issues);
  });

  test("long texts are cut", async () => {
    const issues = await messageOf({ enum: ["x".repeat(2_000)] }, 1);
    expect(issues).toEqual([{ path: "", message: `must be one of "${"x".repeat(496)}…` }]);
  });
});
