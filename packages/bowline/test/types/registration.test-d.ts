import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import { Type } from "typebox";
import * as v from "valibot";
import * as z from "zod";
import * as mini from "zod/mini";
import type { ToolResult } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import type { ClientOf } from "../../src/client/client.ts";
import type { Exchange } from "../../src/protocol/exchange.ts";
import type { JsonSchema } from "../../src/schema/json-schema.ts";
import { withJsonSchema } from "../../src/schema/with-json-schema.ts";
import type { Context } from "../../src/server/context.ts";
import { createServer } from "../../src/server/create-server.ts";
import { defineTool } from "../../src/server/define-tool.ts";
import type { Server } from "../../src/server/server.ts";

// oxlint-disable typescript/no-unnecessary-type-parameters -- the only way to compare types exactly
type Equal<A, B> =
  (<X>() => X extends A ? 1 : 2) extends <X>() => X extends B ? 1 : 2 ? true : false;
// oxlint-enable typescript/no-unnecessary-type-parameters
/** Compiles only where both types are the same. */
declare function same<A, B>(proof: Equal<A, B>): void;
/** The type of `structuredContent` of a successful result. */
type ValueOf<R> = R extends {
  readonly isError?: false | undefined;
  readonly structuredContent: infer V;
}
  ? V
  : never;

const info = { name: "types", version: "1.0.0" };
const make = (): Server => createServer(info);

// What a handler gets, by library: the output side of the input schema.
make()
  .tool("none", {}, (args, ctx) => {
    same<typeof args, {}>(true);
    same<typeof ctx, Context & {}>(true);
    return "text";
  })
  .tool(
    "zod",
    { inputSchema: z.object({ a: z.string().transform(Number), b: z.int().default(1) }) },
    (args) => {
      same<typeof args, { a: number; b: number }>(true);
      return "text";
    },
  )
  .tool(
    "valibot",
    { inputSchema: toStandardJsonSchema(v.object({ a: v.optional(v.string(), "d") })) },
    (args) => {
      same<typeof args, { a: string }>(true);
      return "text";
    },
  )
  .tool(
    "arktype",
    { inputSchema: type({ a: "string.numeric.parse", "b?": "'x' | 'y'" }) },
    (args) => {
      same<typeof args, { a: number; b?: "x" | "y" }>(true);
      return "text";
    },
  )
  .tool(
    "typebox",
    {
      inputSchema: Type.Object({
        a: Type.Array(Type.Boolean()),
        b: Type.Optional(Type.Union([Type.Literal("x"), Type.Null()])),
      }),
    },
    (args) => {
      same<typeof args, { readonly a: readonly boolean[]; readonly b?: "x" | null }>(true);
      return "text";
    },
  )
  .tool(
    "typebox, all optional",
    { inputSchema: Type.Object({ a: Type.Optional(Type.Number()) }) },
    (args) => {
      same<typeof args, { readonly a?: number }>(true);
      return "text";
    },
  )
  .tool(
    "typebox, further",
    {
      inputSchema: Type.Object({
        e: Type.Enum(["p", "q"]),
        i: Type.Intersect([Type.Object({ x: Type.Number() }), Type.Object({ y: Type.String() })]),
        r: Type.Record(Type.String(), Type.Number()),
      }),
    },
    ({ e, i, r }) => {
      same<typeof e, "p" | "q">(true);
      same<typeof i.x, number>(true);
      same<typeof i.y, string>(true);
      same<typeof r, { readonly [name: string]: unknown }>(true);
      return "text";
    },
  )
  .tool(
    "zod/mini, wrapped",
    { inputSchema: withJsonSchema(mini.object({ a: mini.string() }), () => ({ type: "object" })) },
    (args) => {
      same<typeof args, { a: string }>(true);
      return "text";
    },
  );

