import { type } from "arktype";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { refusal, send } from "../../test/calls.ts";
import { RpcError } from "../base/errors.ts";
import { createServer } from "./create-server.ts";
import type { ServerOptions } from "./options.ts";
import { ToolError } from "./tool-error.ts";

const INFO = { name: "test", version: "1.0.0" };
const META = { "io.modelcontextprotocol/serverInfo": INFO };
const text = (value: string) => [{ type: "text", text: value }];

/** A server with one tool that returns a value its types would not allow. */
const returning = (value: unknown, config: object = {}, options: ServerOptions = {}) =>
  createServer(INFO, { onError: () => undefined, ...options }).tool(
    "t",
    config,
    () => value as string,
  );
const call = (server: ReturnType<typeof createServer>, args?: object) =>
  send(server, "tools/call", {
    name: "t",
    ...(args === undefined ? {} : { arguments: args as {} }),
  });

describe("arguments", () => {
  const forecast = createServer(INFO).tool(
    "t",
    { inputSchema: z.object({ city: z.string(), days: z.int().optional() }) },
    ({ city, days = 1 }) => `${city} ${days}`,
  );

  test("TOOLS-13 the handler gets checked arguments and its text is the content", async () => {
    expect(await call(forecast, { city: "Oslo", days: 2 })).toEqual({
      resultType: "complete",
      content: text("Oslo 2"),
      _meta: META,
    });
  });

  test.each([
    ["TOOLS-56 BR-046 of the wrong type", { city: 1 }, "- /city: "],
    ["TOOLS-52 BR-046 that are missing", {}, "- /city: "],
  ])("%s are told to the model, and no handler runs", async (_title, args, line) => {
    const result = await call(forecast, args);
    expect(result).toMatchObject({ resultType: "complete", isError: true });
    expect(JSON.stringify(result["content"])).toContain('invalid arguments for tool \\"t\\"');
    expect(JSON.stringify(result["content"])).toContain(line);
  });

  test("TOOLS-51 arguments that are no object are a malformed request", async () => {
    const params = { name: "t", arguments: ["Oslo"] };
    expect(await refusal(forecast, "tools/call", params)).toEqual({
      code: -32602,
      message: "params.arguments is not an object",
    });
  });

  test("TOOLS-51 a call without a name is a malformed request", async () => {
    expect(await refusal(forecast, "tools/call", { name: 5 })).toEqual({
      code: -32602,
      message: "params.name is not a string",
    });
  });

  test("BR-061 a tool without parameters takes no arguments or an empty object", async () => {
    const plain = returning("done");
    for (const args of [undefined, {}])
      expect(await call(plain, args)).toMatchObject({ content: text("done") });
    expect(await send(plain, "tools/call", { name: "t", arguments: null })).toEqual({
      resultType: "complete",
      content: text('the arguments of tool "t" are null, not an object'),
      isError: true,
      _meta: META,
    });
    expect(await call(plain, { extra: 1 })).toMatchObject({
      content: text('invalid arguments for tool "t"\n- (root): must not have the property "extra"'),
      isError: true,
    });
  });

  test("BR-061 absent arguments are an empty object for optional parameters", async () => {
    const optional = createServer(INFO).tool(
      "t",
      { inputSchema: z.object({ n: z.number().optional() }) },
      (args) => JSON.stringify(args),
    );
    expect(await call(optional)).toMatchObject({ content: text("{}") });
  });

  test("defaults and transformations reach the handler", async () => {
    const server = createServer(INFO).tool(
      "t",
      { inputSchema: z.object({ n: z.string().transform(Number), unit: z.string().default("C") }) },
      ({ n, unit }) => `${n + 1} ${unit}`,
    );
    expect(await call(server, { n: "1" })).toMatchObject({ content: text("2 C") });
  });

  test("schemas of another library and plain JSON Schema work alike", async () => {
    const input = {
      type: "object",
      properties: { n: { type: "number" } },
      required: ["n"],
    } as const;
    for (const inputSchema of [type({ n: "number" }), input]) {
      const server = createServer(INFO).tool("t", { inputSchema }, ({ n }) => `${n}`);
      expect(await call(server, { n: 1 })).toMatchObject({ content: text("1") });
      expect(await call(server, { n: "1" })).toMatchObject({ isError: true });
    }
  });

  test("a schema that checks asynchronously is waited for", async () => {
    const inputSchema = z.object({ n: z.number().refine(async (n) => n > 0, "too small") });
    const server = createServer(INFO).tool("t", { inputSchema }, ({ n }) => `${n}`);
    expect(await call(server, { n: 1 })).toMatchObject({ content: text("1") });
    expect(await call(server, { n: -1 })).toMatchObject({
      content: text('invalid arguments for tool "t"\n- /n: too small'),
      isError: true,
    });
  });
});

