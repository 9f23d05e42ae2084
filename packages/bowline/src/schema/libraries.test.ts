import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import { Type } from "typebox";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import * as mini from "zod/mini";
import * as z3 from "zod/v3";
import { compileSchema } from "./compile.ts";
import type { Schema } from "./schema.ts";
import { withJsonSchema } from "./with-json-schema.ts";

type Io = "input" | "output";

const compile = (schema: Schema, io: Io = "input") =>
  compileSchema(schema, { io, label: 'tool "x": schema', root: "any" });
/** The JSON Schema without the dialect, which every library but TypeBox names. */
const listed = (schema: Schema, io: Io = "input") => {
  const { $schema: _, ...json } = compile(schema, io).json;
  return json;
};
const object = (a: object, more: object = {}) => ({
  type: "object",
  properties: { a },
  required: ["a"],
  ...more,
});
const CLOSED = { additionalProperties: false };

describe("zod", () => {
  const of = (a: z.ZodType) => z.object({ a });

  test.each<[string, z.ZodType, object]>([
    ["transform", z.string().transform(Number), { type: "string" }],
    ["pipe", z.string().pipe(z.transform(Number)), { type: "string" }],
    [
      "codec",
      z.codec(z.string(), z.date(), { decode: (s) => new Date(s), encode: (d) => d.toISOString() }),
      { type: "string" },
    ],
    ["stringbool", z.stringbool(), { type: "string" }],
    ["coerce", z.coerce.number(), { type: "number" }],
    ["preprocess", z.preprocess((x) => x, z.string()), { type: "string" }],
    ["refine", z.string().refine((x) => x === "a"), { type: "string" }],
  ])("lists the input side of %s", (_, schema, expected) => {
    expect(listed(of(schema))).toEqual(object(expected));
  });

  test("lists a default, as optional on the way in and present on the way out", () => {
    const schema = of(z.string().default("d"));
    const a = { type: "string", default: "d" };
    expect(listed(schema)).toEqual({ type: "object", properties: { a } });
    expect(listed(schema, "output")).toEqual(object(a, CLOSED));
    expect(compile(schema).check({})).toEqual({ ok: true, value: { a: "d" } });
  });

  test.each<[string, z.ZodType]>([
    ["transform", z.string().transform(Number)],
    ["date", z.date()],
    ["bigint", z.bigint()],
    ["map", z.map(z.string(), z.string())],
    ["set", z.set(z.string())],
    ["undefined", z.undefined()],
    ["custom", z.custom()],
    ["function", z.function()],
    ["nan", z.nan()],
  ])("refuses %s in an output", (_, schema) => {
    expect(() => compile(of(schema), "output")).toThrow(
      /^tool "x": schema: .* cannot be represented in JSON Schema$/,
    );
  });

  test("gives what validation returned, and the library's issues by JSON Pointer", () => {
    const schema = z.object({ "a/b": z.array(z.coerce.number()) });
    expect(compile(schema).check({ "a/b": ["3"] })).toEqual({ ok: true, value: { "a/b": [3] } });
    expect(compile(schema).check({ "a/b": ["x"] })).toEqual({
      ok: false,
      issues: [{ path: "/a~1b/0", message: "Invalid input: expected number, received NaN" }],
    });
  });

  test("an output is stripped of what it does not list", () => {
    const check = compile(z.object({ a: z.string() }), "output").check({ a: "x", secret: 1 });
    expect(check).toEqual({ ok: true, value: { a: "x" } });
  });

  test("an asynchronous refinement gives a promise", async () => {
    const schema = of(z.string().refine((x) => Promise.resolve(x === "a")));
    const check = compile(schema).check({ a: "b" });
    expect(check).toBeInstanceOf(Promise);
    expect(await check).toEqual({ ok: false, issues: [{ path: "/a", message: "Invalid input" }] });
  });

  test.each([
    ["email", z.email()],
    ["url", z.url()],
    ["uuid", z.uuid()],
    ["ipv4", z.ipv4()],
    ["ipv6", z.ipv6()],
    ["cidrv6", z.cidrv6()],
    ["emoji", z.emoji()],
    ["base64", z.base64()],
    ["jwt", z.jwt()],
    ["e164", z.e164()],
    ["date-time", z.iso.datetime()],
  ])("the pattern of %s is within the limits", (_, schema) => {
    expect(compile(of(schema)).json).toMatchObject({ required: ["a"] });
  });

  test("a default that is computed is refused: two conversions differ", () => {
    let calls = 0;
    const schema = of(z.number().default(() => calls++));
    expect(() => compile(schema)).toThrow(
      'tool "x": schema: two conversions differ: a default or another part is computed',
    );
  });

  test("BR-054 zod 3 and zod 4 side by side: the older is refused at registration, or brings its JSON Schema", () => {
    const older = z3.object({ a: z3.string() });
    expect(() => compile(older as unknown as Schema)).toThrow(/withJsonSchema/);
    const json = () => ({ type: "object", properties: { a: { type: "string" } } });
    const wrapped = compile(withJsonSchema(older, json));
    expect(wrapped.check({ a: "x" })).toEqual({ ok: true, value: { a: "x" } });
    expect(wrapped.check({ a: 1 })).toMatchObject({ ok: false });
    expect(compile(z.object({ a: z.string() })).check({ a: "x" })).toMatchObject({ ok: true });
  });

  test("mini has no JSON Schema of its own, and takes one", () => {
    const schema = mini.object({ a: mini.string() });
    expect(() => compile(schema as unknown as Schema)).toThrow(
      'tool "x": schema: the schema (of zod) cannot say its JSON Schema: wrap it with withJsonSchema()',
    );
    const wrapped = withJsonSchema(schema, (io) => z.toJSONSchema(schema, { io }));
    expect(listed(wrapped)).toEqual(object({ type: "string" }));
    expect(compile(wrapped).check({ a: 1 })).toEqual({
      ok: false,
      issues: [{ path: "/a", message: "Invalid input: expected string, received number" }],
    });
  });
});

