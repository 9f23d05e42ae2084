import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { compileSchema } from "../compile.ts";
import type { Schema } from "../schema.ts";
import type { Check } from "./validator.ts";

const compile = (schema: unknown) =>
  compileSchema(schema as Schema, { io: "output", label: 'tool "x": outputSchema' });
/** The check as it is from the second value on: synchronous. */
const checkOf = async (schema: unknown) => {
  const compiled = compile(schema);
  await compiled.check(undefined);
  return (value: unknown) => compiled.check(value) as Check;
};
const refusal = (message: string) => `tool "x": outputSchema: ${message}`;
const nest = (levels: number, wrap: (inner: object) => object): object => {
  let schema: object = { type: "string" };
  for (let level = 0; level < levels; level += 1) schema = wrap(schema);
  return schema;
};

describe("JSCH-08 a schema that is not valid in its dialect is refused", () => {
  test.each<[string, unknown, string]>([
    [
      "type",
      { type: "strin" },
      "#/type must be a type of JSON Schema, or an array of different ones",
    ],
    ["twice a type", { type: ["null", "null"] }, "#/type must be a type"],
    ["required true", { properties: { a: { required: true } } }, "#/properties/a/required must be"],
    ["properties", { properties: [] }, "#/properties must be an object of schemas"],
    ["a property", { properties: { a: null } }, "#/properties must be an object of schemas"],
    ["minimum", { minimum: "1" }, "#/minimum must be a number"],
    ["minLength", { minLength: -1 }, "#/minLength must be a whole number of at least 0"],
    ["multipleOf", { multipleOf: 0 }, "#/multipleOf must be a number above 0"],
    ["anyOf", { anyOf: [] }, "#/anyOf must be an array of schemas"],
    ["enum", { enum: "a" }, "#/enum must be an array"],
    [
      "a list under items",
      { items: [{}] },
      '#/items must be a schema: in 2020-12 use "prefixItems"',
    ],
    ["a pattern", { pattern: "(" }, "#/pattern must be a regular expression of at most 1024"],
    ["patternProperties", { patternProperties: { "(": {} } }, "#/patternProperties must be"],
    ["dependentRequired", { dependentRequired: { a: "b" } }, "#/dependentRequired must be"],
    ["description", { description: 1 }, "#/description must be a string"],
    ["a boolean", true, "the schema must be an object"],
    ["null", null, "a schema must be an object or a boolean at #"],
    ["a string", "string", "a schema must be an object or a boolean at #"],
    ["a function", { default: () => 1 }, "a function at #/default has no JSON form"],
    ["a Date", { default: new Date(0) }, "an instance of Date at #/default has no JSON form"],
    ["a RegExp", { pattern: /x/ }, "an instance of RegExp at #/pattern has no JSON form"],
    ["NaN", { minimum: NaN }, "NaN at #/minimum has no JSON form"],
    ["a bigint", { minimum: 1n }, "a bigint at #/minimum has no JSON form"],
  ])("%s", (_, schema, message) => {
    expect(() => compile(schema)).toThrow(refusal(message));
  });

  test("a schema that contains itself is refused", () => {
    const schema: { items?: object } = {};
    schema.items = schema;
    expect(() => compile(schema)).toThrow(refusal("the schema contains itself at #/items"));
  });

  test("T-64 a schema changed after registration changes nothing", async () => {
    const schema = { type: "object", properties: { a: { type: "string" } } };
    const compiled = compile(schema);
    schema.properties.a.type = "number";
    expect(compiled.json).toEqual({ type: "object", properties: { a: { type: "string" } } });
    expect(await compiled.check({ a: "x" })).toEqual({ ok: true, value: { a: "x" } });
    expect(Object.isFrozen(compiled.json["properties"])).toBe(true);
  });

  test("T-64 two schemas of one $id are checked by their own rules", async () => {
    const [first, second] = await Promise.all(
      ["string", "number"].map((type) =>
        checkOf({ $id: "https://a.example/same", $ref: "#/$defs/t", $defs: { t: { type } } }),
      ),
    );
    expect([first?.("a").ok, first?.(1).ok, second?.("a").ok, second?.(1).ok]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });
});

describe("references", () => {
  test.each<[string, object]>([
    ["http", { $ref: "http://127.0.0.1:9/x" }],
    ["https", { items: { $ref: "https://a.example/x#/y" } }],
    ["file", { $ref: "file:///etc/passwd" }],
    ["data", { $ref: "data:application/json,{}" }],
    ["relative to an $id", { $id: "https://a.example/x", $ref: "y.json" }],
    ["$dynamicRef", { $dynamicRef: "https://a.example/x#y" }],
    ["a metaschema", { $ref: "https://json-schema.org/draft/2020-12/schema" }],
  ])(
    "JSCH-09 JSCH-11 JSCH-14 T-60 BR-059 a reference by %s is refused, not fetched",
    (_, schema) => {
      expect(() => compile(schema)).toThrow(/leaves the document, and nothing is ever fetched/);
    },
  );

  test("JSCH-09 BR-059 nothing connects to the host of a $ref", async () => {
    let connections = 0;
    const server = createServer(() => {
      connections += 1;
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    expect(() => compile({ $ref: `http://127.0.0.1:${port}/x` })).toThrow(TypeError);
    await new Promise((resolve) => server.close(resolve));
    expect(connections).toBe(0);
  });

  test.each<[string, object, string]>([
    ["nowhere", { $ref: "#/$defs/none" }, '$ref "#/$defs/none" leads nowhere at #/$ref'],
    ["to an inherited name", { $ref: "#/constructor" }, '$ref "#/constructor" leads nowhere'],
    ["to an unknown anchor", { $ref: "#none" }, '$ref "#none" leads nowhere'],
    ["to what is no schema", { $ref: "#/title", title: "x" }, "must be an object or a boolean"],
    ["with a bad escape", { $ref: "#/%E0%A4%A" }, "leaves the document"],
  ])("BR-058 a reference %s is refused", (_, schema, message) => {
    expect(() => compile(schema)).toThrow(message);
  });

  test.each<[string, object, unknown, unknown]>([
    [
      "into properties",
      { properties: { a: { type: "null" }, b: { $ref: "#/properties/a" } } },
      { b: null },
      { b: 1 },
    ],
    [
      "with escapes",
      { $defs: { "a b/c~d%": { type: "null" } }, $ref: "#/$defs/a%20b~1c~0d%25" },
      null,
      1,
    ],
    ["in a union", { $defs: { n: { type: "null" } }, anyOf: [{ $ref: "#/$defs/n" }] }, null, 1],
    ["to itself", { type: "array", items: { $ref: "#" } }, [[[]]], [[1]]],
    ["to an unknown keyword", { $ref: "#/x-types/n", "x-types": { n: { type: "null" } } }, null, 1],
    ["to a boolean", { items: { $ref: "#/$defs/no" }, $defs: { no: false } }, [], [1]],
    [
      "named like a prototype",
      { $ref: "#/$defs/__proto__", $defs: JSON.parse('{"__proto__":{"type":"null"}}') as object },
      null,
      1,
    ],
  ])("BR-058 a reference %s is followed", async (_, schema, good, bad) => {
    const check = await checkOf(schema);
    expect([check(good).ok, check(bad).ok]).toEqual([true, false]);
  });

  test.each<[string, object]>([
    ["$ref to itself", { $ref: "#" }],
    ["through allOf", { allOf: [{ $ref: "#/$defs/a" }], $defs: { a: { anyOf: [{ $ref: "#" }] } } }],
    ["through if", { $defs: { a: { if: { $ref: "#/$defs/a" } } }, items: { $ref: "#/$defs/a" } }],
    ["through not", { not: { $ref: "#" } }],
    ["through dependentSchemas", { dependentSchemas: { a: { $ref: "#" } } }],
    [
      "draft-07",
      { $schema: "http://json-schema.org/draft-07/schema#", dependencies: { a: { $ref: "#" } } },
    ],
  ])("T-61 a circle without progress is refused: %s", (_, schema) => {
    expect(() => compile(schema)).toThrow(/lead round in a circle/);
  });

  test("T-61 random reference graphs are compiled or refused, and never overflow", async () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const keywords = ["items", "additionalProperties", "not", "contains", "if"];
    const outcomes = new Set<string>();
    for (let round = 0; round < 200; round += 1) {
      const names = Array.from({ length: 1 + random(8) }, (_, index) => `d${index}`);
      const $ref = () => ({ $ref: `#/$defs/d${random(names.length)}` });
      const $defs = Object.fromEntries(
        names.map((name) => [name, { [keywords[random(keywords.length)] ?? "items"]: $ref() }]),
      );
      try {
        // oxlint-disable-next-line no-await-in-loop -- one graph after the other
        const check = await checkOf({ $defs, ...$ref() });
        outcomes.add(typeof check([[[{ a: [1] }]]]).ok);
      } catch (error) {
        outcomes.add((error as Error).constructor.name);
      }
    }
    expect([...outcomes].toSorted()).toEqual(["TypeError", "boolean"]);
  });

  test.each<[string, object]>([
    ["$id", { $defs: { a: { $id: "x" }, b: { $id: "x" } } }],
    ["$anchor", { $defs: { a: { $anchor: "x" }, b: { $anchor: "x" } } }],
  ])("T-64 one %s for two subschemas is refused", (_, schema) => {
    expect(() => compile(schema)).toThrow(/names two subschemas/);
  });

  test("a $dynamicRef that could lead to several places is refused", () => {
    const anchored = (id: string) => ({ $id: id, $dynamicAnchor: "n" });
    const schema = { $defs: { a: anchored("a"), b: anchored("b") }, items: { $dynamicRef: "a#n" } };
    expect(() => compile(schema)).toThrow('$dynamicRef "a#n" may lead to several places');
  });
});

describe("JSCH-15 T-61 T-62 limits", () => {
  test("subschemas may be nested 64 deep", async () => {
    const compiled = compile(nest(64, (items) => ({ items })));
    expect(await compiled.check("x")).toEqual({ ok: true, value: "x" });
    for (const levels of [65, 100, 5_000]) {
      expect(() => compile(nest(levels, (items) => ({ items })))).toThrow(
        refusal("the schema is nested more than 64 levels deep"),
      );
    }
  });

  test("a schema has at most 10,000 subschemas", () => {
    expect(() => compile(nest(13, (inner) => ({ anyOf: [inner, inner] })))).toThrow(
      refusal("the schema has more than 10000 subschemas"),
    );
  });

  test("a schema has at most 256 KiB, also where shared parts would unfold without end", () => {
    const message = refusal("the schema has more than 262144 bytes");
    expect(() => compile({ description: "x".repeat(262_144) })).toThrow(message);
    expect(() => compile(nest(40, (a) => ({ properties: { a, b: a } })))).toThrow(message);
  });

  test("a chain of references that would overflow the stack is refused", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, index) => [
        `d${index}`,
        index === 0 ? {} : { allOf: [{ $ref: `#/$defs/d${index - 1}` }] },
      ]),
    );
    expect(() => compile({ $defs, $ref: "#/$defs/d2999" })).toThrow(
      refusal("the references of the schema form too long a chain"),
    );
  });

  test.each([8, 16, 32, 64])(
    "T-62 doubling references, %i times, end within the steps",
    async (n) => {
      const $defs: Record<string, object> = { d0: { type: "string" } };
      for (let index = 1; index <= n; index += 1) {
        const half = { $ref: `#/$defs/d${index - 1}` };
        $defs[`d${index}`] = { allOf: [half, half] };
      }
      const check = await checkOf({ $defs, $ref: `#/$defs/d${n}` });
      expect(check("x")).toEqual(
        n <= 16
          ? { ok: true, value: "x" }
          : { ok: false, issues: [{ path: "", message: "is too complex to be checked" }] },
      );
    },
  );

  test("T-62 a recursive union on a deep value ends within the steps", async () => {
    const branch = (required: string) => ({
      type: "object",
      properties: { a: { $ref: "#/$defs/n" } },
      required: ["a", required],
    });
    const check = await checkOf({
      $ref: "#/$defs/n",
      $defs: { n: { anyOf: [branch("x"), branch("y"), { type: "string" }] } },
    });
    let value: unknown = 3;
    for (let level = 0; level < 90; level += 1) value = { a: value, x: 1, y: 1 };
    expect(check(value)).toEqual({
      ok: false,
      issues: [{ path: "", message: "is too complex to be checked" }],
    });
    expect(check({ a: "s", y: 1 })).toMatchObject({ ok: true });
  });

  test("T-61 a value nested deeper than the stack is refused by a recursive schema", async () => {
    const check = await checkOf({ type: "array", items: { $ref: "#" } });
    let value: unknown[] = [];
    for (let level = 0; level < 100_000; level += 1) value = [value];
    expect(check(value)).toEqual({
      ok: false,
      issues: [{ path: "", message: "is nested too deep" }],
    });
    expect(check([[]])).toEqual({ ok: true, value: [[]] });
  });

  test("T-62 at most 20 issues are told, and none where there is too much to look at", async () => {
    const check = await checkOf({ items: { type: "string" } });
    const faults = (count: number) => {
      const outcome = check(Array.from({ length: count }, () => 1));
      return outcome.ok ? [] : outcome.issues;
    };
    expect(faults(1_000).length).toBeGreaterThan(0);
    expect(faults(1_000).length).toBeLessThanOrEqual(20);
    expect(faults(400_000)).toEqual([
      { path: "", message: "does not match, and is too complex to say where" },
    ]);
  });

  test("T-63 strings above 64 KiB are not tried against a pattern", async () => {
    const check = await checkOf({ pattern: "^a*$" });
    expect(check("a".repeat(65_536)).ok).toBe(true);
    expect(check("a".repeat(65_537))).toEqual({
      ok: false,
      issues: [
        {
          path: "",
          message: "must not have more than 65536 characters, to be matched with a pattern",
        },
      ],
    });
  });

  test("T-63 a pattern has at most 1 KiB", () => {
    const longest = { pattern: "a".repeat(1_024) };
    expect(compile(longest).json).toEqual(longest);
    expect(() => compile({ pattern: "a".repeat(1_025) })).toThrow("#/pattern must be a regular");
  });
});