describe("names", () => {
  test.each(["constructor", "__proto__", "toString", "hasOwnProperty", "prototype"])(
    "T-03 TOOLS-29 a tool may be called %s, and is unknown as long as there is none",
    async (name) => {
      const server = createServer(INFO).tool("other", {}, () => "other");
      expect(await refusal(server, "tools/call", { name })).toEqual({
        code: -32602,
        message: `tool "${name}" not found`,
      });
      server.tool(name, {}, () => "mine");
      expect(await send(server, "tools/call", { name })).toMatchObject({ content: text("mine") });
      expect(server.headerParameters(name)).toEqual([]);
      expect(server.removeTool(name)).toBe(true);
      expect(await refusal(server, "tools/call", { name })).toMatchObject({ code: -32602 });
    },
  );

  test("TOOLS-51 BR-046 an unknown tool is a protocol error", async () => {
    expect(await refusal(returning("x"), "tools/call", { name: "T" })).toEqual({
      code: -32602,
      message: 'tool "T" not found',
    });
  });

  test.each(["", "two words", "a,b", "ä", "a".repeat(129), "a\n"])(
    "TOOLS-28 TOOLS-30 TOOLS-31 refuses the name %j",
    (name) => {
      expect(() => createServer(INFO).tool(name, {}, () => "x")).toThrow(
        `tool ${JSON.stringify(name)}: a name is made of 1 to 128 of the characters A-Z a-z 0-9 _ - .`,
      );
    },
  );

  test("TOOLS-32 refuses a name that is taken, and keeps the first tool", async () => {
    const server = returning("first");
    expect(() => server.tool("t", {}, () => "second")).toThrow(
      new TypeError('tool "t": the name is taken'),
    );
    expect(await call(server)).toMatchObject({ content: text("first") });
  });
});

describe("results", () => {
  const image = { type: "image", data: "aGk=", mimeType: "image/png" };
  const link = { type: "resource_link", uri: "a:b", name: "b" };
  const embedded = {
    type: "resource",
    resource: { uri: "a:b", mimeType: "text/plain", text: "x" },
  };
  const blob = {
    type: "resource",
    resource: { uri: "a:b", mimeType: "application/pdf", blob: "aGk=" },
  };
  const audio = { type: "audio", data: "aGk=", mimeType: "audio/wav" };
  const annotated = {
    type: "text",
    text: "x",
    annotations: { priority: 1 },
    _meta: { "a.b/c": 1 },
  };

  test.each([image, audio, link, embedded, blob, annotated, { type: "hologram", depth: 3 }])(
    "TOOLS-41 TOOLS-42 TOOLS-43 TOOLS-45 BR-051 a block arrives as it is: $type",
    async (block) => {
      expect(await call(returning(block))).toEqual({
        resultType: "complete",
        content: [block],
        _meta: META,
      });
      expect(await call(returning([block, block]))).toMatchObject({ content: [block, block] });
    },
  );

  test("BR-049 a whole result keeps content, structuredContent and _meta", async () => {
    const whole = {
      content: text("note"),
      structuredContent: { a: [1, null] },
      _meta: { "example.com/x": 1 },
    };
    expect(await call(returning(whole))).toEqual({
      resultType: "complete",
      ...whole,
      _meta: { "example.com/x": 1, ...META },
    });
  });

  test.each([
    ["undefined", undefined],
    ["null", null],
    ["a number", 5],
    ["a block without type", [{ text: "x" }]],
    ["text without text", { type: "text" }],
    ["an image without type of media", { type: "image", data: "aGk=" }],
    ["an image that is not Base64", { type: "image", data: "a b", mimeType: "image/png" }],
    ["a media type that is none", { type: "image", data: "aGk=", mimeType: "png" }],
    [
      "a resource with text and blob",
      { type: "resource", resource: { uri: "a:b", text: "", blob: "" } },
    ],
    ["a resource with neither", { type: "resource", resource: { uri: "a:b" } }],
    ["a link without name", { type: "resource_link", uri: "a:b" }],
    ["an isError that is no boolean", { content: [], isError: "yes" }],
    ["a foreign resultType", { content: [], resultType: "task" }],
    ["a _meta that is no object", { content: [], _meta: "x" }],
  ])("T-11 TOOLS-59 refuses %s and shows nothing of it", async (_title, value) => {
    const faults: unknown[] = [];
    const server = returning(value, {}, { onError: (error) => faults.push(error) });
    expect(await refusal(server, "tools/call", { name: "t" })).toEqual({
      code: -32603,
      message: "Internal error",
      data: { ref: expect.any(String) },
    });
    expect(faults).toEqual([expect.any(TypeError)]);
  });
});