describe("valibot, through its converter", () => {
  const json = toStandardJsonSchema;

  test("lists optional arguments and defaults", () => {
    const schema = json(v.object({ a: v.optional(v.string(), "d"), b: v.number() }));
    expect(listed(schema)).toEqual({
      type: "object",
      properties: { a: { type: "string", default: "d" }, b: { type: "number" } },
      required: ["b"],
    });
    expect(compile(schema).check({ b: 1 })).toEqual({ ok: true, value: { a: "d", b: 1 } });
  });

  test("validation-only actions are left out of the JSON Schema, and are run", () => {
    const text = v.pipe(
      v.string(),
      v.trim(),
      v.toLowerCase(),
      v.check((x) => x !== "no", "not that"),
      v.brand("Text"),
      v.readonly(),
    );
    const schema = json(v.object({ a: text }));
    expect(listed(schema)).toEqual(object({ type: "string" }));
    expect(compile(schema).check({ a: " NO " })).toEqual({
      ok: false,
      issues: [{ path: "/a", message: "not that" }],
    });
  });

  test.each<[string, Schema, Io]>([
    ["transform in an output", json(v.pipe(v.string(), v.transform(Number))), "output"],
    ["regex flags", json(v.pipe(v.string(), v.regex(/x/i))), "input"],
    ["date", json(v.date()), "input"],
  ])("refuses %s", (_, schema, io) => {
    expect(() => compile(schema, io)).toThrow(/^tool "x": schema: /);
  });

  test("a bare schema is refused", () => {
    expect(() => compile(v.object({ a: v.string() }) as unknown as Schema)).toThrow(
      "the schema (of valibot) cannot say its JSON Schema",
    );
  });
});

describe("arktype", () => {
  test("lists objects with sorted keys and without defaults", () => {
    const schema = type({ b: "string", "a?": "number", c: "string = 'x'" });
    expect(listed(schema)).toEqual({
      type: "object",
      properties: { b: { type: "string" }, a: { type: "number" }, c: { type: "string" } },
      required: ["b"],
    });
    expect(compile(schema).check({ b: "y" })).toEqual({ ok: true, value: { b: "y", c: "x" } });
  });

  test.each([
    ["Date", type({ a: "Date" })],
    ["bigint", type({ a: "bigint" })],
    ["symbol", type({ a: "symbol" })],
    ["undefined", type({ a: "undefined" })],
    ["an instance", type({ a: type.instanceOf(URL) })],
  ])("refuses %s instead of listing anything", (_, schema) => {
    expect(() => compile(schema)).toThrow(/^tool "x": schema: arktype has no JSON Schema for it/);
  });

  test("a predicate is run, not listed", () => {
    const schema = type({ a: type("string").narrow((text) => text === "q") });
    expect(listed(schema)).toEqual(object({ type: "string" }));
    expect(compile(schema).check({ a: "z" })).toMatchObject({
      ok: false,
      issues: [{ path: "/a" }],
    });
  });

  test("a morph lists its input, and an untyped one anything as its output", () => {
    const schema = type({ a: type("string").pipe((text) => text.length) });
    expect(listed(schema)).toEqual(object({ type: "string" }));
    expect(listed(schema, "output")).toEqual(object({}));
    expect(compile(schema).check({ a: "abc" })).toEqual({ ok: true, value: { a: 3 } });
  });
});