// JSON Schema literals need no `as const`.
make().tool(
  "json",
  {
    inputSchema: {
      type: "object",
      properties: {
        text: { type: "string", minLength: 1, "x-mcp-header": "Text" },
        count: { type: "integer" },
        unit: { enum: ["C", "F"] },
        fixed: { const: 3 },
        list: { type: "array", items: { type: "object", properties: { n: { type: "number" } } } },
        maybe: { type: ["string", "null"] },
        either: { anyOf: [{ type: "boolean" }, { type: "null" }] },
        one: { oneOf: [{ const: "a" }, { const: "b" }] },
        both: {
          allOf: [
            { type: "object", properties: { x: { type: "string" } }, required: ["x"] },
            { type: "object", properties: { y: { type: "string" } } },
          ],
        },
        tuple: { type: "array", prefixItems: [{ type: "string" }] },
        record: { type: "object", additionalProperties: { type: "number" } },
        any: {},
        yes: true,
        ref: { $ref: "#/$defs/x" },
      },
      required: ["text", "list"],
    },
  },
  (args) => {
    same<typeof args.text, string>(true);
    same<typeof args.count, number | undefined>(true);
    same<typeof args.unit, "C" | "F" | undefined>(true);
    same<typeof args.fixed, 3 | undefined>(true);
    same<typeof args.list, readonly { readonly n?: number }[]>(true);
    same<typeof args.maybe, string | null | undefined>(true);
    same<typeof args.either, boolean | null | undefined>(true);
    same<typeof args.one, "a" | "b" | undefined>(true);
    same<NonNullable<typeof args.both>["x"], string>(true);
    same<NonNullable<typeof args.both>["y"], string | undefined>(true);
    same<typeof args.tuple, readonly unknown[] | undefined>(true);
    same<typeof args.record, { readonly [name: string]: unknown } | undefined>(true);
    same<typeof args.any, unknown>(true);
    same<typeof args.yes, unknown>(true);
    same<typeof args.ref, unknown>(true);
    return "text";
  },
);

// Schemas of unknown static type.
declare const imported: { type: string; properties: { a: { type: string } } };
declare const anySchema: JsonSchema;
make()
  .tool("imported", { inputSchema: imported }, (args) => {
    same<typeof args, { readonly [name: string]: unknown }>(true);
    return "text";
  })
  .tool("any", { inputSchema: anySchema }, (args) => String(args["a"]));

// Return values without `outputSchema`.
make()
  .tool("text", {}, () => "text")
  .tool("promised text", {}, async () => "text")
  .tool("thenable", {}, (): PromiseLike<string> => Promise.resolve("text"))
  .tool("block", {}, () => ({ type: "text", text: "x" }))
  .tool("blocks", {}, async () => [
    { type: "text", text: "x", annotations: { audience: ["user"] } },
  ])
  .tool("no blocks", {}, () => [])
  .tool("link", {}, () => [{ type: "resource_link", uri: "a://b", name: "b" }])
  .tool("resource", {}, () => [{ type: "resource", resource: { uri: "a://b", text: "x" } }])
  .tool("result", {}, () => ({
    content: [{ type: "text", text: "x" }],
    structuredContent: { a: 1 },
  }))
  .tool("error", {}, () => ({ content: [{ type: "text", text: "x" }], isError: true }))
  .tool("throws", {}, () => {
    throw new Error("no");
  })
  // @ts-expect-error nothing is no answer
  .tool("nothing", {}, () => {})
  // @ts-expect-error nor is a promise of nothing
  .tool("promised nothing", {}, async () => {})
  // @ts-expect-error a number needs an outputSchema
  .tool("number", {}, () => 3)
  // @ts-expect-error so does an object
  .tool("object", {}, () => ({ celsius: 3 }))
  // @ts-expect-error a block of unknown type
  .tool("unknown block", {}, () => [{ type: "txt", text: "x" }])
  // @ts-expect-error a block without its text
  .tool("incomplete block", {}, () => ({ type: "text" }));

// Return values with `outputSchema`: its input side, or a whole result.
const unit = z.object({ unit: z.enum(["C", "F"]) });
make()
  .tool("value", { outputSchema: unit }, () => ({ unit: "C" }))
  .tool("promised value", { outputSchema: unit }, async () => ({ unit: "C" }))
  .tool("one of two values", { outputSchema: unit }, () =>
    info.name === "x" ? { unit: "C" } : { unit: "F" },
  )
  .tool("structured", { outputSchema: unit }, () => ({
    content: [],
    structuredContent: { unit: "C" },
  }))
  .tool("failed", { outputSchema: unit }, () => ({
    content: [{ type: "text", text: "no" }],
    isError: true,
  }))
  .tool("input side", { outputSchema: z.object({ a: z.number().default(1) }) }, () => ({}))
  .tool("list", { outputSchema: z.array(z.literal("a")) }, () => ["a"])
  .tool("tuple", { outputSchema: z.tuple([z.literal("a"), z.number()]) }, () => ["a", 1])
  .tool("string", { outputSchema: z.enum(["a", "b"]) }, () => "a")
  .tool("null", { outputSchema: z.null() }, () => null)
  .tool("true", { outputSchema: z.literal(true) }, () => true)
  .tool("content of its own", { outputSchema: z.object({ content: z.string() }) }, () => ({
    content: "x",
  }))
  .tool(
    "json",
    { outputSchema: { type: "object", properties: { u: { enum: ["C"] } }, required: ["u"] } },
    () => ({ u: "C" }),
  )
  .tool("typebox", { outputSchema: Type.Object({ u: Type.Literal("C") }) }, () => ({ u: "C" }))
  .tool("arktype", { outputSchema: type({ u: "'C'" }) }, () => ({ u: "C" }))
  // @ts-expect-error another literal
  .tool("wrong literal", { outputSchema: unit }, () => ({ unit: "K" }))
  // @ts-expect-error a member is missing
  .tool("missing", { outputSchema: unit }, () => ({}))
  // @ts-expect-error text alone is not the value
  .tool("text alone", { outputSchema: unit }, () => "C")
  // @ts-expect-error content alone is not the value
  .tool("content alone", { outputSchema: unit }, () => ({ content: [{ type: "text", text: "x" }] }))
  // @ts-expect-error the value inside a whole result is checked as well
  .tool("inside", { outputSchema: unit }, () => ({ content: [], structuredContent: { unit: 1 } }))
  // @ts-expect-error nothing
  .tool("nothing", { outputSchema: unit }, () => {})
  // @ts-expect-error json
  .tool("wrong json", { outputSchema: { type: "array", items: { type: "string" } } }, () => [1]);