describe("structured results", () => {
  const outputSchema = z.object({ celsius: z.number() });

  test("TOOLS-48 TOOLS-49 a value is sent as it is and as JSON text", async () => {
    expect(await call(returning({ celsius: 21 }, { outputSchema }))).toEqual({
      resultType: "complete",
      content: text('{"celsius":21}'),
      structuredContent: { celsius: 21 },
      _meta: META,
    });
  });

  test.each([
    ["null", z.null(), null],
    ["a list", z.array(z.number()), [1, 2]],
    ["a text", z.string(), "x"],
    ["zero", z.number(), 0],
    ["false", z.boolean(), false],
  ])("TOOLS-23 TOOLS-47 the value may be %s", async (_title, schema, value) => {
    expect(await call(returning(value, { outputSchema: schema }))).toEqual({
      resultType: "complete",
      content: text(JSON.stringify(value)),
      structuredContent: value,
      _meta: META,
    });
  });

  test("BR-048 TOOLS-49 a value with members its schema forbids is a fault, and never sent", async () => {
    const closed = {
      type: "object",
      properties: { rows: { type: "array" } },
      additionalProperties: false,
    } as const;
    const noted = returning({ rows: [], note: "truncated" }, { outputSchema: closed });
    expect(await refusal(noted, "tools/call", { name: "t" })).toMatchObject({ code: -32603 });
    expect(await call(returning({ rows: [1] }, { outputSchema: closed }))).toMatchObject({
      structuredContent: { rows: [1] },
    });
  });

  test("TOOLS-49 what validation gives is what is sent", async () => {
    const surplus = returning({ celsius: 21, secret: "x" }, { outputSchema });
    expect(await call(surplus)).toMatchObject({
      content: text('{"celsius":21}'),
      structuredContent: { celsius: 21 },
    });
  });

  test("TOOLS-49 T-11 a value that breaks the schema is a fault of the server", async () => {
    const faults: unknown[] = [];
    const onError = (error: unknown) => faults.push(error);
    for (const value of [{ celsius: "hot" }, { content: [], structuredContent: {} }, "21"]) {
      const server = returning(value, { outputSchema }, { onError });
      expect(await refusal(server, "tools/call", { name: "t" })).toMatchObject({ code: -32603 });
    }
    expect(faults.map(String)).toEqual([
      expect.stringContaining("the handler's value breaks its outputSchema\n- /celsius: "),
      expect.stringContaining("- /celsius: "),
      expect.stringContaining("- (root): "),
    ]);
  });

  test("BR-049 a whole result keeps its own text beside the checked value", async () => {
    const whole = { content: text("warm"), structuredContent: { celsius: 21 } };
    expect(await call(returning(whole, { outputSchema }))).toMatchObject(whole);
  });

  test("AMB-24 a failure needs no value", async () => {
    const failure = { content: text("no station"), isError: true };
    expect(await call(returning(failure, { outputSchema }))).toEqual({
      resultType: "complete",
      ...failure,
      _meta: META,
    });
  });

  test("a value with a member called content is a value", async () => {
    const schema = z.object({ content: z.array(z.string()) });
    expect(await call(returning({ content: ["a"] }, { outputSchema: schema }))).toMatchObject({
      structuredContent: { content: ["a"] },
    });
  });

  test("a thenable that is no promise is waited for like one", async () => {
    // oxlint-disable-next-line unicorn/no-thenable -- what is tested
    const thenable = { then: (settle: (value: string) => void) => settle("later") };
    expect(await call(returning(thenable))).toMatchObject({ content: text("later") });
  });

  test("an output schema that checks asynchronously is waited for", async () => {
    const schema = z.object({ n: z.number().refine(async (n) => n > 0) });
    expect(await call(returning({ n: 1 }, { outputSchema: schema }))).toMatchObject({
      structuredContent: { n: 1 },
    });
    expect(
      await refusal(returning({ n: -1 }, { outputSchema: schema }), "tools/call", { name: "t" }),
    ).toMatchObject({ code: -32603 });
  });
});

