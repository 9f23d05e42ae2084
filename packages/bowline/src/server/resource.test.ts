import { describe, expect, test } from "vitest";
import { refusal, send } from "../../test/calls.ts";
import { createServer } from "./create-server.ts";
import { resourceNotFound } from "./resource.ts";
import type { ResourceReturn } from "./resource-types.ts";

const INFO = { name: "test", version: "1.0.0" };
const META = { "io.modelcontextprotocol/serverInfo": INFO };

const create = (faults: unknown[] = []) =>
  createServer(INFO, { onError: (error) => faults.push(error) });
const returning = (value: unknown, config: object = {}, faults: unknown[] = []) =>
  create(faults).resource("test:a", config, () => value as ResourceReturn);
const read = (server: ReturnType<typeof createServer>, uri: string) =>
  send(server, "resources/read", { uri });

describe("results", () => {
  test("RSRC-10 CACHE-01 text is one entry, private and stale at once", async () => {
    expect(await read(returning("hello", { mimeType: "text/plain" }), "test:a")).toEqual({
      resultType: "complete",
      contents: [{ uri: "test:a", mimeType: "text/plain", text: "hello" }],
      ttlMs: 0,
      cacheScope: "private",
      _meta: META,
    });
  });

  test.each([0, 1, 2, 3, 32_768, 100_001])(
    "RSRC-31 %d bytes arrive unchanged as Base64",
    async (length) => {
      const bytes = Uint8Array.from({ length }, (_, index) => (index * 31) % 256);
      const { contents } = await read(returning(bytes), "test:a");
      const expected = Buffer.from(bytes).toString("base64");
      expect(contents).toEqual([{ uri: "test:a", blob: expected }]);
    },
  );

  test("RSRC-11 RSRC-18 CACHE-06 a whole result brings several entries, hints and _meta", async () => {
    const contents = [
      { uri: "test:a/1", text: "one" },
      { uri: "test:a/2", mimeType: "image/png", blob: "aGk=" },
    ];
    const whole = { contents, ttlMs: 60_000, cacheScope: "public", _meta: { "a.b/c": 1 } };
    expect(await read(returning(whole), "test:a")).toEqual({
      resultType: "complete",
      ...whole,
      _meta: { "a.b/c": 1, ...META },
    });
  });

  test("CACHE-01 the configuration says how long a read stays fresh, a result may differ", async () => {
    const config = { cacheHints: { ttlMs: 500, cacheScope: "public" } };
    expect(await read(returning("x", config), "test:a")).toMatchObject({
      ttlMs: 500,
      cacheScope: "public",
    });
    const whole = { contents: [{ uri: "test:a", text: "x" }], ttlMs: 7 };
    expect(await read(returning(whole, config), "test:a")).toMatchObject({
      ttlMs: 7,
      cacheScope: "public",
    });
  });

  test.each([
    ["RSRC-28 no contents", { contents: [] }],
    ["T-11 nothing", undefined],
    ["T-11 a number", 5],
    ["T-11 an entry without uri", { contents: [{ text: "x" }] }],
    ["T-11 an entry with text and blob", { contents: [{ uri: "a:b", text: "x", blob: "" }] }],
    ["RSRC-31 a blob that is not Base64", { contents: [{ uri: "a:b", blob: "a-b" }] }],
    ["CACHE-07 a negative ttlMs", { contents: [{ uri: "a:b", text: "x" }], ttlMs: -1 }],
    ["CACHE-06 a fractional ttlMs", { contents: [{ uri: "a:b", text: "x" }], ttlMs: 0.5 }],
    ["CACHE-06 an unknown scope", { contents: [{ uri: "a:b", text: "x" }], cacheScope: "all" }],
    ["T-11 a foreign resultType", { contents: [{ uri: "a:b", text: "x" }], resultType: "task" }],
  ])("%s is refused as a fault of the server", async (_title, value) => {
    const faults: unknown[] = [];
    const server = returning(value, {}, faults);
    expect(await refusal(server, "resources/read", { uri: "test:a" })).toEqual({
      code: -32603,
      message: "Internal error",
      data: { ref: expect.any(String) },
    });
    expect(faults).toHaveLength(1);
  });
});

