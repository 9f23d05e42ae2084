/** What a client makes of the definitions of tools, and of results that do not keep what these promise. */
import { createServer as createHttpServer } from "node:http";
import { describe, expect, test } from "vitest";
import { DecodeError } from "../../base/errors.ts";
import { MAX_DEFINITIONS_BYTES } from "../../base/limits.ts";
import type { JsonObject } from "../../json/value.ts";
import type { Exchange } from "../../protocol/exchange.ts";
import { createClient } from "../create-client.ts";
import type { Client } from "../client.ts";

interface Rig {
  readonly client: Client;
  readonly warnings: readonly string[];
  /** The methods that reached the server. */
  readonly asked: readonly string[];
}

/** A server of these tools; a call gives the `result` that its arguments hold. */
function serving(tools: readonly unknown[], options: object = {}): Rig {
  const warnings: string[] = [];
  const asked: string[] = [];
  const exchange: Exchange = async ({ method, params }) => {
    asked.push(method);
    if (method === "tools/list") return { resultType: "complete", tools };
    const { result } = params["arguments"] as { readonly result: object };
    return { resultType: "complete", content: [], ...result };
  };
  const onWarning = (message: string): void => {
    warnings.push(message);
  };
  return { client: createClient(exchange, { onWarning, ...options }), warnings, asked };
}

const INPUT = { type: "object" } as const;
const toolOf = (outputSchema: unknown, name = "t"): object => ({
  name,
  inputSchema: INPUT,
  outputSchema,
});
const namesOf = async ({ client }: Rig): Promise<readonly string[]> =>
  (await client.listTools()).map(({ name }) => name);

/** Calls a tool that was listed, and has this `outputSchema`; it answers with `structuredContent`. */
async function callWith(outputSchema: unknown, structuredContent: unknown): Promise<unknown> {
  const { client, warnings } = serving([toolOf(outputSchema)]);
  await client.listTools();
  expect(warnings).toEqual([]);
  return client.callTool("t", { result: { structuredContent } });
}

const DEGREES = {
  type: "object",
  properties: { degrees: { type: "number" } },
  required: ["degrees"],
} as const;