describe("failures", () => {
  const throwing = (thrown: unknown, faults: unknown[] = []) =>
    createServer(INFO, { onError: (fault, detail) => faults.push([fault, detail]) })
      .tool("t", {}, () => {
        throw thrown;
      })
      .tool("later", {}, async () => {
        await Promise.resolve();
        throw thrown;
      });

  test.each(["t", "later"])(
    "TOOLS-52 BR-046 a ToolError is shown to the model (%s)",
    async (name) => {
      const server = throwing(new ToolError("no such city", { cause: new Error("canary") }));
      expect(await send(server, "tools/call", { name })).toEqual({
        resultType: "complete",
        content: text("no such city"),
        isError: true,
        _meta: META,
      });
    },
  );

  test("a ToolError may bring content of its own", async () => {
    const content = [{ type: "image", data: "aGk=", mimeType: "image/png" }] as const;
    expect(await call(throwing(new ToolError("x", { content })))).toMatchObject({
      content,
      isError: true,
    });
  });

  test.each(["t", "later"])(
    "T-11 BR-046 an unexpected error shows a reference alone, and is reported under it (%s)",
    async (name) => {
      const faults: unknown[] = [];
      const error = new Error("canary /etc/secret");
      const answer = await refusal(throwing(error, faults), "tools/call", { name });
      expect(answer).toEqual({
        code: -32603,
        message: "Internal error",
        data: { ref: expect.stringMatching(/^[\da-f-]{36}$/) },
      });
      expect(faults).toEqual([
        [
          error,
          {
            ref: Reflect.get(answer.data as {}, "ref"),
            method: "tools/call",
            subject: `tool "${name}"`,
          },
        ],
      ]);
    },
  );

  test("an RpcError is the answer", async () => {
    const server = throwing(new RpcError(-32602, "not today", { data: { until: 5 } }));
    expect(await refusal(server, "tools/call", { name: "t" })).toEqual({
      code: -32602,
      message: "not today",
      data: { until: 5 },
    });
  });

  test.each([-32002, -32042, -32000, -32019, -32023, -32099, 1.5])(
    "ERR-05 ERR-08 ERR-09 ERR-14 ERR-15 RPC-22 never answers with the code %d",
    async (code) => {
      const server = throwing(new RpcError(code, "x"));
      expect(await refusal(server, "tools/call", { name: "t" })).toMatchObject({ code: -32603 });
    },
  );

  test("T-11 an error that another peer sent is not passed on", async () => {
    const server = throwing(new RpcError(-32602, "canary", { origin: "peer" }));
    expect(await refusal(server, "tools/call", { name: "t" })).toMatchObject({
      code: -32603,
      message: "Internal error",
    });
  });
});

describe("required capabilities", () => {
  const requires = { elicitation: { url: {} }, sampling: {}, extensions: { "a.b/c": {} } };
  let runs = 0;
  const server = createServer(INFO).tool("t", { requires }, () => `run ${++runs}`);
  const refused = (clientCapabilities: object) =>
    refusal(server, "tools/call", { name: "t", arguments: {} }, { meta: { clientCapabilities } });

  test.each([
    [{}, requires],
    [{ elicitation: {} }, requires],
    [
      { elicitation: { form: {} }, sampling: {} },
      { elicitation: { url: {} }, extensions: requires.extensions },
    ],
    [{ elicitation: { url: {} }, extensions: { "a.b/c": {} } }, { sampling: {} }],
  ])(
    "META-15 META-16 SCHEMA-06 names what %j lacks before the handler runs",
    async (declared, missing) => {
      expect(await refused(declared)).toEqual({
        code: -32021,
        message: "the client lacks a capability this request needs",
        data: { requiredCapabilities: missing },
      });
      expect(runs).toBe(0);
    },
  );

  test("META-15 STATE-01 only what this very request declares counts", async () => {
    const meta = { clientCapabilities: requires };
    expect(await send(server, "tools/call", { name: "t" }, { meta })).toMatchObject({
      content: text("run 1"),
    });
    expect(await refused({})).toMatchObject({ code: -32021 });
  });

  test("elicitation without a kind stands for forms", async () => {
    const forms = createServer(INFO).tool(
      "t",
      { requires: { elicitation: { form: {} } } },
      () => "x",
    );
    const meta = { clientCapabilities: { elicitation: {} } };
    expect(await send(forms, "tools/call", { name: "t" }, { meta })).toMatchObject({
      content: text("x"),
    });
  });
});

