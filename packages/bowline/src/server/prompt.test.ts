import { describe, expect, test } from "vitest";
import * as z from "zod";
import { refusal, send } from "../../test/calls.ts";
import { createServer } from "./create-server.ts";
import type { PromptReturn } from "./prompt-types.ts";

const INFO = { name: "test", version: "1.0.0" };
const META = { "io.modelcontextprotocol/serverInfo": INFO };
const user = (text: string) => ({ role: "user", content: { type: "text", text } });

const create = (faults: unknown[] = []) =>
  createServer(INFO, { onError: (error) => faults.push(error) });
const returning = (value: unknown, faults: unknown[] = []) =>
  create(faults).prompt("p", { description: "A prompt" }, () => value as PromptReturn);

describe("arguments", () => {
  const argsSchema = z.object({
    code: z.string().describe("The code"),
    language: z.string().meta({ title: "Language" }).optional(),
  });
  const server = create().prompt(
    "review",
    { argsSchema },
    ({ code, language = "any" }) => `${language}: ${code}`,
  );

  test("PROMPT-11 the properties of the schema are listed as arguments", async () => {
    expect(await send(server, "prompts/list")).toMatchObject({
      prompts: [
        {
          name: "review",
          arguments: [
            { name: "code", description: "The code", required: true },
            { name: "language", title: "Language", required: false },
          ],
        },
      ],
    });
  });

  test("PROMPT-08 the handler gets checked arguments", async () => {
    const params = { name: "review", arguments: { code: "x" } };
    expect(await send(server, "prompts/get", params)).toEqual({
      resultType: "complete",
      messages: [user("any: x")],
      _meta: META,
    });
  });

  test("PROMPT-18 PROMPT-20 a missing argument is refused before the handler runs", async () => {
    expect(await refusal(server, "prompts/get", { name: "review" })).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^invalid arguments for prompt "review"\n- \/code: /),
      data: { issues: [{ path: "/code", message: expect.any(String) }] },
    });
  });

  test.each([
    ["a number", { code: 5 }],
    ["a list", ["x"]],
    ["null", null],
  ])("PROMPT-20 arguments that are no object of strings are refused: %s", async (_title, args) => {
    expect(await refusal(server, "prompts/get", { name: "review", arguments: args as {} })).toEqual(
      {
        code: -32602,
        message: "params.arguments is not an object of strings",
      },
    );
  });

  test("PROMPT-20 a prompt without a schema takes no arguments", async () => {
    const plain = returning("hi");
    expect(await send(plain, "prompts/get", { name: "p", arguments: {} })).toMatchObject({
      messages: [user("hi")],
    });
    expect(await refusal(plain, "prompts/get", { name: "p", arguments: { x: "1" } })).toMatchObject(
      {
        code: -32602,
        message: 'invalid arguments for prompt "p"\n- (root): must not have the property "x"',
      },
    );
  });

  test("a schema that checks asynchronously is waited for", async () => {
    const schema = z.object({ n: z.string().refine(async (n) => n !== "0", "not zero") });
    const checked = create().prompt("p", { argsSchema: schema }, ({ n }) => n);
    expect(await send(checked, "prompts/get", { name: "p", arguments: { n: "1" } })).toMatchObject({
      messages: [user("1")],
    });
    expect(
      await refusal(checked, "prompts/get", { name: "p", arguments: { n: "0" } }),
    ).toMatchObject({
      code: -32602,
      data: { issues: [{ path: "/n", message: "not zero" }] },
    });
  });
});