// Schemas that cannot say their JSON Schema are refused where they are written.
make()
  // @ts-expect-error a bare valibot schema
  .tool("valibot", { inputSchema: v.object({ a: v.string() }) }, () => "x")
  // @ts-expect-error zod/mini
  .tool("mini", { inputSchema: mini.object({ a: mini.string() }) }, () => "x")
  // @ts-expect-error not a schema
  .tool("text", { inputSchema: "string" }, () => "x")
  // @ts-expect-error an object that is no schema
  .tool("date", { inputSchema: new Date() }, () => "x")
  // @ts-expect-error properties must be schemas
  .tool("shape", { inputSchema: { type: "object", properties: { a: "string" } } }, () => "x")
  // @ts-expect-error an argument that does not exist
  .tool("args", { inputSchema: z.object({ a: z.string() }) }, ({ b }) => String(b))
  // @ts-expect-error no extension brought this member
  .tool("task", {}, async (_, ctx) => ctx.task.id);

// Everything a configuration may say.
make().tool(
  "all",
  {
    title: "All",
    description: undefined,
    annotations: { readOnlyHint: true },
    icons: [{ src: "data:image/png;base64,", sizes: ["any"], theme: "dark" }],
    _meta: { "a.example/x": 1 },
    requires: { elicitation: {} },
    scopes: ["read"],
    visible: (principal) => principal?.clientId === "x",
  },
  () => "x",
);

