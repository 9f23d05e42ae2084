import { describe, expect, test } from "vitest";
import { createContext, createMeta, refusal, send } from "../../../test/calls.ts";
import type { Principal } from "../../protocol/exchange.ts";
import { encodingOf } from "../../protocol/result.ts";
import { createServer } from "../create-server.ts";
import type { ServerOptions } from "../options.ts";

const INFO = { name: "test", version: "1.0.0" };
const KEY = new Uint8Array(32).fill(7);

function createTools(count: number, options: ServerOptions = {}) {
  const server = createServer(INFO, options);
  for (let index = 0; index < count; index++) server.tool(`t${index}`, {}, () => "x");
  return server;
}

interface Page {
  readonly names: readonly string[];
  readonly nextCursor: string | undefined;
  readonly cacheScope: unknown;
}

async function page(
  server: ReturnType<typeof createServer>,
  cursor?: string,
  principal?: Principal,
): Promise<Page> {
  const params = cursor === undefined ? {} : { cursor };
  const result = await send(server, "tools/list", params, principal && { principal });
  const { tools, nextCursor, cacheScope } = result as {
    tools: { name: string }[];
    nextCursor?: string;
    cacheScope: string;
  };
  return { names: tools.map((tool) => tool.name), nextCursor, cacheScope };
}

async function allPages(server: ReturnType<typeof createServer>, principal?: Principal) {
  const pages = [await page(server, undefined, principal)];
  for (let cursor = pages[0]?.nextCursor; cursor !== undefined; cursor = pages.at(-1)?.nextCursor) {
    pages.push(await page(server, cursor, principal));
  }
  return pages;
}

const who = (subject: string, ...scopes: string[]): Principal => ({
  issuer: "i",
  clientId: "c",
  subject,
  scopes,
});
const cursorOf = ({ nextCursor }: Page): string => {
  if (nextCursor === undefined) throw new Error("no further page");
  return nextCursor;
};

