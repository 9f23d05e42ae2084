import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import { Type } from "typebox";
import * as v from "valibot";
import * as z from "zod";
import * as mini from "zod/mini";
import { withJsonSchema } from "../../src/schema/with-json-schema.ts";
import type { Context } from "../../src/server/context.ts";

// oxlint-disable typescript/no-unnecessary-type-parameters -- the only way to compare types exactly
type Equal<A, B> =
  (<X>() => X extends A ? 1 : 2) extends <X>() => X extends B ? 1 : 2 ? true : false;
// oxlint-enable typescript/no-unnecessary-type-parameters
/** Compiles only where both types are the same. */
declare function same<A, B>(proof: Equal<A, B>): void;
declare const ctx: Context;

/** What a handler reads of the answers, by library. */
export async function answers(): Promise<void> {
  const consent = await ctx.elicit("Go on?");
  same<typeof consent.action, "accept" | "decline" | "cancel">(true);

  const zod = await ctx.elicit(
    "zod",
    z.object({
      name: z.string().min(1),
      age: z.int().transform(String).optional(),
      unit: z.enum(["C", "F"]).default("C"),
      days: z.array(z.enum(["mon", "tue"])),
      agree: z.boolean(),
    }),
  );
  // @ts-expect-error nobody may have accepted
  void zod.content;
  if (zod.action === "accept") {
    same<
      typeof zod.content,
      {
        name: string;
        age?: string | undefined;
        unit: "C" | "F";
        days: ("mon" | "tue")[];
        agree: boolean;
      }
    >(true);
    // @ts-expect-error a field that was not asked for
    void zod.content.other;
  }

  const valibot = await ctx.elicit(
    "valibot",
    toStandardJsonSchema(v.object({ unit: v.optional(v.picklist(["C", "F"]), "C") })),
  );
  if (valibot.action === "accept") same<typeof valibot.content, { unit: "C" | "F" }>(true);

  const ark = await ctx.elicit("arktype", type({ count: "number.integer", "note?": "string" }));
  if (ark.action === "accept") same<typeof ark.content, { count: number; note?: string }>(true);

  const box = await ctx.elicit(
    "TypeBox",
    Type.Object({
      name: Type.String(),
      unit: Type.Union([Type.Literal("C", { title: "Celsius" }), Type.Literal("F")]),
      kind: Type.Enum(["a", "b"]),
      days: Type.Array(Type.Union([Type.Literal("mon"), Type.Literal("tue")])),
      age: Type.Optional(Type.Integer({ exclusiveMinimum: 1 })),
      agree: Type.Boolean(),
    }),
  );
  if (box.action === "accept") {
    same<typeof box.content.name, string>(true);
    same<typeof box.content.unit, "C" | "F">(true);
    same<typeof box.content.kind, "a" | "b">(true);
    same<typeof box.content.days, readonly ("mon" | "tue")[]>(true);
    same<typeof box.content.age, number | undefined>(true);
    same<typeof box.content.agree, boolean>(true);
  }

  const json = await ctx.elicit("JSON Schema", {
    type: "object",
    properties: {
      name: { type: "string", minLength: 1, format: "email" },
      unit: { type: "string", oneOf: [{ const: "C", title: "Celsius" }] },
      legacy: { type: "string", enum: ["1", "2"], enumNames: ["One", "Two"] },
      days: { type: "array", items: { anyOf: [{ const: "mon", title: "Monday" }] }, minItems: 1 },
      age: { type: "integer", minimum: 1, default: 3 },
      agree: { type: "boolean" },
    },
    required: ["name", "unit", "days"],
  });
  if (json.action === "accept") {
    same<typeof json.content.name, string>(true);
    same<typeof json.content.unit, "C">(true);
    same<typeof json.content.legacy, "1" | "2" | undefined>(true);
    same<typeof json.content.days, readonly "mon"[]>(true);
    same<typeof json.content.age, number | undefined>(true);
    same<typeof json.content.agree, boolean | undefined>(true);
  }

  const wrapped = await ctx.elicit(
    "zod/mini, wrapped",
    withJsonSchema(mini.object({ a: mini.string() }), () => ({ type: "object" })),
  );
  if (wrapped.action === "accept") same<typeof wrapped.content, { a: string }>(true);
}