describe("registration", () => {
  const add = (config: object) => () => createServer(INFO).tool("t", config, () => "x");

  test.each([
    ["an icon with a script", { icons: [{ src: "javascript:alert(1)" }] }, "the src of an icon"],
    [
      "a hint that is no boolean",
      { annotations: { readOnlyHint: "yes" } },
      "annotations.readOnlyHint",
    ],
    ["a malformed key in _meta", { _meta: { "1x.com/a": 1 } }, "_meta has the malformed key"],
    ["a title that is no text", { title: 5 }, "title is not a string"],
    ["a long description", { description: "x".repeat(16 * 1024 + 1) }, "description has more than"],
    ["scopes that are no list", { scopes: "admin" }, "scopes is not a list of strings"],
    ["a visible that is no function", { visible: true }, "visible is not a function"],
    [
      "a value like a result",
      { outputSchema: z.object({ content: z.array(z.string()), isError: z.boolean() }) },
      "outputSchema: ",
    ],
  ])("refuses %s", (_title, config, message) => {
    expect(add(config)).toThrow(TypeError);
    expect(add(config)).toThrow(`tool "t": ${message}`);
  });

  test.each([
    ["null", null],
    ["no object", { type: "string" }],
  ])("TOOLS-19 TOOLS-20 refuses an input schema that is %s", (_title, inputSchema) => {
    expect(add({ inputSchema })).toThrow('tool "t": inputSchema: ');
  });

  test("TOOLS-36 refuses a mirrored argument of a type that no header can carry", () => {
    const properties = { a: { type: "array", "x-mcp-header": "A" } };
    expect(add({ inputSchema: { type: "object", properties } })).toThrow(
      'tool "t": inputSchema: x-mcp-header "A"',
    );
  });

  test("adds all definitions or none", async () => {
    const server = returning("x");
    const define = (name: string) => ({ name, config: {}, handler: () => "y" });
    expect(() => server.add(define("a"), define("t"))).toThrow('tool "t": the name is taken');
    expect(() => server.add(define("b"), define("b"))).toThrow('tool "b": the name is taken');
    expect(await refusal(server, "tools/call", { name: "a" })).toMatchObject({ code: -32602 });
    server.add(define("a"), define("b"));
    expect(await send(server, "tools/call", { name: "b" })).toMatchObject({ content: text("y") });
  });

  test("says when there are too many tools", () => {
    const define = (index: number) => ({ name: `t${index}`, config: {}, handler: () => "x" });
    const server = createServer(INFO).add(...Array.from({ length: 1_000 }, (_, i) => define(i)));
    expect(() => server.add(define(1_000))).toThrow("a server has at most 1000 tools");
  });

  test("TOOLS-22 XHDR-03 the mirrored arguments of a tool are known to transports", () => {
    const properties = { region: { type: "string", "x-mcp-header": "Region" } } as const;
    const server = createServer(INFO).tool(
      "t",
      { inputSchema: { type: "object", properties } },
      () => "x",
    );
    expect(server.headerParameters("t")).toEqual([
      { name: "Region", path: ["region"], type: "string" },
    ]);
    expect(server.headerParameters("unknown")).toEqual([]);
  });
});

describe("rates", () => {
  test("where the option says so, a principal is kept to a rate of tool calls, others not affected", async () => {
    const rates = { toolCalls: { burst: 2, perSecond: 0.001 } };
    const server = returning("x", {}, { rates });
    const as = (subject: string) => ({ principal: { issuer: "i", clientId: "c", subject } });
    const params = { name: "t" };
    for (let run = 0; run < 2; run++) await send(server, "tools/call", params, as("a"));
    expect(await refusal(server, "tools/call", params, as("a"))).toEqual({
      code: -31002,
      message: "too many requests (toolCalls)",
    });
    expect(await send(server, "tools/call", params, as("b"))).toMatchObject({ content: text("x") });
  });
});