describe("typebox", () => {
  test("is plain JSON Schema", async () => {
    const schema = Type.Object({ a: Type.String(), b: Type.Optional(Type.Number()) });
    expect(compile(schema).json).toEqual({
      type: "object",
      required: ["a"],
      properties: { a: { type: "string" }, b: { type: "number" } },
    });
    expect(await compile(schema).check({ b: 1 })).toEqual({
      ok: false,
      issues: [{ path: "", message: 'must have the property "a"' }],
    });
  });

  test("a recursive type is checked at every depth", async () => {
    const schema = Type.Cyclic(
      { Node: Type.Object({ kids: Type.Array(Type.Ref("Node")) }) },
      "Node",
    );
    expect(await compile(schema).check({ kids: [{ kids: [] }] })).toMatchObject({ ok: true });
    expect(await compile(schema).check({ kids: [{ kids: 3 }] })).toEqual({
      ok: false,
      issues: [{ path: "/kids/0/kids", message: "must be array" }],
    });
  });

  test.each<[string, Schema, string]>([
    [
      "Codec",
      Type.Object({ a: Type.Codec(Type.String()).Decode(Number).Encode(String) }),
      '"~codec" at #/properties/a is a rule outside the JSON',
    ],
    [
      "Refine",
      Type.Object({ a: Type.Refine(Type.String(), () => true) }),
      '"~refine" at #/properties/a is a rule outside the JSON',
    ],
    ["BigInt", Type.Object({ a: Type.BigInt() }), "#/properties/a/type must be a type"],
    ["Undefined", Type.Object({ a: Type.Undefined() }), "#/properties/a/type must be a type"],
    ["Function", Type.Object({ a: Type.Function([], Type.Null()) }), "#/properties/a/type must be"],
    ["Tuple", Type.Object({ a: Type.Tuple([Type.Null()]) }), 'in 2020-12 use "prefixItems"'],
  ])("refuses %s", (_, schema, message) => {
    expect(() => compile(schema)).toThrow(message);
  });
});

describe("BR-052 unions, intersections, records and recursive types at the root", () => {
  const A = { type: "object", properties: { t: { const: "a" } } };
  interface Tree {
    readonly kids: readonly Tree[];
  }
  const tree: z.ZodType<Tree> = z.object({ kids: z.array(z.lazy(() => tree)) });
  const input = (schema: Schema) => compileSchema(schema, { io: "input", label: "x" });

  test.each<[string, Schema, unknown, unknown]>([
    [
      "zod discriminated union",
      z.discriminatedUnion("t", [z.object({ t: z.literal("a") }), z.object({ t: z.literal("b") })]),
      { t: "b" },
      { t: "c" },
    ],
    [
      "zod union",
      z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
      { b: "" },
      {},
    ],
    [
      "zod intersection",
      z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() })),
      { a: "", b: "" },
      { a: "" },
    ],
    ["zod record", z.record(z.string(), z.number()), { a: 1 }, { a: "1" }],
    ["zod recursive", tree, { kids: [{ kids: [] }] }, { kids: [{}] }],
    [
      "valibot variant",
      toStandardJsonSchema(v.variant("t", [v.object({ t: v.literal("a") })])),
      { t: "a" },
      { t: "b" },
    ],
    ["arktype union", type({ t: "'a'" }).or({ t: "'b'" }), { t: "b" }, { t: "c" }],
    ["JSON Schema anyOf", { anyOf: [A, { type: "object", required: ["b"] }] }, { b: 1 }, { t: 1 }],
    ["JSON Schema allOf", { allOf: [A, { required: ["t"] }] }, { t: "a" }, {}],
    ["JSON Schema $ref", { $ref: "#/$defs/a", $defs: { a: A } }, { t: "a" }, { t: 1 }],
  ])("%s is listed with all branches, as an object", async (_, schema, good, bad) => {
    const compiled = input(schema);
    expect(compiled.json).toMatchSnapshot();
    expect(compiled.json["type"]).toBe("object");
    expect(await compiled.check(good)).toMatchObject({ ok: true });
    expect(await compiled.check(bad)).toMatchObject({ ok: false });
  });

  test.each<[string, Schema]>([
    ["anything", z.any()],
    ["a string", z.string()],
    ["a union with a string", z.union([z.object({}), z.string()])],
    ["an empty schema", {}],
    ["an object or null", { type: ["object", "null"] }],
    ["properties alone", { properties: { a: { type: "string" } } }],
    ["an empty union", { $ref: "#/$defs/a", $defs: { a: { not: A } } }],
    ["a union of itself", { anyOf: [{ items: { $ref: "#" } }, A] }],
  ])("TOOLS-19 refuses %s as input", (_, schema) => {
    expect(() => input(schema)).toThrow('x: the root must be an object: it needs type: "object"');
  });

  test("TOOLS-23 an output may have any root", async () => {
    const output = (schema: Schema) => compileSchema(schema, { io: "output", label: "x" });
    expect(await output({ type: "string" }).check("s")).toEqual({ ok: true, value: "s" });
    expect(output(z.array(z.number())).check([1])).toEqual({ ok: true, value: [1] });
  });

  test.each(["structuredContent", "isError"])(
    "an output with content and %s is refused: it could not be told from a result",
    (name) => {
      const schema = { type: "object", properties: { content: {}, [name]: {} } };
      expect(() => compileSchema(schema, { io: "output", label: "x" })).toThrow(
        `x: the properties "content" and "${name}" together cannot be told from a whole result`,
      );
      expect(compileSchema(schema, { io: "input", label: "x" }).json).toEqual(schema);
    },
  );
});
