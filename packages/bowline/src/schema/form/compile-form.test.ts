import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import { Type } from "typebox";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { compileForm } from "./compile-form.ts";
import { FormCache } from "./form-cache.ts";
import type { FormSchema } from "./form-schema.ts";

/** Anything at all: some of these are no forms. */
const compile = (schema: unknown) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is refused need not compile
  compileForm(schema as FormSchema, "elicit: schema");
const fieldsOf = (schema: unknown) => compile(schema).requestedSchema;

const UUID = "6ba7b810-9dad-41d1-80b4-00c04fd430c8";

describe("what a form says", () => {
  test("ELIC-17 ELIC-18 ELIC-19 ELIC-20 ELIC-21 ELIC-22 ELIC-23 zod", () => {
    const schema = z.object({
      name: z.string().min(1).max(40).describe("As on the badge").meta({ title: "Name" }),
      mail: z.email(),
      site: z.url(),
      day: z.iso.date(),
      at: z.iso.datetime(),
      token: z.uuid(),
      code: z.string().regex(/^a/),
      count: z.int(),
      between: z.int().gt(3).lt(9),
      share: z.number().min(0).max(1),
      open: z.number().gt(1).multipleOf(2),
      agree: z.boolean().default(true),
      terms: z.literal(true),
      unit: z.enum(["C", "F"]).default("C"),
      titled: z.union([z.literal("C").meta({ title: "Celsius" }), z.literal("F")]),
      one: z.literal("only"),
      days: z
        .array(z.enum(["mon", "tue"]))
        .min(1)
        .max(2),
      several: z.array(z.union([z.literal("a").meta({ title: "A" }), z.literal("b")])),
      note: z.string().optional(),
      refined: z.string().refine((text) => text !== "no"),
    });
    expect(fieldsOf(schema)).toEqual({
      type: "object",
      properties: {
        name: {
          type: "string",
          title: "Name",
          description: "As on the badge",
          minLength: 1,
          maxLength: 40,
        },
        mail: { type: "string", format: "email" },
        site: { type: "string", format: "uri" },
        day: { type: "string", format: "date" },
        at: { type: "string", format: "date-time" },
        token: { type: "string" },
        code: { type: "string" },
        count: { type: "integer" },
        between: { type: "integer", minimum: 4, maximum: 8 },
        share: { type: "number", minimum: 0, maximum: 1 },
        open: { type: "number" },
        agree: { type: "boolean", default: true },
        terms: { type: "boolean" },
        unit: { type: "string", enum: ["C", "F"], default: "C" },
        titled: {
          type: "string",
          oneOf: [
            { const: "C", title: "Celsius" },
            { const: "F", title: "F" },
          ],
        },
        one: { type: "string", enum: ["only"] },
        days: {
          type: "array",
          items: { type: "string", enum: ["mon", "tue"] },
          minItems: 1,
          maxItems: 2,
        },
        several: {
          type: "array",
          items: {
            anyOf: [
              { const: "a", title: "A" },
              { const: "b", title: "b" },
            ],
          },
        },
        note: { type: "string" },
        refined: { type: "string" },
      },
      required: [
        "name",
        "mail",
        "site",
        "day",
        "at",
        "token",
        "code",
        "count",
        "between",
        "share",
        "open",
        "terms",
        "titled",
        "one",
        "days",
        "several",
        "refined",
      ],
    });
  });

  test("valibot, through its converter", () => {
    const schema = v.object({
      name: v.pipe(v.string(), v.minLength(1), v.title("Name")),
      mail: v.pipe(v.string(), v.email()),
      day: v.pipe(v.string(), v.isoDate()),
      count: v.pipe(v.number(), v.integer(), v.gtValue(3)),
      unit: v.picklist(["C", "F"]),
      titled: v.union([v.pipe(v.literal("C"), v.title("Celsius")), v.literal("F")]),
      days: v.pipe(v.array(v.picklist(["mon", "tue"])), v.maxLength(2)),
      note: v.optional(v.string(), "none"),
    });
    expect(fieldsOf(toStandardJsonSchema(schema))).toEqual({
      type: "object",
      properties: {
        name: { type: "string", title: "Name", minLength: 1 },
        mail: { type: "string", format: "email" },
        day: { type: "string", format: "date" },
        count: { type: "integer", minimum: 4 },
        unit: { type: "string", enum: ["C", "F"] },
        titled: {
          type: "string",
          oneOf: [
            { const: "C", title: "Celsius" },
            { const: "F", title: "F" },
          ],
        },
        days: { type: "array", items: { type: "string", enum: ["mon", "tue"] }, maxItems: 2 },
        note: { type: "string", default: "none" },
      },
      required: ["name", "mail", "day", "count", "unit", "titled", "days"],
    });
  });

  test("arktype, which lists no defaults and sorts the fields", () => {
    const schema = type({
      name: "1 <= string <= 40",
      mail: "string.email",
      token: "string.uuid",
      count: "number.integer > 3",
      unit: "'C' | 'F'",
      titled: type("'C'").configure({ title: "Celsius" }).or("'F'"),
      days: "('mon' | 'tue')[] <= 2",
      agree: "boolean",
      "note?": "string",
    });
    expect(fieldsOf(schema)).toEqual({
      type: "object",
      properties: {
        agree: { type: "boolean" },
        count: { type: "integer", minimum: 4 },
        days: { type: "array", items: { type: "string", enum: ["mon", "tue"] }, maxItems: 2 },
        mail: { type: "string", format: "email" },
        name: { type: "string", minLength: 1, maxLength: 40 },
        titled: {
          type: "string",
          oneOf: [
            { const: "C", title: "Celsius" },
            { const: "F", title: "F" },
          ],
        },
        token: { type: "string", description: "a UUID" },
        unit: { type: "string", enum: ["C", "F"] },
        note: { type: "string" },
      },
      required: ["agree", "count", "days", "mail", "name", "titled", "token", "unit"],
    });
  });

  test("TypeBox", () => {
    const schema = Type.Object({
      unit: Type.Union([Type.Literal("C", { title: "Celsius" }), Type.Literal("F")]),
      kind: Type.Enum(["a", "b"]),
      count: Type.Integer({ exclusiveMinimum: 3 }),
      agree: Type.Optional(Type.Boolean({ default: true })),
    });
    expect(fieldsOf(schema)).toEqual({
      type: "object",
      properties: {
        unit: {
          type: "string",
          oneOf: [
            { const: "C", title: "Celsius" },
            { const: "F", title: "F" },
          ],
        },
        kind: { type: "string", enum: ["a", "b"] },
        count: { type: "integer", minimum: 4 },
        agree: { type: "boolean", default: true },
      },
      required: ["unit", "kind", "count"],
    });
  });

  test("ELIC-21 JSON Schema that fits goes out word for word, the older choices included", () => {
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      required: ["legacy"],
      type: "object",
      properties: {
        legacy: { enumNames: ["One", "Two"], enum: ["1", "2"], type: "string", default: "2" },
        titled: { oneOf: [{ title: "A", const: "a" }], type: "string" },
        days: {
          items: { anyOf: [{ const: "mon", title: "Mo" }] },
          type: "array",
          default: ["mon"],
        },
        score: { default: 95.5, type: "number" },
      },
    };
    expect(JSON.stringify(fieldsOf(schema))).toBe(JSON.stringify(schema));
  });

  test("T-08 fields may have any name", () => {
    const properties = JSON.parse(
      '{"__proto__":{"type":"string"},"constructor":{"type":"boolean"}}',
    );
    const { requestedSchema } = compile({ type: "object", properties });
    expect(JSON.stringify(requestedSchema.properties)).toBe(JSON.stringify(properties));
  });
});

