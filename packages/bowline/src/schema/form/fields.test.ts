import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import { Type } from "typebox";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { compileForm } from "./compile-form.ts";
import type { FormSchema } from "./form-schema.ts";

/** Anything at all: some of these are no forms. */
const compile = (schema: unknown) => compileForm(schema as FormSchema, "elicit: schema");
const fieldsOf = (schema: unknown) => compile(schema).requestedSchema.properties;
const field = (a: unknown, more: object = {}) => ({ type: "object", properties: { a }, ...more });

describe("references are followed", () => {
  const unit = z.enum(["C", "F"]).meta({ id: "Unit", title: "Unit" });

  test("of zod: schemas with an id, at the root, in a field, a list and a union", () => {
    const schema = z
      .object({
        a: unit,
        b: unit.optional().describe("Shown"),
        c: z.array(unit),
        d: z.union([z.literal("x").meta({ id: "X", title: "Ex" }), z.literal("y")]),
      })
      .meta({ id: "Form" });
    expect(compile(schema).requestedSchema).toEqual({
      type: "object",
      properties: {
        a: { type: "string", title: "Unit", enum: ["C", "F"] },
        b: { type: "string", title: "Unit", description: "Shown", enum: ["C", "F"] },
        c: { type: "array", items: { type: "string", enum: ["C", "F"] } },
        d: {
          type: "string",
          oneOf: [
            { const: "x", title: "Ex" },
            { const: "y", title: "y" },
          ],
        },
      },
      required: ["a", "c", "d"],
    });
  });

  test("of valibot: what is used lazily", () => {
    const schema = toStandardJsonSchema(v.object({ a: v.lazy(() => v.string()) }));
    expect(fieldsOf(schema)).toEqual({ a: { type: "string" } });
  });

  test("of JSON Schema, and the answer is checked by what they lead to", async () => {
    const form = compile(
      field({ $ref: "#/$defs/t", title: "T" }, { $defs: { t: { type: "string", pattern: "^x" } } }),
    );
    expect(form.requestedSchema).toEqual({
      type: "object",
      properties: { a: { type: "string", title: "T" } },
    });
    expect(await form.check({ a: "xy" })).toEqual({ ok: true, value: { a: "xy" } });
    expect(await form.check({ a: "y" })).toMatchObject({ ok: false, issues: [{ path: "/a" }] });
  });

  test.each([
    ["that is narrowed", { $ref: "#/$defs/t", maxLength: 1 }, "$ref has no place in a form"],
    [
      "to the form itself",
      { $ref: "#" },
      "a form is flat: put the fields of the object beside the others",
    ],
  ])("but a reference %s is refused", (_what, a, reason) => {
    expect(() => compile(field(a, { $defs: { t: { type: "string" } } }))).toThrow(
      new TypeError(`elicit: schema: field "a": ${reason}`),
    );
  });

  test("and one that leaves the schema is", () => {
    expect(() => compile(field({ $ref: "https://a.example/x" }))).toThrow(
      /^elicit: schema: \$ref "https:\/\/a.example\/x" leaves the document/,
    );
  });
});

describe("bounds and titles", () => {
  test("ELIC-19 of an inclusive and an exclusive bound the narrower counts", () => {
    const schema = Type.Object({
      a: Type.Integer({ minimum: 5, exclusiveMinimum: 1, maximum: 9, exclusiveMaximum: 20 }),
      b: Type.Integer({ minimum: 1, exclusiveMinimum: 5, maximum: 20, exclusiveMaximum: 9 }),
      c: Type.Number({ minimum: 1, exclusiveMinimum: 5 }),
    });
    expect(fieldsOf(schema)).toEqual({
      a: { type: "integer", minimum: 5, maximum: 9 },
      b: { type: "integer", minimum: 6, maximum: 8 },
      c: { type: "number", minimum: 1 },
    });
  });

  test("ELIC-21 the title of an ArkType field is not the title of each choice", () => {
    const schema = type({ a: type.enumerated("x", "y").configure({ title: "Unit" }) });
    expect(fieldsOf(schema)).toEqual({ a: { type: "string", title: "Unit", enum: ["x", "y"] } });
  });
});

describe("a form that cannot be answered is refused by the name of its field", () => {
  test.each([
    ["no choices", { type: "string", enum: [] }, "there is nothing to choose from"],
    [
      "no choices in a list",
      { type: "array", items: { enum: [] } },
      "there is nothing to choose from",
    ],
    [
      "a default with a fraction",
      { type: "integer", default: 1.5 },
      "the default 1.5 does not fit",
    ],
    [
      "a default that is no choice of a list",
      { type: "array", items: { enum: ["x"] }, default: ["y"] },
      'the default ["y"] does not fit',
    ],
  ])("%s", (_what, a, reason) => {
    expect(() => compile(field(a))).toThrow(new TypeError(`elicit: schema: field "a": ${reason}`));
  });

  test("a required field that is none of the properties", () => {
    expect(() => compile(field({ type: "string" }, { required: ["b"] }))).toThrow(
      new TypeError('elicit: schema: field "b": required, but no property'),
    );
  });
});

describe("what a library cannot say is refused with the label", () => {
  test.each([
    ["date", z.object({ a: z.string(), b: z.date() }), "Date cannot be represented in JSON Schema"],
    ["bigint", z.object({ a: z.string(), b: z.bigint() }), "BigInt cannot be represented"],
    [
      "a computed default",
      z.object({ a: z.string(), b: z.string().default(() => String(Math.random())) }),
      "two conversions differ",
    ],
  ])("zod, with the field: %s", (_what, schema, reason) => {
    expect(() => compile(schema)).toThrow(`elicit: schema: field "b": ${reason}`);
  });

  test.each([
    ["valibot", toStandardJsonSchema(v.object({ a: v.date() })), 'The "date" schema cannot'],
    ["arktype", type({ a: "Date" }), "arktype has no JSON Schema for it"],
    [
      "a bare schema",
      v.object({ a: v.string() }),
      "the schema (of valibot) cannot say its JSON Schema: wrap it with withJsonSchema()",
    ],
    ["a shape", { a: z.string() }, '"a" is a schema of its own: wrap it in z.object({ … })'],
    ["a Codec", Type.Object({ a: Type.Refine(Type.String(), () => true) }), '"~refine" at #'],
  ])("%s", (_what, schema, reason) => {
    expect(() => compile(schema)).toThrow(`elicit: schema: ${reason}`);
  });
});