describe("structuredContent", () => {
  test.each<readonly [schema: JsonObject, value: unknown]>([
    [DEGREES, { degrees: 5, more: [1] }],
    [{ type: "array", items: { type: "string" } }, ["a"]],
    [{ type: "integer" }, 0],
    [{ type: "null" }, null],
    [{}, false],
    [{ $schema: "http://json-schema.org/draft-07/schema#", items: [{ type: "number" }] }, [1, "x"]],
  ])("TOOLS-50 BR-049 that matches %j arrives as it is: %j", async (schema, value) => {
    await expect(callWith(schema, value)).resolves.toMatchObject({ structuredContent: value });
  });

  test.each<readonly [schema: JsonObject, value: unknown, path: string]>([
    [DEGREES, { degrees: "5" }, "/structuredContent/degrees"],
    [DEGREES, {}, "/structuredContent"],
    [DEGREES, null, "/structuredContent"],
    [DEGREES, undefined, "/structuredContent"],
    [{ type: "integer" }, 0.5, "/structuredContent"],
  ])("TOOLS-50 TOOLS-62 that does not match %j is refused: %j", async (schema, value, path) => {
    const call = callWith(schema, value);
    await expect(call).rejects.toMatchObject({ name: "DecodeError", stage: "decode", path });
  });

  test("the error names the tool and the fault, and shows nothing that acts or hides", async () => {
    const name = "t\u001b[2J\u202e";
    const outputSchema = { enum: ["a\u0007\u200b", "b\n"] };
    const { client } = serving([toolOf(outputSchema, name)]);
    await client.listTools();
    const call = client.callTool(name, { result: { structuredContent: 1 } });
    await expect(call).rejects.toThrow(
      'the structuredContent of tool "t\u{FFFD}[2J\u{FFFD}" breaks its outputSchema: (root) must be one of "a\\u0007\u{FFFD}", "b\\n"',
    );
    const empty = client.callTool(name, { result: {} });
    await expect(empty).rejects.toThrow(
      'tool "t\u{FFFD}[2J\u{FFFD}" has an outputSchema, but its result no structuredContent',
    );
  });

  test("TOOLS-55 a tool that failed promises nothing, and is shown", async () => {
    const { client } = serving([toolOf(DEGREES)]);
    await client.listTools();
    const failed = { isError: true, content: [{ type: "text", text: "no station" }] };
    await expect(client.callTool("t", { result: failed })).resolves.toMatchObject(failed);
    const odd = { ...failed, structuredContent: { degrees: "x" } };
    await expect(client.callTool("t", { result: odd })).resolves.toMatchObject(odd);
  });

  test("BR-049 BR-051 content is left alone, blocks of unknown types among it", async () => {
    const { client } = serving([toolOf(DEGREES)]);
    await client.listTools();
    const result = {
      content: [
        { type: "hologram", data: "AA==" },
        { type: "text", text: "other" },
      ],
      structuredContent: { degrees: 1 },
      _meta: { "com.example/x": 1 },
    };
    await expect(client.callTool("t", { result })).resolves.toEqual({
      resultType: "complete",
      ...result,
    });
  });

  test("a tool that was not listed is called without a further request, and not checked", async () => {
    const { client, asked } = serving([toolOf(DEGREES)]);
    const result = { structuredContent: "wrong" };
    await expect(client.callTool("t", { result })).resolves.toMatchObject(result);
    expect(asked).toEqual(["tools/call"]);
  });

  test("validateOutput: false takes what comes, and every schema", async () => {
    const { client, warnings } = serving([toolOf({ $ref: "#/nowhere" })], {
      validateOutput: false,
    });
    expect(await client.listTools()).toHaveLength(1);
    const result = { structuredContent: "wrong" };
    await expect(client.callTool("t", { result })).resolves.toMatchObject(result);
    expect(warnings).toEqual([]);
  });

  test("the newest list counts", async () => {
    const tools: unknown[] = [toolOf({ type: "string" })];
    const { client } = serving(tools);
    await client.listTools();
    tools.splice(0, 1, toolOf({ type: "number" }));
    await client.listTools();
    await expect(client.callTool("t", { result: { structuredContent: 1 } })).resolves.toBeDefined();
    tools.splice(0, 1, toolOf(undefined));
    await client.listTools();
    await expect(client.callTool("t", { result: {} })).resolves.toBeDefined();
  });
});