describe("ELIC-23 what no form can say is refused by name", () => {
  const FLAT = "a form is flat: put the fields of the object beside the others";
  const TEXTS = "choices of a form are texts: use strings, and turn them into values later";
  const UNION =
    "a field has one type: string, number, integer, boolean, a choice, or a list of choices";
  test.each([
    ["a nested object", z.object({ f: z.object({ a: z.string() }) }), FLAT],
    [
      "a null",
      z.object({ f: z.string().nullable() }),
      "a form has no null: make the field optional",
    ],
    [
      "a union with null",
      z.object({ f: z.enum(["a"]).nullable() }),
      "a form has no null: make the field optional",
    ],
    ["several types", z.object({ f: z.union([z.string(), z.number()]) }), UNION],
    [
      "free texts in a list",
      z.object({ f: z.array(z.string()) }),
      "a list in a form is a choice of several: give its items an enum",
    ],
    ["numbers to choose from", z.object({ f: z.literal([1, 2]) }), TEXTS],
    ["one number", z.object({ f: z.literal(1) }), TEXTS],
    ["mixed choices", { type: "object", properties: { f: { enum: ["a", 1] } } }, TEXTS],
    ["anything", { type: "object", properties: { f: {} } }, UNION],
    [
      "true",
      { type: "object", properties: { f: true } },
      "say what it is: string, number, boolean, choices",
    ],
    [
      "a combination",
      { type: "object", properties: { f: { type: "string", allOf: [{ maxLength: 3 }] } } },
      "allOf has no place in a form",
    ],
    [
      "a default of another type",
      { type: "object", properties: { f: { type: "string", default: 1 } } },
      "the default 1 does not fit",
    ],
    [
      "a default that is no choice",
      { type: "object", properties: { f: { enum: ["a"], default: "b" } } },
      'the default "b" does not fit',
    ],
  ])("%s", (_what, schema, reason) => {
    expect(() => compile(schema)).toThrow(new TypeError(`elicit: schema: field "f": ${reason}`));
  });

  const BEFOREHAND = "a form is an object with fields that are known beforehand";
  test.each([
    [
      "a union",
      z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
      "anyOf has no place in a form",
    ],
    ["a record", z.record(z.string(), z.string()), BEFOREHAND],
    ["a list", { type: "array" }, BEFOREHAND],
    [
      "names that follow a pattern",
      { type: "object", properties: {}, patternProperties: { a: { type: "string" } } },
      "patternProperties has no place in a form",
    ],
    [
      "65 fields",
      {
        type: "object",
        properties: Object.fromEntries(
          Array.from({ length: 65 }, (_, index) => [`f${index}`, { type: "string" }]),
        ),
      },
      "more than 64 fields are too many for a form",
    ],
    [
      "1,001 choices",
      {
        type: "object",
        properties: { f: { enum: Array.from({ length: 1001 }, (_, index) => `c${index}`) } },
      },
      'field "f": more than 1000 choices are too many for a form',
    ],
    [
      "more than 32 KiB",
      {
        type: "object",
        properties: { f: { type: "string", description: "x".repeat(33_000) } },
      },
      "the form has more than 32768 bytes",
    ],
  ])("%s", (_what, schema, reason) => {
    expect(() => compile(schema)).toThrow(new TypeError(`elicit: schema: ${reason}`));
  });
});