describe("finding", () => {
  const server = create()
    .resource("notes:index", {}, () => "index")
    .resourceTemplate("notes:{name}", {}, ({ name }) => `note ${name}`)
    .resourceTemplate("files:{+path}", {}, ({ path }) => `file ${path}`)
    .resourceTemplate("query:{?q}", {}, ({ q = "all" }) => `query ${q}`);
  const textOf = async (uri: string) => {
    const { contents } = await read(server, uri);
    return contents;
  };

  test("a fixed resource comes before a template, and a template gives its variables", async () => {
    expect(await textOf("notes:index")).toEqual([{ uri: "notes:index", text: "index" }]);
    expect(await textOf("notes:a%20b")).toEqual([{ uri: "notes:a%20b", text: "note a b" }]);
    expect(await textOf("files:a/b.md")).toEqual([{ uri: "files:a/b.md", text: "file a/b.md" }]);
    expect(await textOf("query:?q=x")).toEqual([{ uri: "query:?q=x", text: "query x" }]);
    expect(await textOf("query:")).toEqual([{ uri: "query:", text: "query all" }]);
  });

  test.each([
    ["RSRC-25 an unknown resource", "other:thing"],
    ["RSRC-29 a text that is no URI", "no uri"],
    ["RSRC-29 a URI with a raw space", "notes:a b"],
    ["RSRC-29 a URI with a line break", "notes:a\n"],
    ["RSRC-29 a relative reference", "notes"],
    ["RSRC-29 the empty text", ""],
    ["RSRC-29 a URI that is too long", `notes:${"x".repeat(8 * 1024)}`],
    ["RSRC-33 T-66 a climb out of a folder", "files:a/../../etc/passwd"],
    ["RSRC-33 T-66 an encoded climb", "files:%2e%2e/etc/passwd"],
    ["RSRC-33 T-66 a name that is a climb", "notes:.."],
    ["RSRC-33 T-66 a back-slash", "notes:a%5Cb"],
    ["RSRC-33 T-66 NUL", "notes:a%00b"],
    ["T-03 the name of a prototype member", "constructor"],
  ])("%s is not found", async (_title, uri) => {
    expect(await refusal(server, "resources/read", { uri })).toEqual({
      code: -32602,
      message: `resource ${JSON.stringify(uri)} not found`,
      data: { uri },
    });
  });

  test("RSRC-33 T-66 dots inside a name are no climb", async () => {
    expect(await textOf("files:a..b/c..")).toEqual([
      { uri: "files:a..b/c..", text: "file a..b/c.." },
    ]);
  });

  test("RSRC-25 RSRC-28 a handler that finds nothing says so", async () => {
    const empty = create().resourceTemplate("notes:{name}", {}, ({ name }) => {
      throw resourceNotFound(`notes:${name}`);
    });
    expect(await refusal(empty, "resources/read", { uri: "notes:x" })).toEqual({
      code: -32602,
      message: 'resource "notes:x" not found',
      data: { uri: "notes:x" },
    });
  });

  test("RSRC-26 T-11 an unexpected error shows a reference alone", async () => {
    const faults: unknown[] = [];
    const broken = create(faults).resource("test:a", {}, async () => {
      throw new Error("canary");
    });
    expect(await refusal(broken, "resources/read", { uri: "test:a" })).toEqual({
      code: -32603,
      message: "Internal error",
      data: { ref: expect.any(String) },
    });
    expect(faults).toEqual([new Error("canary")]);
  });

  test("RSRC-29 a uri that is no string is a malformed request", async () => {
    expect(await refusal(server, "resources/read", { uri: 5 })).toEqual({
      code: -32602,
      message: "params.uri is not a string",
    });
  });

  test("a removed template answers no more", async () => {
    const other = create().resourceTemplate("a:{b}", {}, () => "x");
    expect(other.removeResourceTemplate("a:{b}")).toBe(true);
    expect(other.removeResourceTemplate("a:{b}")).toBe(false);
    expect(await refusal(other, "resources/read", { uri: "a:b" })).toMatchObject({ code: -32602 });
  });
});

