import { gzipSync } from "node:zlib";
import { join } from "node:path";
import { build, type BuildOptions, type Metafile, type Plugin } from "esbuild";
import { describe, expect, test } from "vitest";
import { PACKAGE } from "./source.ts";

/**
 * Bytes, minified and gzipped. `server` is what a server loads before its first request, without the JSON Schema engine:
 * `typebox` and the room around it that bounds and explains. `whole` is all of ours in one script, the rooms that are
 * loaded when first needed included, without `typebox` alone.
 */
const BUDGETS = {
  server: 30_000,
  whole: 54_000,
  client: 25_000,
  wholeClient: 32_000,
  errors: 3_000,
};
/** What is loaded when first needed: input rounds, subscriptions, completion, the matching of templates. */
const LATER = [
  "../../uri/match.js",
  "../seal/seal.js",
  "./completion.js",
  "./rounds/deferred.js",
  "./rounds/rounds.js",
  "./subscriptions.js",
];
/** What esbuild calls the output of a source that has no file. */
const ENTRY = "out/stdin.js";
const TYPEBOX = ["typebox", "typebox/*"];
const ENGINE = [...TYPEBOX, "*/schema/compile.js"];

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

const ERROR_FILES = new Set(["base/errors.js", "server/tool-error.js", "index.js"]);

/** The scripts that `lib/` is put together from: one for each source, so that rooms can be told. */
const SEPARATE: Plugin = {
  name: "separate",
  setup: (esbuild) => {
    esbuild.onResolve({ filter: /^bowline(?:\/|$)/ }, ({ path }) => ({
      path: join(PACKAGE, "dist", path.slice("bowline".length), "index.js"),
      sideEffects: false,
    }));
    esbuild.onResolve({ filter: /\/stdio\/connect\.js$/ }, ({ resolveDir }) => ({
      path: join(resolveDir, "stdio/browser/connect.js"),
    }));
  },
};

/** Leaves out what a program imports while it runs, and notes it. */
function withoutLater(seen: Set<string>): Plugin {
  return {
    name: "without later",
    setup: (esbuild) => {
      esbuild.onResolve({ filter: /^\./ }, ({ kind, path }) => {
        if (kind !== "dynamic-import") return undefined;
        seen.add(path);
        return { path, external: true };
      });
    },
  };
}

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
    platform: "browser",
    external: ENGINE,
    logLevel: "silent",
    outdir: "out",
    plugins: [SEPARATE],
    ...options,
  });
  const outputs = result.metafile?.outputs ?? {};
  const loaded = loadedWith(ENTRY, outputs);
  const held = loaded.flatMap(({ inputs }) => Object.entries(inputs));
  return {
    gzipBytes: gzipSync(result.outputFiles?.[0]?.contents ?? new Uint8Array(), { level: 9 }).length,
    files: held
      .filter(([, input]) => input.bytesInOutput > 0)
      .map(([path]) => /(?:^|\/)dist\/(.*)$/.exec(path)?.[1])
      .filter((path) => path !== undefined),
    external: loaded.flatMap(({ imports }) =>
      imports.filter(({ external }) => external === true).map(({ path }) => path),
    ),
  };
}

type Outputs = Metafile["outputs"];

/** The outputs that are loaded before the entry runs: dynamic imports come later. */
function loadedWith(entry: string, outputs: Outputs): readonly Outputs[string][] {
  const seen = new Set<string>();
  const waiting = [entry];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    for (const { path: next, kind, external } of outputs[path]?.imports ?? []) {
      if (kind !== "dynamic-import" && external !== true) waiting.push(next);
    }
  }
  return [...seen].flatMap((path) => outputs[path] ?? []);
}

const inRoom = (room: string) => (file: string) => file.startsWith(`${room}/`);

