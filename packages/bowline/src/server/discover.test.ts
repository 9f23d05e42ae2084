import { describe, expect, test } from "vitest";
import * as z from "zod";
import { refusal, send } from "../../test/calls.ts";
import { createServer } from "./create-server.ts";

const INFO = { name: "test", version: "1.0.0" };

describe("server/discover", () => {
  test("DISC-01 DISC-03 DISC-04 VER-06 CACHE-01 META-18 says versions, capabilities and who it is", async () => {
    const icons = [{ src: "https://example.com/icon.png", sizes: ["48x48"] }];
    const info = {
      ...INFO,
      title: "Test",
      description: "For tests",
      websiteUrl: "https://example.com",
      icons,
    };
    const server = createServer({ ...info, instructions: "Be kind." });
    expect(await send(server, "server/discover")).toEqual({
      resultType: "complete",
      supportedVersions: ["2026-07-28"],
      capabilities: { logging: {} },
      instructions: "Be kind.",
      ttlMs: 0,
      cacheScope: "private",
      _meta: { "io.modelcontextprotocol/serverInfo": info },
    });
  });

  test("META-18 a server may be told not to say who it is", async () => {
    const server = createServer(INFO, { serverInfo: false }).tool("t", {}, () => "x");
    for (const [method, params] of [
      ["server/discover"],
      ["tools/list"],
      ["tools/call", { name: "t" }],
    ] as const) {
      expect(await send(server, method, params)).not.toHaveProperty("_meta");
    }
  });

  test("CACHE-06 CACHE-07 hints come from the options and are checked", async () => {
    const cacheHints = { discover: { ttlMs: 5_000, cacheScope: "public" } } as const;
    expect(await send(createServer(INFO, { cacheHints }), "server/discover")).toMatchObject({
      ttlMs: 5_000,
      cacheScope: "public",
    });
    for (const ttlMs of [-1, 0.5, Number.NaN]) {
      expect(() => createServer(INFO, { cacheHints: { tools: { ttlMs } } })).toThrow(RangeError);
    }
  });
});

describe("capabilities", () => {
  const capabilitiesOf = async (server: ReturnType<typeof createServer>) => {
    const { capabilities } = await send(server, "server/discover");
    return capabilities;
  };

  test("TOOLS-05 RSRC-01 RSRC-02 PROMPT-01 LOG-03 follow from what is registered", async () => {
    const server = createServer(INFO);
    server.tool("t", {}, () => "x");
    expect(await capabilitiesOf(server)).toEqual({ logging: {}, tools: { listChanged: true } });
    server.prompt("p", {}, () => "x");
    expect(await capabilitiesOf(server)).toEqual({
      logging: {},
      tools: { listChanged: true },
      prompts: { listChanged: true },
    });
    server.resourceTemplate("a:{b}", {}, () => "x");
    expect(await capabilitiesOf(server)).toEqual({
      logging: {},
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
    });
  });

  test("COMPL-01 completions are declared by the first completer, own or of an enumeration", async () => {
    const own = createServer(INFO).resourceTemplate(
      "a:{b}",
      { complete: { b: () => [] } },
      () => "x",
    );
    expect(await capabilitiesOf(own)).toMatchObject({ completions: {} });
    const argsSchema = z.object({ a: z.enum(["x", "y"]) });
    const enumerated = createServer(INFO).prompt("p", { argsSchema }, ({ a }) => a);
    expect(await capabilitiesOf(enumerated)).toMatchObject({ completions: {} });
  });

  test("ERR-03 TOOLS-07 methods exist with their capability, and stay when a list becomes empty", async () => {
    const server = createServer(INFO);
    const methods = [
      "tools/list",
      "tools/call",
      "prompts/list",
      "prompts/get",
      "resources/list",
      "resources/templates/list",
      "resources/read",
      "completion/complete",
    ];
    for (const method of methods) {
      expect(await refusal(server, method)).toEqual({
        code: -32601,
        message: `method "${method}" not found`,
      });
    }
    server.tool("t", {}, () => "x").removeTool("t");
    expect(await send(server, "tools/list")).toMatchObject({ tools: [] });
    expect(await capabilitiesOf(server)).toEqual({ logging: {}, tools: { listChanged: true } });
  });
});

describe("createServer", () => {
  test.each([
    [{ version: "1" }, "server: name is empty or not a string"],
    [{ name: "", version: "1" }, "server: name is empty or not a string"],
    [{ name: "x" }, "server: version is empty or not a string"],
    [{ ...INFO, instructions: 5 }, "createServer: instructions is not a string"],
    [{ ...INFO, icons: [{ src: "file:///x" }] }, "server: the src of an icon"],
  ])("refuses %j", (info, message) => {
    expect(() => createServer(info as typeof INFO)).toThrow(TypeError);
    expect(() => createServer(info as typeof INFO)).toThrow(message);
  });

  test.each([
    [{ pageSize: 0 }, "pageSize: 0 is not a whole number from 1 to 10000"],
    [{ handlerTimeoutMs: Number.POSITIVE_INFINITY }, "handlerTimeoutMs: Infinity is not"],
    [{ closeGraceMs: -1 }, "closeGraceMs: -1 is not"],
    [
      { stateKeys: [new Uint8Array(16)] },
      "stateKeys: key 1 is unusable: 32 bytes or more are needed, as bytes or as Base64",
    ],
    [{ stateKeys: [] }, "stateKeys: there is no key in it"],
    [{ stateTtlMs: 0 }, "stateTtlMs: 0 is not a whole number from 1 to 86400000"],
    [{ rates: { toolCalls: { burst: 0, perSecond: 1 } } }, "rates.toolCalls: "],
  ])("refuses the option %j", (options, message) => {
    expect(() => createServer(INFO, options)).toThrow(RangeError);
    expect(() => createServer(INFO, options)).toThrow(message);
  });
});