describe("access", () => {
  const admin = { issuer: "i", clientId: "c", subject: "s", scopes: ["admin", "read"] };
  const server = create()
    .resource("secret:a", { scopes: ["admin"] }, () => "secret")
    .resourceTemplate("secret:{x}", { visible: (who) => who?.subject === "s" }, ({ x }) => x);

  test("CACHE-37 CACHE-38 RSRC-30 T-72 what a caller may not see is not found", async () => {
    for (const uri of ["secret:a", "secret:b"]) {
      expect(await refusal(server, "resources/read", { uri })).toEqual({
        code: -32602,
        message: `resource "${uri}" not found`,
        data: { uri },
      });
      expect(await send(server, "resources/read", { uri }, { principal: admin })).toMatchObject({
        resultType: "complete",
      });
    }
  });

  test("CACHE-37 a permission that comes as a promise is none", async () => {
    const visible = (() => Promise.resolve(true)) as unknown as () => boolean;
    const other = create().resource("secret:a", { visible }, () => "x");
    expect(await refusal(other, "resources/read", { uri: "secret:a" })).toMatchObject({
      code: -32602,
    });
  });

  test("CACHE-37 T-11 a permission that cannot be judged is none", async () => {
    const faults: unknown[] = [];
    const visible = () => {
      throw new Error("canary");
    };
    const other = create(faults).resource("secret:a", { visible }, () => "x");
    expect(await refusal(other, "resources/read", { uri: "secret:a" })).toMatchObject({
      code: -32603,
    });
    expect(faults).toEqual([new Error("canary")]);
  });
});

describe("registration", () => {
  test.each(["", "no uri", "a b:c", "x:a b", "1x:a", "x:%zz", "x:ä"])(
    "RSRC-24 refuses the URI %j",
    (uri) => {
      expect(() => create().resource(uri, {}, () => "x")).toThrow(
        new TypeError(`resource ${JSON.stringify(uri)}: that is not an absolute URI`),
      );
    },
  );

  test("refuses a malformed template", () => {
    expect(() => create().resourceTemplate("a:{b", {}, () => "x")).toThrow(
      'resource template "a:{b": malformed URI template at position 2: expression is not closed',
    );
  });

  test.each([
    ["a negative size", { size: -1 }, "size is not a whole number of bytes"],
    [
      "a priority above 1",
      { annotations: { priority: 2 } },
      "annotations.priority is not a number from 0 to 1",
    ],
    [
      "an unknown audience",
      { annotations: { audience: ["all"] } },
      "annotations.audience is not a list",
    ],
    [
      "a time that is none",
      { annotations: { lastModified: "soon" } },
      "annotations.lastModified is not",
    ],
    ["a mimeType that is no text", { mimeType: 5 }, "mimeType is not a string"],
    [
      "a name nobody can see",
      { name: "a\u202eb" },
      "the name holds a character that cannot be seen",
    ],
  ])("refuses %s", (_title, config, message) => {
    const add = () => create().resource("a:b", config as {}, () => "x");
    expect(add).toThrow(TypeError);
    expect(add).toThrow(`resource "a:b": ${message}`);
  });

  test("CACHE-07 refuses a negative ttlMs", () => {
    const config = { cacheHints: { ttlMs: -1 } };
    expect(() => create().resource("a:b", config, () => "x")).toThrow(RangeError);
  });

  test("refuses completion of a variable that is not there, and a URI that is taken", () => {
    const complete = { c: () => [] } as {};
    expect(() => create().resourceTemplate("a:{b}", { complete }, () => "x")).toThrow(
      'resource template "a:{b}": complete: there is no "c"',
    );
    expect(() => returning("x").resource("test:a", {}, () => "y")).toThrow(
      'resource "test:a": the name is taken',
    );
  });
});