describe("T-44 ELIC-67 what was filled in", () => {
  const form = compile(
    z.object({
      name: z.string().regex(/^[A-Z]/),
      token: z.uuid().optional(),
      size: z.number().multipleOf(2).default(4),
      trimmed: z
        .string()
        .transform((text) => text.length)
        .optional(),
    }),
  );

  test("is given as the library makes it", async () => {
    const content = { name: "Ann", token: UUID, trimmed: "abc" };
    expect(await form.check(content)).toEqual({
      ok: true,
      value: { name: "Ann", token: UUID, size: 4, trimmed: 3 },
    });
  });

  test("is checked by what the form could not say", async () => {
    const checked = await form.check({ name: "ann", token: "no", size: 3 });
    expect(checked.ok ? [] : checked.issues.map(({ path }) => path)).toEqual([
      "/name",
      "/token",
      "/size",
    ]);
  });

  test("MRTR-36 fields nobody asked for are left out, whatever they hold", async () => {
    const strict = compile(z.strictObject({ name: z.string() }));
    const content: unknown = JSON.parse('{"name":"Ann","__proto__":{"deep":[1]},"more":[[[]]]}');
    expect(await strict.check(content)).toEqual({ ok: true, value: { name: "Ann" } });
  });

  test.each([
    ["a text", "Ann"],
    ["a list", []],
    ["nothing", null],
  ])("cannot be %s", async (_what, content) => {
    expect(await form.check(content)).toEqual({
      ok: false,
      issues: [{ path: "", message: "must be an object" }],
    });
  });

  test("is checked against plain JSON Schema, too", async () => {
    const plain = compile({
      type: "object",
      properties: { unit: { type: "string", enum: ["C", "F"] } },
      required: ["unit"],
    });
    expect(await plain.check({ unit: "C" })).toEqual({ ok: true, value: { unit: "C" } });
    expect(await plain.check({ unit: "K" })).toEqual({
      ok: false,
      issues: [{ path: "/unit", message: 'must be one of "C", "F"' }],
    });
    expect(await plain.check({})).toEqual({
      ok: false,
      issues: [{ path: "", message: 'must have the property "unit"' }],
    });
  });
});

test("a form that is asked with again is compiled once", () => {
  const forms = new FormCache();
  const schema = z.object({ a: z.string() });
  expect(forms.compile(schema, "elicit")).toBe(forms.compile(schema, "elicit"));
});