describe("bundles", () => {
  test(`a minimal HTTP server is at most ${BUDGETS.server} bytes and holds nothing of the client`, async () => {
    const later = new Set<string>();
    const plugins = [withoutLater(later), SEPARATE];
    const { gzipBytes, files, external } = await bundle(SERVER, { plugins });
    expect(files.filter(inRoom("client"))).toEqual([]);
    expect(files.filter(inRoom("stdio"))).toEqual([]);
    expect(files.filter(inRoom("server/listening"))).toEqual(["server/listening/listening.js"]);
    expect(files.filter(inRoom("server/rounds"))).toEqual(["server/rounds/input-required.js"]);
    expect([...later].toSorted()).toEqual(LATER);
    const others = external.filter((path) => !later.has(path));
    expect(others.filter((path) => !/^typebox|\/schema\//.test(path))).toEqual([]);
    expect(gzipBytes).toBeGreaterThan(1_000);
    expect(gzipBytes).toBeLessThanOrEqual(BUDGETS.server);
  });

  test(`with all of ours around the engine it is at most ${BUDGETS.whole} bytes`, async () => {
    const { gzipBytes } = await bundle(SERVER, { external: TYPEBOX });
    expect(gzipBytes).toBeLessThanOrEqual(BUDGETS.whole);
  });

  test("the same server through the root entry holds nothing of the client either", async () => {
    const { files } = await bundle(SERVER.replaceAll(/"bowline\/(?:server|http)"/g, `"bowline"`));
    expect(files.filter(inRoom("client"))).toEqual([]);
    expect(files.filter(inRoom("stdio"))).toEqual([]);
  });

  test(`the errors alone are at most ${BUDGETS.errors} bytes`, async () => {
    const { gzipBytes, files } = await bundle(ERRORS);
    expect(gzipBytes).toBeLessThanOrEqual(BUDGETS.errors);
    expect(files.filter((file) => !ERROR_FILES.has(file))).toEqual([]);
  });

  test("what is shipped is put together without loss: the same server is not larger", async () => {
    const shipped = await bundle(SERVER, { external: TYPEBOX, plugins: [] });
    expect(shipped.external.filter((path) => !path.startsWith("typebox"))).toEqual([]);
    expect(shipped.gzipBytes).toBeLessThanOrEqual(BUDGETS.whole);
    expect((await bundle(ERRORS, { plugins: [] })).gzipBytes).toBeLessThanOrEqual(BUDGETS.errors);
  });

  test("BR-121 a shipped client for browsers needs no module of Node", async () => {
    const { gzipBytes, external } = await bundle(CLIENT, { plugins: [] });
    expect(gzipBytes).toBeLessThanOrEqual(BUDGETS.wholeClient);
    expect(external.filter((path) => !path.startsWith("typebox"))).toEqual([]);
  });

  test(`a client is at most ${BUDGETS.client} bytes at its start: rounds and subscriptions come when first needed`, async () => {
    const later = new Set<string>();
    const { gzipBytes, files } = await bundle(CLIENT, { plugins: [withoutLater(later), SEPARATE] });
    expect([...later]).toEqual(
      expect.arrayContaining(["./drive-rounds.js", "./guard.js", "./listening/listen.js"]),
    );
    expect(files.filter(inRoom("client/listening"))).toEqual([]);
    expect(gzipBytes).toBeGreaterThan(1_000);
    expect(gzipBytes).toBeLessThanOrEqual(BUDGETS.client);
  });

  test("a client is loaded without JSON Schema, which comes with the first tool that promises a result", async () => {
    const { external, files } = await bundle(CLIENT, { external: TYPEBOX, splitting: true });
    expect(external).toEqual([]);
    expect(files.filter(inRoom("schema"))).toEqual([]);
  });

  test("a server is loaded without the JSON Schema engine, which comes with the first value", async () => {
    const { external } = await bundle(SERVER, { external: TYPEBOX, plugins: [], splitting: true });
    expect(external.filter((path) => path.startsWith("typebox"))).toEqual([]);
  });

  test("a client for browsers needs no module of Node and holds nothing of the server", async () => {
    const { gzipBytes, files, external } = await bundle(CLIENT);
    expect(gzipBytes).toBeLessThanOrEqual(BUDGETS.wholeClient);
    expect(files.filter(inRoom("server"))).toEqual([]);
    expect(external.filter((path) => path.startsWith("node:") || path === "cross-spawn")).toEqual(
      [],
    );
  });
});