describe("results", () => {
  const image = { type: "image", data: "aGk=", mimeType: "image/png" };
  const audio = { type: "audio", data: "aGk=", mimeType: "audio/wav" };
  const embedded = {
    type: "resource",
    resource: { uri: "a:b", mimeType: "text/plain", text: "x" },
  };
  const link = { type: "resource_link", uri: "a:b", name: "b" };

  test.each([image, audio, embedded, link])(
    "PROMPT-12 PROMPT-13 PROMPT-14 PROMPT-15 PROMPT-16 BR-051 a message carries a block as it is: $type",
    async (content) => {
      const message = { role: "assistant", content };
      const expected = {
        resultType: "complete",
        description: "A prompt",
        messages: [message],
        _meta: META,
      };
      expect(await send(returning(message), "prompts/get", { name: "p" })).toEqual(expected);
      expect(await send(returning([message]), "prompts/get", { name: "p" })).toEqual(expected);
    },
  );

  test("PROMPT-08 a whole result may say its own description, and has no caching fields", async () => {
    const whole = { messages: [user("x")], description: "Other", _meta: { "a.b/c": 1 } };
    expect(await send(returning(whole), "prompts/get", { name: "p" })).toEqual({
      resultType: "complete",
      ...whole,
      _meta: { "a.b/c": 1, ...META },
    });
  });

  test.each([
    ["T-11 nothing", undefined],
    ["T-11 a message without role", [{ content: { type: "text", text: "x" } }]],
    ["T-11 a role that is none", [{ role: "system", content: { type: "text", text: "x" } }]],
    [
      "T-11 a message of several blocks",
      [{ role: "user", content: [{ type: "text", text: "x" }] }],
    ],
    ["PROMPT-13 an image that is not Base64", [{ role: "user", content: { ...image, data: "?" } }]],
    [
      "PROMPT-13 an image of no media type",
      [{ role: "user", content: { ...image, mimeType: "png" } }],
    ],
    [
      "PROMPT-14 a sound that is not Base64",
      [{ role: "user", content: { ...audio, data: "aGk" } }],
    ],
    ["PROMPT-14 a sound of no media type", [{ role: "user", content: { ...audio, mimeType: "" } }]],
    [
      "PROMPT-16 an embedded resource without uri",
      [{ role: "user", content: { type: "resource", resource: { text: "x" } } }],
    ],
    [
      "PROMPT-16 an embedded resource that is not Base64",
      [{ role: "user", content: { type: "resource", resource: { uri: "a:b", blob: "?" } } }],
    ],
    ["T-11 a description that is no text", { messages: [user("x")], description: 5 }],
    ["T-11 a foreign resultType", { messages: [user("x")], resultType: "task" }],
  ])("%s is refused as a fault of the server", async (_title, value) => {
    const faults: unknown[] = [];
    expect(await refusal(returning(value, faults), "prompts/get", { name: "p" })).toEqual({
      code: -32603,
      message: "Internal error",
      data: { ref: expect.any(String) },
    });
    expect(faults).toEqual([expect.any(TypeError)]);
  });

  test("PROMPT-19 T-11 an unexpected error shows a reference alone", async () => {
    const faults: unknown[] = [];
    const server = create(faults).prompt("p", {}, () => {
      throw new Error("canary");
    });
    expect(await refusal(server, "prompts/get", { name: "p" })).toEqual({
      code: -32603,
      message: "Internal error",
      data: { ref: expect.any(String) },
    });
    expect(faults).toEqual([new Error("canary")]);
  });
});

describe("names", () => {
  test.each(["constructor", "__proto__", "toString", "déjà vu"])(
    "T-03 a prompt may be called %s, and is unknown as long as there is none",
    async (name) => {
      const server = returning("x");
      expect(await refusal(server, "prompts/get", { name })).toEqual({
        code: -32602,
        message: `prompt "${name}" not found`,
      });
      server.prompt(name, {}, () => "mine");
      expect(await send(server, "prompts/get", { name })).toMatchObject({
        messages: [user("mine")],
      });
      expect(server.removePrompt(name)).toBe(true);
      expect(server.removePrompt(name)).toBe(false);
    },
  );

  test("PROMPT-17 an unknown prompt, or no name at all, is refused", async () => {
    expect(await refusal(returning("x"), "prompts/get", { name: "q" })).toEqual({
      code: -32602,
      message: 'prompt "q" not found',
    });
    expect(await refusal(returning("x"), "prompts/get", {})).toEqual({
      code: -32602,
      message: "params.name is not a string",
    });
  });

  test.each(["", "a\u200bb", "x".repeat(257)])("refuses the name %j", (name) => {
    expect(() => create().prompt(name, {}, () => "x")).toThrow(TypeError);
  });

  test("refuses a name that is taken, and completion of an argument that is not there", () => {
    expect(() => returning("x").prompt("p", {}, () => "y")).toThrow(
      'prompt "p": the name is taken',
    );
    expect(() => create().prompt("p", { complete: { x: () => [] } }, () => "y")).toThrow(
      'prompt "p": complete: there is no "x"',
    );
  });
});
