import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import { Type } from "typebox";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { compileForm } from "./compile-form.ts";
import type { FormSchema } from "./form-schema.ts";

/** Some of these are written as JSON text. */
const compile = (schema: unknown) => compileForm(schema as FormSchema, "elicit: schema");
const check = async (schema: unknown, content: unknown) => compile(schema).check(content);
const field = (a: object) => ({ type: "object", properties: { a } });
const CHOICES = { type: "array", items: { type: "string", enum: ["x", "y"] } };

describe("T-44 ELIC-67 an answer is checked as it was asked, before the library sees it", () => {
  test.each([
    ["a number for text", { type: "string" }, 1, "must be string"],
    ["an object for text", { type: "string" }, { a: 1 }, "must be string"],
    ["null for text", { type: "string" }, null, "must be string"],
    [
      "too short a text",
      { type: "string", minLength: 2 },
      "😀",
      "must not have fewer than 2 characters",
    ],
    [
      "too long a text",
      { type: "string", maxLength: 1 },
      "ab",
      "must not have more than 1 characters",
    ],
    ["text for a number", { type: "number" }, "1", "must be number"],
    ["no finite number", { type: "number" }, Infinity, "must be number"],
    ["a fraction", { type: "integer" }, 1.5, "must be integer"],
    ["too small a number", { type: "number", minimum: 1 }, 0.5, "must be >= 1"],
    ["too large a number", { type: "integer", maximum: 1 }, 2, "must be <= 1"],
    ["text for a boolean", { type: "boolean" }, "true", "must be boolean"],
    ["no choice", { type: "string", enum: ["x", "y"] }, "z", 'must be one of "x", "y"'],
    [
      "a title for its choice",
      { type: "string", oneOf: [{ const: "x", title: "X" }] },
      "X",
      'must be one of "x"',
    ],
    ["one choice for a list", CHOICES, "x", "must be array"],
    ["another item", CHOICES, ["x", "z"], 'must be one of "x", "y"'],
    ["a nested list", CHOICES, [["x"]], 'must be one of "x", "y"'],
    ["too short a list", { ...CHOICES, minItems: 1 }, [], "must not have fewer than 1 items"],
    ["too long a list", { ...CHOICES, maxItems: 1 }, ["x", "y"], "must not have more than 1 items"],
    [
      "an item that is the title",
      { type: "array", items: { anyOf: [{ const: "x", title: "X" }] } },
      ["X"],
      'must be one of "x"',
    ],
  ])("%s", async (_what, asked, value, message) => {
    expect(await check(field(asked), { a: value })).toEqual({
      ok: false,
      issues: [{ path: "/a", message }],
    });
  });

  test.each([
    ["a text", { type: "string", minLength: 2, maxLength: 2 }, "😀😀"],
    ["a number", { type: "number", minimum: 1, maximum: 1 }, 1],
    ["a whole number", { type: "integer" }, 2],
    ["a boolean", { type: "boolean" }, false],
    ["a choice", { type: "string", enum: ["x"], enumNames: ["X"] }, "x"],
    ["a titled choice", { type: "string", oneOf: [{ const: "x", title: "X" }] }, "x"],
    ["choices", { ...CHOICES, minItems: 1, maxItems: 2 }, ["y", "x"]],
    ["no choices", CHOICES, []],
  ])("%s that fits is given as it is", async (_what, asked, value) => {
    expect(await check(field(asked), { a: value })).toEqual({ ok: true, value: { a: value } });
    expect(await check(field(asked), {})).toEqual({ ok: true, value: {} });
  });

  test.each([
    ["coerces", z.coerce.string(), { x: 1 }, "must be string"],
    ["prepares", z.preprocess(String, z.string()), [1], "must be string"],
    ["catches", z.enum(["x"]).catch("x"), "other", 'must be one of "x"'],
  ])("a schema that %s does not take what was not asked for", async (_what, a, value, message) => {
    expect(await check(z.object({ a }), { a: value })).toEqual({
      ok: false,
      issues: [{ path: "/a", message }],
    });
  });

  test("a required field that is missing is not made up", async () => {
    expect(await check(z.object({ a: z.string().catch("x") }), {})).toEqual({
      ok: false,
      issues: [{ path: "", message: 'must have the property "a"' }],
    });
  });

  test("at most 20 issues are told", async () => {
    const names = Array.from({ length: 64 }, (_, index) => `f${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: "boolean" }]));
    const content = Object.fromEntries(names.map((name) => [name, 1]));
    const checked = await check({ type: "object", properties }, content);
    expect(checked.ok ? [] : checked.issues).toEqual(
      names.slice(0, 20).map((name) => ({ path: `/${name}`, message: "must be boolean" })),
    );
  });
});

describe("ELIC-18 formats of JSON Schema and TypeBox are checked on the answer", () => {
  const EMAIL = 'must match format "email"';
  const URI = 'must match format "uri"';
  const DATE = 'must match format "date"';
  const TIME = 'must match format "date-time"';

  test.each([
    ["email", "a@b.example"],
    ["email", "ä+x@münchen.example"],
    ["uri", "https://a.example/?b#c"],
    ["uri", "mailto:a@b.example"],
    ["uri", "urn:isbn:1"],
    ["date", "2024-02-29"],
    ["date-time", "2026-07-28T12:00:00Z"],
    ["date-time", "2026-07-28t23:59:60.125+02:00"],
  ])("%s takes %s", async (format, value) => {
    expect(await check(field({ type: "string", format }), { a: value })).toEqual({
      ok: true,
      value: { a: value },
    });
  });

  test.each([
    ["email", "nobody", EMAIL],
    ["email", "a@b@c", EMAIL],
    ["email", "a b@c.example", EMAIL],
    ["email", `a@${"b".repeat(256)}`, EMAIL],
    ["uri", "/a", URI],
    ["uri", "https://", URI],
    ["uri", "https://a b.example", URI],
    ["date", "2026-02-29", DATE],
    ["date", "2026-2-9", DATE],
    ["date", "2026-07-28T12:00:00Z", DATE],
    ["date-time", "2026-07-28", TIME],
    ["date-time", "2026-07-28T12:00:00", TIME],
    ["date-time", "2026-07-28T24:00:00Z", TIME],
    ["date-time", "2026-02-30T12:00:00Z", TIME],
  ])("%s refuses %s", async (format, value, message) => {
    const refused = { ok: false, issues: [{ path: "/a", message }] };
    expect(await check(field({ type: "string", format }), { a: value })).toEqual(refused);
    const box = Type.Object({ a: Type.String({ format }) });
    expect(await check(box, { a: value })).toEqual(refused);
  });

  test("a library is the judge of its own formats", async () => {
    const schema = toStandardJsonSchema(v.object({ a: v.pipe(v.string(), v.isoDateTime()) }));
    expect(compile(schema).requestedSchema.properties).toEqual({
      a: { type: "string", format: "date-time" },
    });
    const content = { a: "2026-07-28T12:00" };
    expect(await check(schema, content)).toEqual({ ok: true, value: content });
  });
});

describe("T-08 names that every object inherits", () => {
  test.each([
    ["zod", z.object({ constructor: z.string().optional(), valueOf: z.string().optional() })],
    [
      "valibot",
      toStandardJsonSchema(
        v.object({ constructor: v.optional(v.string()), valueOf: v.optional(v.string()) }),
      ),
    ],
    ["arktype", type({ "constructor?": "string", "valueOf?": "string" })],
    ["TypeBox", Type.Object({ constructor: Type.Optional(Type.String()) })],
    ["JSON Schema", { type: "object", properties: { constructor: { type: "string" } } }],
  ])("%s: may be missing, and are given where they are not", async (_library, schema) => {
    expect(await check(schema, {})).toEqual({ ok: true, value: {} });
    const content = JSON.parse('{"constructor":"x"}') as unknown;
    const checked = await check(schema, content);
    expect(JSON.stringify(checked)).toBe('{"ok":true,"value":{"constructor":"x"}}');
    expect(await check(schema, { constructor: 1 })).toEqual({
      ok: false,
      issues: [{ path: "/constructor", message: "must be string" }],
    });
  });

  test("are asked for where they are required", async () => {
    expect(await check(z.object({ toString: z.string() }), {})).toEqual({
      ok: false,
      issues: [{ path: "", message: 'must have the property "toString"' }],
    });
  });

  test("a library that would lose __proto__ is not asked for it; JSON Schema keeps it", async () => {
    expect(() => compile(z.object({ ["__proto__"]: z.string() }))).toThrow(
      new TypeError('elicit: schema: field "__proto__": a library loses it: rename it'),
    );
    const text = '{"__proto__":"x"}';
    const schema: unknown = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}',
    );
    expect(JSON.stringify(await check(schema, JSON.parse(text)))).toBe(
      `{"ok":true,"value":${text}}`,
    );
    expect(await check(schema, {})).toEqual({
      ok: false,
      issues: [{ path: "", message: 'must have the property "__proto__"' }],
    });
  });
});