describe("definitions that break a rule", () => {
  const good = ["a", "b", "c"].map((name) => ({ name, inputSchema: INPUT }));
  const beside = (bad: unknown): readonly unknown[] => [...good.slice(0, 2), bad, good[2]];

  test.each<readonly [string, unknown]>([
    ["has no inputSchema", { name: "bad" }],
    ["has null", { name: "bad", inputSchema: null }],
    ["has {}", { name: "bad", inputSchema: {} }],
    ["takes an array", { name: "bad", inputSchema: { type: "array" } }],
    ["speaks an unknown dialect", { name: "bad", inputSchema: { ...INPUT, $schema: "urn:x" } }],
    ["names no dialect", { name: "bad", inputSchema: { ...INPUT, $schema: 7 } }],
    ["promises null", toolOf(null, "bad")],
    ["promises by a list", toolOf([], "bad")],
    ["promises by an unknown type", toolOf({ type: "text" }, "bad")],
  ])(
    "BR-053 a tool that %s is left out alone, with a warning that names it",
    async (_title, bad) => {
      const rig = serving(beside(bad));
      expect(await namesOf(rig)).toEqual(["a", "b", "c"]);
      expect(rig.warnings).toEqual([expect.stringMatching(/^tool "bad" is left out: "/)]);
    },
  );

  test.each([null, 5, "x", [], {}, { name: 5, inputSchema: INPUT }])(
    "BR-053 %j among the tools is left out alone",
    async (bad) => {
      const rig = serving(beside(bad));
      expect(await namesOf(rig)).toEqual(["a", "b", "c"]);
      expect(rig.warnings).toEqual(["a tool without a name is left out"]);
    },
  );

  test("BR-101 names are taken as they are", async () => {
    const names = ["a.b", "a/b", "a b", "ä", "Get", "get", "constructor", "__proto__", ""];
    const rig = serving(names.map((name) => toolOf({ const: name }, name)));
    expect(await namesOf(rig)).toEqual(names);
    for (const name of names) {
      const right = rig.client.callTool(name, { result: { structuredContent: name } });
      await expect(right).resolves.toBeDefined();
      const wrong = rig.client.callTool(name, { result: { structuredContent: `${name}!` } });
      await expect(wrong).rejects.toBeInstanceOf(DecodeError);
    }
  });

  test("a page that is kept warns once", async () => {
    const page = { tools: [{ name: "bad", inputSchema: {} }, ...good], ttlMs: 60_000 };
    const warnings: string[] = [];
    const client = createClient(async () => ({ resultType: "complete", ...page }), {
      onWarning: (message) => warnings.push(message),
    });
    expect(await client.listTools()).toHaveLength(3);
    expect(await client.listTools()).toHaveLength(3);
    expect(warnings).toHaveLength(1);
  });
});

describe("schemas of a hostile server", () => {
  test("T-60 JSCH-09 TOOLS-63 nothing is fetched, and a tool whose schema leads elsewhere is left out", async () => {
    let fetched = 0;
    const canary = createHttpServer((_request, response) => {
      fetched += 1;
      response.end("{}");
    });
    await new Promise<void>((resolve) => canary.listen(0, "127.0.0.1", resolve));
    const { port } = canary.address() as { readonly port: number };
    const url = `http://127.0.0.1:${port}/schema`;
    const bad = [
      { $ref: url },
      { $ref: "file:///etc/passwd" },
      { $ref: "data:application/json,{}" },
      { $ref: "other.json#/a" },
      { $schema: url },
      { $schema: "https://json-schema.org/draft/2019-09/schema" },
      { $dynamicRef: url },
      { $id: url, $ref: "sibling" },
      { anyOf: [{ type: "string" }, { $ref: "#/$defs/missing" }] },
    ];
    const rig = serving([...bad.map((schema, index) => toolOf(schema, `bad${index}`)), toolOf({})]);
    expect(await namesOf(rig)).toEqual(["t"]);
    expect(rig.warnings).toHaveLength(bad.length);
    await new Promise((resolve) => canary.close(resolve));
    expect(fetched).toBe(0);
  });

  test("BR-058 references inside a schema hold, recursion among them", async () => {
    const tree = {
      $ref: "#/$defs/node",
      $defs: {
        node: {
          type: "object",
          properties: { "a/b": { type: "number" }, next: { $ref: "#/$defs/node" } },
          required: ["a/b"],
        },
        percent: { $ref: "#/$defs/node/properties/a~1b" },
        encoded: { anyOf: [{ $ref: "#/%24defs/percent" }, { $ref: "#/properties/x" }] },
      },
      properties: { x: { type: "string" }, n: { $ref: "#/$defs/encoded" } },
    };
    const value = { "a/b": 1, next: { "a/b": 2 }, x: "x", n: 3 };
    await expect(callWith(tree, value)).resolves.toBeDefined();
    await expect(callWith(tree, { ...value, n: false })).rejects.toMatchObject({
      path: "/structuredContent/n",
    });
    await expect(callWith(tree, { ...value, next: { "a/b": "2" } })).rejects.toMatchObject({
      path: "/structuredContent/next/a~1b",
    });
  });

  const nested = (depth: number): JsonObject => {
    let schema: JsonObject = {};
    for (let level = 0; level < depth; level += 1) schema = { not: schema };
    return schema;
  };

  test.each<readonly [string, JsonObject]>([
    ["a loop", { $ref: "#" }],
    ["two that lead round", { $ref: "#/$defs/a", $defs: { a: { allOf: [{ $ref: "#" }] } } }],
    ["nesting of 90 levels", nested(90)],
    ["nesting of 5,000 levels", nested(5_000)],
    ["more than 256 KiB", { description: "x".repeat(300_000) }],
    ["a pattern of 2 KiB", { pattern: "a".repeat(2_048) }],
    ["no regular expression", { pattern: "(" }],
  ])("T-61 T-62 T-63 %s leaves the tool out", async (_title, schema) => {
    const rig = serving([toolOf(schema, "bad"), toolOf({})]);
    expect(await namesOf(rig)).toEqual(["t"]);
    expect(rig.warnings).toHaveLength(1);
  });

  test("T-61 a value that is nested too deep is refused, not a crash", async () => {
    let value: unknown = 1;
    for (let level = 0; level < 200_000; level += 1) value = [value];
    const schema = { $ref: "#/$defs/list", $defs: { list: { items: { $ref: "#/$defs/list" } } } };
    await expect(callWith(schema, value)).rejects.toBeInstanceOf(DecodeError);
  });

  test("T-62 a schema that doubles its work with every level is never called a match", async () => {
    const $defs: Record<string, object> = { n0: { type: "string" } };
    for (let level = 1; level <= 40; level += 1) {
      const below = { $ref: `#/$defs/n${level - 1}` };
      $defs[`n${level}`] = { anyOf: [{ allOf: [below] }, { allOf: [below] }] };
    }
    const call = callWith({ $ref: "#/$defs/n40", $defs }, 1);
    await expect(call).rejects.toThrow("is too complex to be checked");
  });

  test.each<JsonObject>([
    { pattern: "^(a+)+$" },
    { patternProperties: { "^(a+)+$": {} }, additionalProperties: false },
    { properties: { deep: { propertyNames: { pattern: "^(a|a)*$" } } } },
    { $ref: "#/$defs/p", $defs: { p: { anyOf: [{ pattern: "^(a*)*b" }, { type: "null" }] } } },
  ])("T-63 an expression of the server is never run: %j", async (schema) => {
    const rig = serving([toolOf(schema)]);
    expect(await namesOf(rig)).toEqual(["t"]);
    expect(rig.warnings).toEqual([
      'results of tool "t" are not checked: its outputSchema has regular expressions',
    ]);
    const hostile = `${"a".repeat(60)}!`;
    for (const structuredContent of [hostile, { [hostile]: 1 }, { deep: { [hostile]: 1 } }]) {
      const call = rig.client.callTool("t", { result: { structuredContent } });
      await expect(call).resolves.toMatchObject({ structuredContent });
    }
  });

  test("a property that is called pattern is none", async () => {
    const schema = { type: "object", properties: { pattern: { type: "number" } } };
    await expect(callWith(schema, { pattern: "x" })).rejects.toBeInstanceOf(DecodeError);
  });

  test("T-62 a schema the engine cannot take on is never called a match either", async () => {
    const names = Array.from({ length: 9_000 }, (_, index) => [`p${index}`, { type: "string" }]);
    const schema = { type: "object", properties: Object.fromEntries(names) as object };
    await expect(callWith(schema, {})).rejects.toMatchObject({
      name: "DecodeError",
      message: 'the outputSchema of tool "t" cannot be checked by',
      cause: expect.any(TypeError),
    });
  });

  test.each([
    ["a", "b"],
    ["b", "a"],
  ])("T-64 two tools with the same $id keep to their own rules (%s first)", async (...order) => {
    const $id = "https://example.com/same";
    const schemas: Readonly<Record<string, object>> = {
      a: { $id, $ref: "#same", $defs: { s: { $anchor: "same", type: "string" } } },
      b: { $id, $ref: "#same", $defs: { s: { $anchor: "same", type: "number" } } },
    };
    const { client } = serving(order.map((name) => toolOf(schemas[name], name)));
    await client.listTools();
    const outcome = (name: string, structuredContent: unknown): Promise<string> =>
      client.callTool(name, { result: { structuredContent } }).then(
        () => "taken",
        () => "refused",
      );
    expect([
      await outcome("a", "x"),
      await outcome("a", 1),
      await outcome("b", "x"),
      await outcome("b", 1),
    ]).toEqual(["taken", "refused", "refused", "taken"]);
  });

  test("what tools promise is remembered in bounds: the oldest are forgotten", async () => {
    const description = "x".repeat(250_000);
    const count = Math.floor(MAX_DEFINITIONS_BYTES / description.length) + 1;
    const tools = Array.from({ length: count }, (_, index) =>
      toolOf({ description, type: "string" }, `t${index}`),
    );
    const rig = serving(tools);
    expect(await namesOf(rig)).toHaveLength(count);
    const call = (name: string): Promise<unknown> =>
      rig.client.callTool(name, { result: { structuredContent: 1 } });
    await expect(call("t0")).resolves.toBeDefined();
    await expect(call("t1")).rejects.toBeInstanceOf(DecodeError);
    await expect(call(`t${count - 1}`)).rejects.toBeInstanceOf(DecodeError);
  });
});