const text = { type: "string" } as const;

/** What no form can ask for does not compile. */
export async function refused(): Promise<void> {
  // @ts-expect-error zod: a nested object
  await ctx.elicit("x", z.object({ a: z.object({ b: z.string() }) }));
  // @ts-expect-error zod: null
  await ctx.elicit("x", z.object({ a: z.string().nullable() }));
  // @ts-expect-error zod: a Date
  await ctx.elicit("x", z.object({ a: z.date() }));
  // @ts-expect-error zod: a field of unknown type
  await ctx.elicit("x", z.object({ a: z.unknown() }));
  // @ts-expect-error zod: a list of numbers
  await ctx.elicit("x", z.object({ a: z.array(z.number()) }));
  // @ts-expect-error zod: no object
  await ctx.elicit("x", z.string());
  // @ts-expect-error zod/mini cannot say its JSON Schema
  await ctx.elicit("x", mini.object({ a: mini.string() }));
  // @ts-expect-error valibot: a bare schema
  await ctx.elicit("x", v.object({ a: v.string() }));
  // @ts-expect-error valibot: a nested object
  await ctx.elicit("x", toStandardJsonSchema(v.object({ a: v.object({ b: v.string() }) })));
  // @ts-expect-error valibot: null
  await ctx.elicit("x", toStandardJsonSchema(v.object({ a: v.nullable(v.string()) })));
  // @ts-expect-error arktype: a nested object
  await ctx.elicit("x", type({ a: { b: "string" } }));
  // @ts-expect-error arktype: null
  await ctx.elicit("x", type({ a: "string | null" }));
  // @ts-expect-error arktype: a Date
  await ctx.elicit("x", type({ a: "Date" }));
  // @ts-expect-error arktype: a field of unknown type
  await ctx.elicit("x", type({ a: "unknown" }));
  // @ts-expect-error TypeBox: a nested object
  await ctx.elicit("x", Type.Object({ a: Type.Object({ b: Type.String() }) }));
  // @ts-expect-error TypeBox: null
  await ctx.elicit("x", Type.Object({ a: Type.Null() }));
  // @ts-expect-error TypeBox: a union with null
  await ctx.elicit("x", Type.Object({ a: Type.Union([Type.Literal("b"), Type.Null()]) }));
  // @ts-expect-error TypeBox: a number to choose
  await ctx.elicit("x", Type.Object({ a: Type.Literal(1) }));
  // @ts-expect-error TypeBox: a list of free text
  await ctx.elicit("x", Type.Object({ a: Type.Array(Type.String()) }));
  // @ts-expect-error TypeBox: a field of unknown type
  await ctx.elicit("x", Type.Object({ a: Type.Unknown() }));
  // @ts-expect-error TypeBox: a record
  await ctx.elicit("x", Type.Record(Type.String(), Type.String()));
  // @ts-expect-error JSON Schema: a nested object
  await ctx.elicit("x", { type: "object", properties: { a: { type: "object", properties: {} } } });
  // @ts-expect-error JSON Schema: null
  await ctx.elicit("x", { type: "object", properties: { a: { type: ["string", "null"] } } });
  // @ts-expect-error JSON Schema: a field of unknown type
  await ctx.elicit("x", { type: "object", properties: { a: {} } });
  // @ts-expect-error JSON Schema: anything
  await ctx.elicit("x", { type: "object", properties: { a: true } });
  // @ts-expect-error JSON Schema: a list of free text
  await ctx.elicit("x", { type: "object", properties: { a: { type: "array", items: text } } });
  // @ts-expect-error JSON Schema: numbers to choose from
  await ctx.elicit("x", { type: "object", properties: { a: { enum: [1, 2] } } });
  // @ts-expect-error JSON Schema: no properties
  await ctx.elicit("x", { type: "object" });
  // @ts-expect-error JSON Schema: no object
  await ctx.elicit("x", { type: "string", properties: {} });
  // @ts-expect-error a shape is no schema
  await ctx.elicit("x", { a: z.string() });
}
