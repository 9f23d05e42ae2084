import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { PACKAGE } from "./source.ts";

/** The values each subpath exports. Types are not listed here; `test/types` holds those to their shape. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  ".": [
    "DecodeError",
    "LimitError",
    "McpError",
    "RpcError",
    "TimeoutError",
    "ToolError",
    "TransportError",
    "connect",
    "createClient",
    "createServer",
    "defineTool",
    "serveHttp",
    "withJsonSchema",
  ],
  "./server": ["ToolError", "createServer", "defineTool", "inputRequired", "resourceNotFound"],
  "./client": ["createClient"],
  "./http": ["serveHttp"],
  "./node": ["createListener", "listen"],
  "./stdio": ["connectStdio", "serveStdio"],
  "./schema": ["withJsonSchema"],
  "./testing": ["rehearse"],
  "./engine": ["createMemoryEngine"],
};

const MAX_VALUES = 25;
const MAX_VALUES_OF_ROOT = 20;

const subpaths = Object.keys(manifest.exports).filter((path) => path !== "./package.json");

describe("exports", () => {
  test("every subpath is listed here", () => {
    expect(Object.keys(VALUES).toSorted()).toEqual(subpaths.toSorted());
  });

  test.each(subpaths)("%s exports the listed values and nothing else", async (subpath) => {
    const file = join(PACKAGE, "src", subpath, "index.ts");
    const module: unknown = await import(pathToFileURL(file).href);
    expect(Object.keys(Object(module)).toSorted()).toEqual(VALUES[subpath]?.toSorted());
  });

  test("the lists stay short", () => {
    const long = Object.entries(VALUES).filter(([subpath, values]) => {
      return values.length > (subpath === "." ? MAX_VALUES_OF_ROOT : MAX_VALUES);
    });
    expect(long).toEqual([]);
  });
});
