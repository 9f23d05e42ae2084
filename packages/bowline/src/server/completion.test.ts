import { type } from "arktype";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { refusal, send } from "../../test/calls.ts";
import { createServer } from "./create-server.ts";
import type { Completer } from "./prompt-types.ts";

const INFO = { name: "test", version: "1.0.0" };
const CITIES: Readonly<Record<string, readonly string[]>> = {
  no: ["Oslo", "Bergen"],
  se: ["Lund"],
};

const templates = (complete: Completer) =>
  createServer(INFO, { onError: () => undefined }).resourceTemplate(
    "city:{country}/{name}",
    { complete: { name: complete } },
    () => "x",
  );
const template = { type: "ref/resource", uri: "city:{country}/{name}" };
const ask = (name: string, value: string, ref: object = template) => ({
  ref: ref as {},
  argument: { name, value },
});
const completion = async (server: ReturnType<typeof createServer>, params: {}) => {
  const result = await send(server, "completion/complete", params);
  return result["completion"];
};

describe("values", () => {
  test("COMPL-05 BR-070 a completer gets what was typed and what is known of the others", async () => {
    const server = templates((value, { country = "" }) =>
      (CITIES[country] ?? []).filter((city) => city.startsWith(value)),
    );
    const context = { arguments: { country: "no" } };
    expect(await send(server, "completion/complete", { ...ask("name", "O"), context })).toEqual({
      resultType: "complete",
      completion: { values: ["Oslo"], total: 1, hasMore: false },
      _meta: { "io.modelcontextprotocol/serverInfo": INFO },
    });
    expect(await completion(server, ask("name", "O"))).toEqual({
      values: [],
      total: 0,
      hasMore: false,
    });
  });

  test("COMPL-06 BR-070 of 250 values the first 100 are sent, with the number of all", async () => {
    const all = Array.from({ length: 250 }, (_, index) => `${index}`);
    expect(
      await completion(
        templates(() => all),
        ask("name", ""),
      ),
    ).toEqual({
      values: all.slice(0, 100),
      total: 250,
      hasMore: true,
    });
  });

  test.each([
    [{ values: ["a"] }, { values: ["a"], hasMore: false }],
    [
      { values: ["a"], hasMore: true },
      { values: ["a"], hasMore: true },
    ],
    [
      { values: ["a"], total: 9 },
      { values: ["a"], total: 9, hasMore: true },
    ],
    [
      { values: ["a"], total: 1, hasMore: false },
      { values: ["a"], total: 1, hasMore: false },
    ],
  ])("COMPL-05 a completer may know of more: %j", async (value, expected) => {
    expect(
      await completion(
        templates(async () => value),
        ask("name", ""),
      ),
    ).toEqual(expected);
  });

  test.each([
    [5],
    [[1]],
    [{ values: "a" }],
    [{ values: [], total: -1 }],
    [{ values: [], hasMore: 1 }],
  ])("COMPL-10 T-11 a completer that returns %j is a fault of the server", async (value) => {
    const server = templates(() => value as unknown as string[]);
    expect(await refusal(server, "completion/complete", ask("name", ""))).toMatchObject({
      code: -32603,
    });
  });

  test("COMPL-10 T-11 a completer that throws shows a reference alone", async () => {
    const server = templates(() => {
      throw new Error("canary");
    });
    expect(await refusal(server, "completion/complete", ask("name", ""))).toEqual({
      code: -32603,
      message: "Internal error",
      data: { ref: expect.any(String) },
    });
  });
});

describe("enumerations", () => {
  const enumerated = z.enum(["python", "perl", "cpython"]);
  const json = {
    type: "object",
    properties: { a: { type: "string", enum: ["python", "perl", "cpython"] } },
  } as const;
  const titled = {
    type: "object",
    properties: { a: { oneOf: [{ const: "python" }, { const: "perl" }, { const: "cpython" }] } },
  } as const;

  test.each([
    ["zod", z.object({ a: enumerated })],
    ["JSON Schema", json],
    ["JSON Schema with titles", titled],
    ["arktype", type({ a: "'python' | 'perl' | 'cpython'" })],
  ])("COMPL-11 COMPL-12 complete themselves, best match first (%s)", async (_title, argsSchema) => {
    const server = createServer(INFO).prompt(
      "p",
      { argsSchema: argsSchema as typeof json },
      () => "x",
    );
    const ref = { type: "ref/prompt", name: "p" };
    const { values } = (await completion(server, ask("a", "PY", ref))) as { values: string[] };
    expect(values).toEqual(["python", "cpython"]);
  });

  test("a completer of one's own comes first", async () => {
    const server = createServer(INFO).prompt(
      "p",
      { argsSchema: z.object({ a: enumerated }), complete: { a: () => ["own"] } },
      () => "x",
    );
    expect(await completion(server, ask("a", "", { type: "ref/prompt", name: "p" }))).toMatchObject(
      {
        values: ["own"],
      },
    );
  });
});

