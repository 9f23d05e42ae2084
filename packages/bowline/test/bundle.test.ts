import { gzipSync } from "node:zlib";
import { build, type BuildOptions } from "esbuild";
import { describe, expect, test } from "vitest";
import { PACKAGE } from "./source.ts";

/** Bytes, minified and gzipped. The JSON Schema engine is a dependency of its own and not counted. */
const BUDGETS = { server: 30_000, client: 30_000, errors: 3_000 };

const SERVER = `
  import { createServer } from "bowline/server";
  import { serveHttp } from "bowline/http";
  const server = createServer({ name: "minimal", version: "1.0.0" }).tool(
    "echo",
    { inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] } },
    ({ text }) => text,
  );
  export default { fetch: serveHttp(server) };
`;

const CLIENT = `
  import { connect } from "bowline";
  export const client = await connect("https://example.com/mcp");
`;

const ERRORS = `export { McpError, RpcError, ToolError } from "bowline";`;

interface Bundle {
  readonly gzipBytes: number;
  /** Sources of ours that the bundle holds code of, relative to `dist/`. */
  readonly files: readonly string[];
  /** Modules it leaves to the platform. */
  readonly external: readonly string[];
}

async function bundle(contents: string, options: BuildOptions = {}): Promise<Bundle> {
  const result = await build({
    stdin: { contents, resolveDir: PACKAGE, loader: "js" },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    target: "es2022",
    external: ["typebox", "typebox/*"],
    logLevel: "silent",
    outdir: "out",
    ...options,
  });
  const code = result.outputFiles?.[0]?.contents ?? new Uint8Array();
  const [output] = Object.values(result.metafile?.outputs ?? {});
  const held = Object.entries(output?.inputs ?? {}).filter(([, input]) => input.bytesInOutput > 0);
  return {
    gzipBytes: gzipSync(code, { level: 9 }).length,
    files: held
      .map(([path]) => /(?:^|\/)dist\/(.*)$/.exec(path)?.[1])
      .filter((path) => path !== undefined),
    external: (output?.imports ?? []).map(({ path }) => path),
  };
}

const inRoom = (room: string) => (file: string) => file.startsWith(`${room}/`);

describe("bundles", () => {
  test(`a minimal HTTP server is at most ${BUDGETS.server} bytes and holds nothing of the client`, async () => {
    const { gzipBytes, files, external } = await bundle(SERVER);
    expect(gzipBytes).toBeLessThanOrEqual(BUDGETS.server);
    expect(gzipBytes).toBeGreaterThan(1_000);
    expect(files.filter(inRoom("client"))).toEqual([]);
    expect(files.filter(inRoom("stdio"))).toEqual([]);
    expect(external.filter((path) => !path.startsWith("typebox"))).toEqual([]);
  });

  test("the same server through the root entry holds nothing of the client either", async () => {
    const { files } = await bundle(SERVER.replaceAll(/"bowline\/(?:server|http)"/g, `"bowline"`));
    expect(files.filter(inRoom("client"))).toEqual([]);
    expect(files.filter(inRoom("stdio"))).toEqual([]);
  });

  test(`the errors alone are at most ${BUDGETS.errors} bytes`, async () => {
    const { gzipBytes, files } = await bundle(ERRORS);
    expect(gzipBytes).toBeLessThanOrEqual(BUDGETS.errors);
    expect(files).toEqual(["base/errors.js"]);
  });

  test("a client for browsers needs no module of Node and holds nothing of the server", async () => {
    const { gzipBytes, files, external } = await bundle(CLIENT, {
      platform: "browser",
      external: ["typebox", "typebox/*", "node:*", "cross-spawn"],
      splitting: true,
    });
    expect(gzipBytes).toBeLessThanOrEqual(BUDGETS.client);
    expect(files.filter(inRoom("server"))).toEqual([]);
    expect(external.filter((path) => path.startsWith("node:") || path === "cross-spawn")).toEqual(
      [],
    );
  });
});