// Prompts: arguments are strings on the wire.
const onlyA = z.object({ a: z.string() });
declare const numbers: {
  readonly type: "object";
  readonly properties: { readonly n: { readonly type: "number" } };
};
make()
  .prompt("none", {}, (args) => {
    same<typeof args, {}>(true);
    return "text";
  })
  .prompt(
    "zod",
    {
      argsSchema: z.object({ code: z.string(), lines: z.string().optional() }),
      complete: {
        code: (value, others, ctx) => (ctx.signal.aborted ? [] : [value, ...Object.values(others)]),
        lines: () => ({ values: ["1"], total: 2 }),
      },
    },
    ({ code }) => [{ role: "user", content: { type: "text", text: code } }],
  )
  .prompt(
    "json",
    {
      argsSchema: { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
      complete: { a: async () => [] },
    },
    ({ a }) => ({
      description: "x",
      messages: [{ role: "assistant", content: { type: "text", text: a } }],
    }),
  )
  .prompt("message", {}, () => ({ role: "user", content: { type: "text", text: "x" } }))
  // @ts-expect-error numbers cannot be sent
  .prompt("number", { argsSchema: z.object({ n: z.number() }) }, () => "x")
  // @ts-expect-error nor in plain JSON Schema
  .prompt("json number", { argsSchema: numbers }, () => "x")
  // @ts-expect-error completion of an unknown argument
  .prompt("completion", { argsSchema: onlyA, complete: { b: () => [] } }, () => "x")
  // @ts-expect-error nothing is no prompt
  .prompt("nothing", {}, () => {})
  // @ts-expect-error a role of the specification
  .prompt("role", {}, () => [{ role: "system", content: { type: "text", text: "x" } }]);

// Resources and templates.
make()
  .resource("a://b", { mimeType: "text/plain", size: 3, cacheHints: { ttlMs: 1_000 } }, () => "x")
  .resource("a://c", {}, async () => new Uint8Array(1))
  .resource("a://d", {}, (ctx) => ({ contents: [{ uri: "a://d", blob: String(ctx.round) }] }))
  .resourceTemplate("a://{b}/{c*}{?d}", { complete: { b: () => [], d: () => [] } }, (variables) => {
    same<typeof variables.b, string>(true);
    same<typeof variables.c, readonly string[]>(true);
    same<typeof variables.d, string | undefined>(true);
    return "x";
  })
  // @ts-expect-error a variable the template does not have
  .resourceTemplate("a://{b}", {}, ({ c }) => String(c))
  // @ts-expect-error completion of a variable it does not have
  .resourceTemplate("a://{b}", { complete: { c: () => [] } }, () => "x")
  // @ts-expect-error an object is no resource
  .resource("a://e", {}, () => ({ a: 1 }));

// Clients know what the server's type knows.
const extra = defineTool("double", { inputSchema: z.object({ n: z.coerce.number() }) }, ({ n }) =>
  String(n * 2),
);
const server = createServer(info)
  .tool(
    "forecast",
    {
      inputSchema: z.object({ city: z.string(), days: z.int().default(1) }),
      outputSchema: z.object({ at: z.string().default("now") }),
    },
    () => ({}),
  )
  .tool("now", {}, () => "x")
  .tool(
    "search",
    { inputSchema: { type: "object", properties: { q: { type: "string" } } } },
    () => "x",
  )
  .add(
    extra,
    defineTool("pick", { outputSchema: z.enum(["p", "q"]) }, () => "p"),
  )
  .prompt("review", { argsSchema: z.object({ code: z.string() }) }, ({ code }) => code)
  .prompt("plain", {}, () => "x")
  .resource("a://b", {}, () => "x")
  .use((call, context, next) => next(call, context));
const client = createClient(server);
same<typeof client, ClientOf<typeof server>>(true);

export async function calls(): Promise<void> {
  const forecast = await client.callTool("forecast", { city: "Oslo" }, { timeoutMs: 1_000 });
  same<ValueOf<typeof forecast>, { at: string }>(true);
  if (forecast.isError) same<typeof forecast.isError, true>(true);
  else same<typeof forecast.structuredContent, { at: string }>(true);
  const now = await client.callTool("now");
  same<ValueOf<typeof now>, undefined>(true);
  await client.callTool("now", {}, { onProgress: ({ progress }) => progress });
  await client.callTool("search");
  await client.callTool("search", { q: "x" });
  await client.callTool("double", { n: "3" });
  const pick = await client.callTool("pick");
  same<ValueOf<typeof pick>, "p" | "q">(true);
  await client.getPrompt("review", { code: "x" });
  await client.getPrompt("plain");

  // @ts-expect-error unknown tool
  await client.callTool("forecst", { city: "Oslo" });
  // @ts-expect-error arguments are required
  await client.callTool("forecast");
  // @ts-expect-error so is each of them
  await client.callTool("forecast", {});
  // @ts-expect-error of the type that is sent
  await client.callTool("forecast", { city: 3 });
  // @ts-expect-error an argument too many
  await client.callTool("search", { q: "x", r: 1 });
  // @ts-expect-error unknown prompt
  await client.getPrompt("reviw", { code: "x" });
  // @ts-expect-error the prompt has an argument
  await client.getPrompt("review");
}

// A client of a server built by statements, or of a bare exchange, takes any name.
declare const exchange: Exchange;
export async function untyped(): Promise<void> {
  const statements = createServer(info);
  statements.tool("a", {}, () => "x");
  for (const unknown of [createClient(statements), createClient(exchange)]) {
    const result: ToolResult = await unknown.callTool("any", { a: 1 });
    await unknown.callTool("other");
    await unknown.getPrompt("any", { a: "x" });
    await unknown.getPrompt("other");
    if (!result.isError) same<typeof result.structuredContent, unknown>(true);
    // @ts-expect-error prompts take strings
    await unknown.getPrompt("any", { a: 1 });
  }
}

// A server with tools is a server.
function register(target: Server): Server {
  return target.tool("registered", {}, () => "x");
}
register(server);

interface WithTask {
  readonly task: { readonly id: string };
}
declare const extended: Server<{}, {}, { readonly task?: "optional" }, WithTask>;
function registerTask(target: Server<{}, {}, { readonly task?: "optional" }, WithTask>): void {
  target.tool("slow", { task: "optional" }, async (_, ctx) => ctx.task.id);
}
registerTask(extended);
// @ts-expect-error the server lacks the extension
registerTask(make());