describe("lists", () => {
  test("TOOLS-06 TOOLS-11 TOOLS-18 TOOLS-21 CACHE-01 ICON-03 META-25 a tool is listed with all it says", async () => {
    const described = {
      title: "Tool",
      description: "A tool",
      annotations: { title: "T", readOnlyHint: true, openWorldHint: false },
      icons: [{ src: "data:image/png;base64,aGk=", theme: "dark" as const }],
      _meta: { "example.com/cost": 3 },
    };
    const server = createServer(INFO).tool(
      "t",
      { ...described, requires: { sampling: {} } },
      () => "x",
    );
    expect(await send(server, "tools/list")).toEqual({
      resultType: "complete",
      tools: [
        { name: "t", inputSchema: { type: "object", additionalProperties: false }, ...described },
      ],
      ttlMs: 0,
      cacheScope: "private",
      _meta: { "io.modelcontextprotocol/serverInfo": INFO },
    });
  });

  test("TOOLS-20 TOOLS-24 a plain JSON Schema is listed word for word", async () => {
    const inputSchema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: { a: { $anchor: "here", type: "string" } },
      properties: { a: { $ref: "#here" } },
      additionalProperties: false,
    } as const;
    const server = createServer(INFO).tool("t", { inputSchema }, () => "x");
    expect(await send(server, "tools/list")).toMatchObject({ tools: [{ name: "t", inputSchema }] });
  });

  test("RSRC-04 RSRC-08 RSRC-09 RSRC-16 RSRC-17 RSRC-19 resources and templates are listed", async () => {
    const described = {
      name: "r",
      title: "R",
      description: "d",
      mimeType: "text/plain",
      annotations: {
        audience: ["user"],
        priority: 0.5,
        lastModified: "2026-01-12T15:00:58Z",
      } as const,
    };
    const server = createServer(INFO)
      .resource("a:b", { ...described, size: 5 }, () => "x")
      .resourceTemplate("a:{b}", { ...described, complete: { b: () => [] } }, () => "x");
    expect(await send(server, "resources/list")).toMatchObject({
      resources: [{ uri: "a:b", ...described, size: 5 }],
      ttlMs: 0,
      cacheScope: "private",
    });
    expect(await send(server, "resources/templates/list")).toMatchObject({
      resourceTemplates: [{ uriTemplate: "a:{b}", ...described }],
      ttlMs: 0,
      cacheScope: "private",
    });
  });

  test("PROMPT-02 PROMPT-06 prompts are listed", async () => {
    const server = createServer(INFO).prompt("p", { title: "P", description: "d" }, () => "x");
    expect(await send(server, "prompts/list")).toEqual({
      resultType: "complete",
      prompts: [{ name: "p", title: "P", description: "d" }],
      ttlMs: 0,
      cacheScope: "private",
      _meta: { "io.modelcontextprotocol/serverInfo": INFO },
    });
  });

  test("TOOLS-08 TOOLS-10 BR-102 50 lists are byte-identical, and calls between them change nothing", async () => {
    const server = createTools(150, { stateKeys: [KEY] });
    const texts = new Set<string>();
    for (let run = 0; run < 50; run++) {
      texts.add(JSON.stringify(await allPages(server)));
      await send(server, "tools/call", { name: `t${run}` });
    }
    expect(texts.size).toBe(1);
  });

  test("TOOLS-08 RSRC-06 PROMPT-04 no list depends on the connection or on what was asked before", async () => {
    const create = () =>
      createServer(INFO)
        .tool("t", {}, () => "x")
        .prompt("p", {}, () => "x")
        .resource("a:b", {}, () => "x")
        .resourceTemplate("c:{d}", {}, () => "x");
    const lists = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"];
    const used = create();
    await send(used, "tools/call", { name: "t" });
    await send(used, "prompts/get", { name: "p" });
    await send(used, "resources/read", { uri: "a:b" });
    for (const method of lists) {
      const settings = { id: "other", meta: { clientCapabilities: { sampling: {} } } };
      expect(await send(used, method, {}, settings)).toEqual(await send(create(), method));
    }
  });

  test("a page is encoded once for each version of the list", async () => {
    const server = createTools(3);
    const list = () =>
      server.exchange({ method: "tools/list", params: {}, meta: createMeta() }, createContext());
    const first = await list();
    expect(await list()).toBe(first);
    const text = JSON.stringify(first);
    expect(encodingOf(first)).toEqual({ text, bytes: new TextEncoder().encode(text) });
    server.tool("another", {}, () => "x");
    expect(await list()).not.toBe(first);
  });

  test("T-64 what is listed cannot be changed from outside", async () => {
    const properties: Record<string, object> = { a: { type: "string" } };
    const server = createServer(INFO).tool(
      "t",
      { inputSchema: { type: "object", properties } },
      () => "x",
    );
    properties["b"] = { type: "string" };
    const listed = await server.exchange(
      { method: "tools/list", params: {}, meta: createMeta() },
      createContext(),
    );
    expect(JSON.stringify(listed)).not.toContain('"b"');
    expect(() => Object.assign(listed, { tools: [] })).toThrow(TypeError);
    const thawed: unknown[] = [];
    const look = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      if (!Object.isFrozen(value)) thawed.push(value);
      Object.values(value).forEach(look);
    };
    look(listed);
    expect(thawed).toEqual([]);
  });
});

