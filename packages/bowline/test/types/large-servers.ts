/** How a generated server writes its schemas: seven fields, one nested object, an enum and defaults. */
export interface Style {
  readonly imports: string;
  readonly input: (tool: number) => string;
  readonly output: (tool: number) => string;
}

export const ZOD: Style = {
  imports: `import * as z from "zod";`,
  input: (n) => `z.object({
    city: z.string().min(1).describe("City ${n}"),
    days: z.number().int().min(1).max(14).default(3),
    unit: z.enum(["C", "F", "K${n}"]).default("C"),
    language: z.string().optional().describe("Language"),
    tags: z.array(z.string()).default([]),
    detailed: z.boolean().default(false),
    position: z.object({ latitude: z.number(), longitude: z.number(), label: z.string().optional() }).optional(),
  })`,
  output: (n) =>
    `z.object({ id: z.literal("r${n}"), unit: z.enum(["C", "F"]), values: z.array(z.number()) })`,
};

export const ARKTYPE: Style = {
  imports: `import { type } from "arktype";`,
  input: (n) => `type({
    city: "string > 0",
    days: "1 <= number.integer <= 14 = 3",
    unit: "'C' | 'F' | 'K${n}' = 'C'",
    "language?": "string",
    "tags?": "string[]",
    detailed: "boolean = false",
    "position?": { latitude: "number", longitude: "number", "label?": "string" },
  })`,
  output: (n) => `type({ id: "'r${n}'", unit: "'C' | 'F'", values: "number[]" })`,
};

export const VALIBOT: Style = {
  imports: `import * as v from "valibot"; import { toStandardJsonSchema } from "@valibot/to-json-schema";`,
  input: (n) => `toStandardJsonSchema(v.object({
    city: v.pipe(v.string(), v.minLength(1), v.description("City ${n}")),
    days: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(14)), 3),
    unit: v.optional(v.picklist(["C", "F", "K${n}"]), "C"),
    language: v.optional(v.string()),
    tags: v.optional(v.array(v.string()), []),
    detailed: v.optional(v.boolean(), false),
    position: v.optional(v.object({ latitude: v.number(), longitude: v.number(), label: v.optional(v.string()) })),
  }))`,
  output: (n) =>
    `toStandardJsonSchema(v.object({ id: v.literal("r${n}"), unit: v.picklist(["C", "F"]), values: v.array(v.number()) }))`,
};

export const TYPEBOX: Style = {
  imports: `import { Type } from "typebox";`,
  input: (n) => `Type.Object({
    city: Type.String({ minLength: 1, description: "City ${n}" }),
    days: Type.Integer({ minimum: 1, maximum: 14 }),
    unit: Type.Union([Type.Literal("C"), Type.Literal("F"), Type.Literal("K${n}")]),
    language: Type.Optional(Type.String()),
    tags: Type.Array(Type.String()),
    detailed: Type.Boolean({ default: false }),
    position: Type.Optional(Type.Object({ latitude: Type.Number(), longitude: Type.Number(), label: Type.Optional(Type.String()) })),
  })`,
  output: (n) =>
    `Type.Object({ id: Type.Literal("r${n}"), unit: Type.Union([Type.Literal("C"), Type.Literal("F")]), values: Type.Array(Type.Number()) })`,
};

export const JSON_SCHEMA: Style = {
  imports: "",
  input: (n) => `{
    type: "object",
    properties: {
      city: { type: "string", minLength: 1, description: "City ${n}" },
      days: { type: "integer", minimum: 1, maximum: 14, default: 3 },
      unit: { enum: ["C", "F", "K${n}"], default: "C" },
      language: { type: "string" },
      tags: { type: "array", items: { type: "string" }, default: [] },
      detailed: { type: "boolean", default: false },
      position: {
        type: "object",
        properties: { latitude: { type: "number" }, longitude: { type: "number" }, label: { type: "string" } },
        required: ["latitude", "longitude"],
      },
    },
    required: ["city", "days", "unit", "tags"],
  }`,
  output: (n) => `{
    type: "object",
    properties: { id: { const: "r${n}" }, unit: { enum: ["C", "F"] }, values: { type: "array", items: { type: "number" } } },
    required: ["id", "unit", "values"],
  }`,
};