describe("what can be asked", () => {
  const server = templates(() => ["x"])
    .prompt("p", { argsSchema: z.object({ free: z.string() }) }, () => "x")
    .resource("fixed:a", {}, () => "x");

  test.each([
    ["an unknown prompt", ask("free", "", { type: "ref/prompt", name: "q" })],
    [
      "a prompt called like a prototype member",
      ask("free", "", { type: "ref/prompt", name: "__proto__" }),
    ],
    ["an unknown template", ask("name", "", { type: "ref/resource", uri: "x:{y}" })],
    ["a resource without variables", ask("name", "", { type: "ref/resource", uri: "fixed:a" })],
    ["an unknown kind", ask("name", "", { type: "ref/tool", name: "t" })],
    ["no reference", { argument: { name: "a", value: "" } }],
    ["an unknown argument", ask("street", "")],
    ["an argument called like a prototype member", ask("constructor", "")],
    ["no argument", { ref: template }],
    ["a value that is no text", { ref: template, argument: { name: "name", value: 5 } }],
    ["a context that is no object", { ...ask("name", ""), context: [] }],
    [
      "known arguments that are no texts",
      { ...ask("name", ""), context: { arguments: { country: 1 } } },
    ],
  ])("COMPL-08 COMPL-14 COMPL-18 BR-070 %s is refused", async (_title, params) => {
    expect(await refusal(server, "completion/complete", params as {})).toMatchObject({
      code: -32602,
    });
  });

  test("BR-070 an argument nothing is suggested for has no values", async () => {
    const none = { values: [], total: 0, hasMore: false };
    expect(await completion(server, ask("free", "", { type: "ref/prompt", name: "p" }))).toEqual(
      none,
    );
    expect(await completion(server, ask("country", ""))).toEqual(none);
  });

  test("COMPL-20 COMPL-21 what a caller may not see is unknown to completion", async () => {
    const hidden = createServer(INFO).prompt(
      "p",
      { argsSchema: z.object({ a: z.string() }), complete: { a: () => ["secret"] }, scopes: ["x"] },
      () => "x",
    );
    const params = ask("a", "", { type: "ref/prompt", name: "p" });
    expect(await refusal(hidden, "completion/complete", params)).toEqual({
      code: -32602,
      message: 'prompt "p" not found',
    });
    const principal = { issuer: "i", clientId: "c", subject: "s", scopes: ["x"] };
    expect(await send(hidden, "completion/complete", params, { principal })).toMatchObject({
      completion: { values: ["secret"] },
    });
  });

  test("COMPL-01 COMPL-07 BR-070 without anything to complete the method does not exist", async () => {
    const plain = createServer(INFO).prompt(
      "p",
      { argsSchema: z.object({ a: z.string() }) },
      () => "x",
    );
    const params = ask("a", "", { type: "ref/prompt", name: "p" });
    expect(await refusal(plain, "completion/complete", params)).toEqual({
      code: -32601,
      message: 'method "completion/complete" not found',
    });
  });

  test("COMPL-13 COMPL-19 T-67 a caller that asks too fast is refused", async () => {
    const rates = { completions: { burst: 3, perSecond: 0.001 } };
    const limited = createServer(INFO, { rates }).resourceTemplate(
      "a:{b}",
      { complete: { b: () => [] } },
      () => "x",
    );
    const params = ask("b", "", { type: "ref/resource", uri: "a:{b}" });
    for (let run = 0; run < 3; run++) await send(limited, "completion/complete", params);
    expect(await refusal(limited, "completion/complete", params)).toEqual({
      code: -31002,
      message: "too many requests (completions)",
    });
  });
});
