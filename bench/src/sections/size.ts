import { build, type Plugin } from "esbuild";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { resolvePeer } from "../../../peers/index.mjs";
import { figure } from "../statistics.ts";
import { table } from "../table.ts";
import { atMost, type Section } from "./section.ts";

const FOLDER = fileURLToPath(new URL("../../", import.meta.url));
const MAX_SERVER_KB = 30;
const MAX_ERRORS_KB = 3;
const KB = 1000;
const LIBRARY = ["typebox", "typebox/*"];
/** The JSON Schema engine: the library, and the room that bounds it, explains and reads what it runs. */
const ENGINE = [...LIBRARY, "*/schema/compile.js"];
/** The scripts that the shipped ones are put together from: only there a room can be left out. */
const SEPARATE = {
  "bowline/server": scriptOf("server"),
  "bowline/http": scriptOf("http"),
};

interface Program {
  readonly what: string;
  readonly source: string;
  readonly external?: readonly string[];
  readonly alias?: Record<string, string>;
  /** Counts what is loaded before the program runs, without what comes with the first value that needs it. */
  readonly atStart?: boolean;
}

const SERVER = `
import { createServer } from "bowline/server";
import { serveHttp } from "bowline/http";
const server = createServer({ name: "now", version: "1.0.0" });
server.tool("now", { description: "The time" }, () => new Date().toISOString());
export default { fetch: serveHttp(server) };`;

const PROGRAMS: readonly Program[] = [
  {
    what: "HTTP server at its start, without the JSON Schema engine",
    source: SERVER,
    external: ENGINE,
    alias: SEPARATE,
    atStart: true,
  },
  { what: "HTTP server, without the library of that engine", source: SERVER, external: LIBRARY },
  { what: "HTTP server", source: SERVER },
  { what: "errors only", source: `export { McpError, ToolError } from "bowline";` },
  { what: "client", source: `export { createClient } from "bowline/client";` },
  {
    what: "official v2 HTTP server",
    source: `
import { createMcpHandler, McpServer } from ${JSON.stringify(resolved("@modelcontextprotocol/server"))};
const build = () => {
  const server = new McpServer({ name: "now", version: "1.0.0" });
  server.registerTool("now", { description: "The time" }, async () => {
    return { content: [{ type: "text", text: new Date().toISOString() }] };
  });
  return server;
};
export default createMcpHandler(build);`,
  },
];

/** Small programs, bundled, minified and compressed. */
export const size: Section = {
  name: "size",
  run: async ({ log }) => {
    const sizes = await Promise.all(PROGRAMS.map(bundle));
    log("size: bundles");
    const gzipOf = (what: string): number => sizes.find((s) => s.what === what)?.gzip ?? Number.NaN;
    const [server, errors] = [gzipOf(PROGRAMS[0]?.what ?? ""), gzipOf("errors only")];
    const rows = sizes.map((s) => [s.what, s.minified, s.gzip]);
    return {
      markdown: `**Bundles**\n\n${table(["program", "minified kB", "gzip kB"], rows)}`,
      targets: [
        atMost(
          "minimal HTTP server ≤ 30 kB gzip without the JSON Schema engine",
          server,
          MAX_SERVER_KB,
          `${figure(server)} kB`,
        ),
        atMost("errors only ≤ 3 kB gzip", errors, MAX_ERRORS_KB, `${figure(errors)} kB`),
      ],
    };
  },
};

function scriptOf(room: string): string {
  return fileURLToPath(new URL(`../../../packages/bowline/dist/${room}/index.js`, import.meta.url));
}

function resolved(name: string): string {
  return fileURLToPath(resolvePeer(name));
}

async function bundle(
  program: Program,
): Promise<{ readonly what: string; readonly minified: number; readonly gzip: number }> {
  const built = await build({
    stdin: { contents: program.source, resolveDir: FOLDER, sourcefile: "program.mjs" },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "es2022",
    write: false,
    outdir: "out",
    plugins: program.atStart === true ? [WITHOUT_LATER] : [],
    logLevel: "error",
    external: [...(program.external ?? [])],
    alias: program.alias ?? {},
  });
  const contents = built.outputFiles[0]?.contents ?? new Uint8Array();
  return {
    what: program.what,
    minified: contents.length / KB,
    gzip: gzipSync(contents, { level: 9 }).length / KB,
  };
}

/** Leaves out what a program imports while it runs. */
const WITHOUT_LATER: Plugin = {
  name: "without later",
  setup: (esbuild) => {
    esbuild.onResolve({ filter: /^\./ }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    );
  },
};