const IMPORTS = `import { createServer, defineTool } from "bowline/server";`;
const START = `createServer({ name: "large", version: "1.0.0" })`;

const toolOf = ({ input, output }: Style, n: number): string =>
  `("tool_${n}", { description: "Tool ${n}", inputSchema: ${input(n)}, outputSchema: ${output(n)} },
  async ({ city, days, unit, tags }, ctx) => {
    await ctx.progress(1, 2);
    return { id: "r${n}", unit: unit === "F" ? "F" : "C", values: [city.length, Number(days), tags?.length ?? 0] };
  })`;
const tools = (style: Style, count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => toolOf(style, n));

/** One expression: `createServer(…).tool(…).tool(…)…`. */
export function chained(style: Style, count: number): string {
  const calls = tools(style, count).map((tool) => `  .tool${tool}`);
  return `${IMPORTS}\n${style.imports}\nexport const server = ${START}\n${calls.join("\n")};\n`;
}

/** Definitions of their own, and one `add` of all. */
export function added(style: Style, count: number): string {
  const definitions = tools(style, count).map((tool, n) => `const tool_${n} = defineTool${tool};`);
  const names = definitions.map((_, n) => `tool_${n}`);
  return `${IMPORTS}\n${style.imports}\n${definitions.join("\n")}\nexport const server = ${START}.add(${names.join(", ")});\n`;
}

/** A client that only knows the declarations of a server. */
export const clientOf = (module: string): string => `
import { createClient } from "bowline/client";
import type { server } from "./out/${module}.js";
declare const given: typeof server;
const client = createClient(given);
const result = await client.callTool("tool_7", { city: "Oslo", days: 1, unit: "K7", tags: [] });
export const id: "r7" | undefined = result.isError ? undefined : result.structuredContent.id;
// @ts-expect-error not one of the units
await client.callTool("tool_7", { city: "Oslo", days: 1, unit: "K8", tags: [] });
// @ts-expect-error no such tool
await client.callTool("tool_200", { city: "Oslo", days: 1, unit: "C", tags: [] });
`;

/** One of each way to register, and the clients of such servers, all exported. */
export const everyKind = `
import { createClient } from "bowline/client";
import type { JsonSchema } from "bowline/schema";
import { createServer, defineTool } from "bowline/server";
import * as z from "zod";
declare const schema: JsonSchema;
export const tool = defineTool("defined", { inputSchema: schema }, () => "x");
export const server = createServer({ name: "every", version: "1.0.0" })
  .tool("none", {}, () => "x")
  .tool("json", { inputSchema: schema, outputSchema: schema }, () => 3)
  .tool("zod", { outputSchema: z.string() }, () => "x")
  .add(tool)
  .prompt("prompt", { argsSchema: z.object({ a: z.string() }) }, ({ a }) => a)
  .prompt("plain", { argsSchema: { type: "object" } }, () => "x")
  .resource("a://b", {}, () => "x")
  .resourceTemplate("a://{b}{?c*}", {}, ({ b }) => b);
export const client = createClient(server);
export const untyped = createClient(createServer({ name: "bare", version: "1.0.0" }));
export const result = await client.callTool("json", { any: 1 });
export const discovered = await client.discover();
export const tools = await client.listTools();
export const prompts = await client.listPrompts();
export const resources = await client.listResources();
export const templates = await client.listResourceTemplates();
export const read = await client.readResource("a://b");
export const prompted = await client.getPrompt("plain");
export const completed = await client.complete({ ref: { type: "ref/prompt", name: "plain" }, argument: { name: "a", value: "" } });
`;