describe("T-65 names that objects inherit", () => {
  const NAMES = [...Object.getOwnPropertyNames(Object.prototype), "length", "prototype", "name"];
  const own = (name: string, value: unknown) =>
    JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`) as object;

  test.each(NAMES)("%s is looked for among own members only", async (name) => {
    const cases: readonly (readonly [schema: object, value: unknown, ok: boolean])[] = [
      [{ required: [name] }, {}, false],
      [{ required: [name] }, own(name, 1), true],
      [{ properties: own(name, { type: "string" }) }, {}, true],
      [{ properties: own(name, { type: "string" }) }, own(name, "s"), true],
      [{ properties: own(name, { type: "string" }) }, own(name, 1), false],
      [{ properties: own(name, true), additionalProperties: false }, own(name, 1), true],
      [{ properties: { a: true }, additionalProperties: false }, own(name, 1), false],
      [{ properties: own(name, true), unevaluatedProperties: false }, own(name, 1), true],
      [{ dependentRequired: own(name, ["a"]) }, {}, true],
      [{ dependentRequired: own(name, ["a"]) }, own(name, 1), false],
      [{ dependentRequired: { a: [name] } }, { a: 1 }, false],
      [{ dependentSchemas: own(name, false) }, {}, true],
      [{ dependentSchemas: own(name, false) }, own(name, 1), false],
      [{ propertyNames: { enum: ["a"] } }, own(name, 1), false],
      [{ maxProperties: 0 }, own(name, 1), false],
      [{ const: own(name, 1) }, own(name, 1), true],
      [{ const: own(name, 1) }, {}, false],
      [{ enum: [own(name, 1)] }, own(name, 2), false],
      [{ items: own(name, 1), uniqueItems: true }, [own(name, 1), {}], true],
    ];
    const checks = await Promise.all(cases.map(([schema]) => checkOf(schema)));
    const wrong = cases.filter(([, value, ok], index) => checks[index]?.(value).ok !== ok);
    expect(wrong).toEqual([]);
  });

  test("a property called __proto__ is listed", () => {
    const { json } = compile({ properties: own("__proto__", { type: "string" }) });
    expect(JSON.stringify(json)).toBe('{"properties":{"__proto__":{"type":"string"}}}');
  });
});

describe("BR-060 without code generation", () => {
  test("the same schemas give the same answers, one value after the other", async () => {
    const folder = await mkdtemp(join(tmpdir(), "bowline-schema-"));
    const script = `
      import { compileSchema } from ${JSON.stringify(join(import.meta.dirname, "../compile.ts"))};
      let generated = true;
      try { new Function(""); } catch { generated = false; }
      const use = { io: "output", label: "x" };
      const tree = { type: "array", items: { $ref: "#" } };
      const closed = { allOf: [{ properties: { a: true } }], unevaluatedProperties: false };
      const bomb = { $ref: "#/$defs/d40", $defs: { d0: {} } };
      for (let i = 1; i <= 40; i += 1) {
        const half = { $ref: "#/$defs/d" + (i - 1) };
        bomb.$defs["d" + i] = { allOf: [half, half] };
      }
      const results = [[tree, [[], [[]]]], [tree, [1]], [closed, { a: 1 }], [closed, { a: 1, b: 2 }], [closed, { b: 2 }], [bomb, 1]];
      const compiled = new Map(results.map(([schema]) => [schema, compileSchema(schema, use)]));
      const checked = await Promise.all(results.map(([schema, value]) => compiled.get(schema).check(value)));
      console.log(JSON.stringify([generated, ...checked]));
    `;
    try {
      const outfile = join(folder, "check.mjs");
      await build({
        stdin: { contents: script, loader: "ts", resolveDir: import.meta.dirname },
        bundle: true,
        format: "esm",
        platform: "node",
        outfile,
      });
      const run = promisify(execFile);
      const flag = "--disallow-code-generation-from-strings";
      const { stdout, stderr } = await run(process.execPath, [flag, outfile]);
      const invalid = (path: string, message: string) => ({
        ok: false,
        issues: [{ path, message }],
      });
      expect(stderr).toBe("");
      expect(JSON.parse(stdout)).toEqual([
        false,
        { ok: true, value: [[], [[]]] },
        invalid("/0", "must be array"),
        { ok: true, value: { a: 1 } },
        invalid("", 'must not have the property "b"'),
        invalid("", 'must not have the property "b"'),
        invalid("", "is too complex to be checked"),
      ]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