describe("pages", () => {
  test("PAGE-01 every entry comes once, in the order of registration", async () => {
    const pages = await allPages(createTools(250));
    expect(pages.map(({ names }) => names.length)).toEqual([100, 100, 50]);
    expect(pages.flatMap(({ names }) => names)).toEqual(
      Array.from({ length: 250 }, (_, i) => `t${i}`),
    );
  });

  test.each([0, 1, 2, 3, 4])("PAGE-01 %d entries at two a page", async (count) => {
    const server = createTools(count, { pageSize: 2 });
    if (count === 0) server.tool("t", {}, () => "x").removeTool("t");
    const pages = await allPages(server);
    expect(pages.map(({ names }) => names.length)).toEqual(
      { 0: [0], 1: [1], 2: [2], 3: [2, 1], 4: [2, 2] }[count],
    );
  });

  test("PAGE-01 all four lists have pages", async () => {
    const server = createServer(INFO, { pageSize: 1 });
    for (const n of ["1", "2"]) {
      server.prompt(`p${n}`, {}, () => "x");
      server.resource(`a:${n}`, {}, () => "x");
      server.resourceTemplate(`a${n}:{b}`, {}, () => "x");
    }
    for (const method of ["prompts/list", "resources/list", "resources/templates/list"]) {
      const { nextCursor: cursor } = await send(server, method);
      const last = await send(server, method, { cursor: cursor as string });
      expect(last).not.toHaveProperty("nextCursor");
      expect(JSON.stringify(last)).toMatch(/p2|a:2|a2:/);
    }
  });

  test("PAGE-04 a cursor holds on every replica with the same key, and is the same there", async () => {
    const [one, other] = [
      createTools(150, { stateKeys: [KEY] }),
      createTools(150, { stateKeys: [KEY] }),
    ];
    const cursor = cursorOf(await page(one));
    expect(cursorOf(await page(other))).toBe(cursor);
    expect((await page(other, cursor)).names).toHaveLength(50);
  });

  test("PAGE-04 a cursor holds while entries come and go", async () => {
    const server = createTools(6, { pageSize: 3 });
    const cursor = cursorOf(await page(server));
    server.removeTool("t0");
    server.removeTool("t2");
    server.removeTool("t3");
    server.tool("late", {}, () => "x");
    expect((await page(server, cursor)).names).toEqual(["t4", "t5", "late"]);
  });

  test("PAGE-04 a cursor whose entries are all gone ends the list", async () => {
    const server = createTools(3, { pageSize: 2 });
    const cursor = cursorOf(await page(server));
    server.removeTool("t2");
    expect(await page(server, cursor)).toMatchObject({ names: [], nextCursor: undefined });
  });
});

describe("bad cursors", () => {
  const refused = { code: -32602, message: "invalid cursor" };

  test("PAGE-05 PAGE-10 T-67 every changed character is refused, and the list still served", async () => {
    const server = createTools(150);
    const cursor = cursorOf(await page(server));
    for (let index = 0; index < cursor.length; index++) {
      const changed =
        cursor.slice(0, index) + (cursor[index] === "A" ? "B" : "A") + cursor.slice(index + 1);
      expect(await refusal(server, "tools/list", { cursor: changed })).toEqual(refused);
    }
    expect((await page(server, cursor)).names).toHaveLength(50);
  });

  test.each(["", "AAAA", "not a cursor", "=", "é", "A".repeat(5_000), "A".repeat(64)])(
    "PAGE-10 T-67 %j is refused",
    async (cursor) => {
      expect(await refusal(createTools(150), "tools/list", { cursor })).toEqual(refused);
    },
  );

  test("PAGE-10 T-67 another spelling of the same bytes is refused", async () => {
    const server = createTools(150);
    const cursor = cursorOf(await page(server));
    for (const spelling of [`${cursor}=`, ` ${cursor}`, `${cursor}\n`]) {
      expect(await refusal(server, "tools/list", { cursor: spelling })).toEqual(refused);
    }
  });

  test("PAGE-10 T-67 a cursor of another list, another server or another caller is refused", async () => {
    const server = createTools(3, { pageSize: 2 });
    server
      .prompt("p1", {}, () => "x")
      .prompt("p2", {}, () => "x")
      .prompt("p3", {}, () => "x");
    const cursor = cursorOf(await page(server));
    expect(await refusal(server, "prompts/list", { cursor })).toEqual(refused);
    expect(await refusal(createTools(3, { pageSize: 2 }), "tools/list", { cursor })).toEqual(
      refused,
    );

    server.tool("hidden", { scopes: ["x"] }, () => "x");
    const own = cursorOf(await page(server, undefined, who("a")));
    expect((await page(server, own, who("a"))).names).toEqual(["t2"]);
    for (const principal of [
      who("b"),
      { ...who("a"), issuer: "j" },
      { ...who("a"), clientId: "d" },
    ]) {
      expect(await refusal(server, "tools/list", { cursor: own }, { principal })).toEqual(refused);
    }
    expect(await refusal(server, "tools/list", { cursor: own })).toEqual(refused);
  });

  test("PAGE-10 a cursor that is no text is a malformed request", async () => {
    expect(await refusal(createTools(1), "tools/list", { cursor: 5 })).toEqual({
      code: -32602,
      message: "params.cursor is not a string",
    });
  });
});

describe("lists that differ between callers", () => {
  const create = (options: ServerOptions = {}) =>
    createServer(INFO, options)
      .tool("open", {}, () => "x")
      .tool("write", { scopes: ["write"] }, () => "x")
      .tool("both", { scopes: ["read", "write"] }, () => "x")
      .tool("mine", { visible: (principal) => principal?.subject === "a" }, () => "x");

  test("TOOLS-06 TOOLS-09 BR-106 CACHE-37 each caller sees what it may call", async () => {
    const server = create();
    expect((await page(server)).names).toEqual(["open"]);
    expect((await page(server, undefined, who("b", "write"))).names).toEqual(["open", "write"]);
    expect((await page(server, undefined, who("a", "write", "read"))).names).toEqual([
      "open",
      "write",
      "both",
      "mine",
    ]);
  });

  test("RSRC-04 RSRC-07 PROMPT-02 PROMPT-05 so it is for the other lists", async () => {
    const server = createServer(INFO)
      .prompt("p", { scopes: ["x"] }, () => "x")
      .resource("a:b", { scopes: ["x"] }, () => "x")
      .resourceTemplate("a:{b}", { scopes: ["x"] }, () => "x");
    for (const [method, member] of [
      ["prompts/list", "prompts"],
      ["resources/list", "resources"],
      ["resources/templates/list", "resourceTemplates"],
    ] as const) {
      expect(await send(server, method)).toMatchObject({ [member]: [] });
      const { [member]: seen } = await send(server, method, {}, { principal: who("a", "x") });
      expect(seen).toHaveLength(1);
    }
  });

  test("BR-106 CACHE-34 CACHE-35 CACHE-36 they are private on every page, whatever the options say", async () => {
    const cacheHints = { tools: { ttlMs: 60_000, cacheScope: "public" } } as const;
    const pages = await allPages(create({ cacheHints, pageSize: 1 }), who("a", "write", "read"));
    expect(pages.map(({ cacheScope }) => cacheScope)).toEqual(Array(4).fill("private"));
  });

  test("CACHE-34 CACHE-29 the pages of a list for everyone share what the options say", async () => {
    const cacheHints = { tools: { ttlMs: 60_000, cacheScope: "public" } } as const;
    const pages = await allPages(createTools(5, { cacheHints, pageSize: 2 }));
    expect(pages.map(({ cacheScope }) => cacheScope)).toEqual(["public", "public", "public"]);
  });

  test("a list is for everyone again once the last hidden entry is gone", async () => {
    const cacheHints = { tools: { cacheScope: "public" } } as const;
    const server = createServer(INFO, { cacheHints })
      .tool("open", {}, () => "x")
      .tool("hidden", { scopes: ["x"] }, () => "x");
    expect((await page(server)).cacheScope).toBe("private");
    server.removeTool("hidden");
    expect(await page(server)).toMatchObject({ names: ["open"], cacheScope: "public" });
  });

  test("TOOLS-57 TOOLS-08 CACHE-38 what is not listed cannot be called either", async () => {
    const server = create();
    for (const name of ["write", "both", "mine"]) {
      expect(await refusal(server, "tools/call", { name })).toEqual({
        code: -32602,
        message: `tool "${name}" not found`,
      });
    }
    const params = { name: "write" };
    expect(
      await send(server, "tools/call", params, { principal: who("b", "write") }),
    ).toMatchObject({
      resultType: "complete",
    });
  });
});
