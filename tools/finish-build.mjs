/**
 * Last step of the build, after `tsc -b`.
 *
 * - Outputs whose source is gone are removed, which the compiler does not do.
 * - Declarations import each other by the names of the shipped scripts. The compiler rewrites `./x.ts` to `./x.js` in
 *   scripts only; it resolves either itself, but other readers of declarations do not. Times of the files stay as
 *   they were, so that the next `tsc -b` still finds everything up to date.
 * - What users import is put together in `lib/`, a file for each entry and a few that they share: loading a module costs
 *   about half a millisecond, and a server has seventy. Not minified; the maps lead to the sources.
 */
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build as bundle } from "esbuild";

/** Besides the entries: what a bundler for browsers has to find by name, to take the other in its place. */
const SWITCHED = ["stdio/connect.js", "stdio/browser/connect.js"];
/** Modules that the server imports while it runs, seen from its room. */
const LATER = [
  "completion.js",
  "listening/subscriptions.js",
  "rounds/deferred.js",
  "rounds/rounds.js",
  "seal/seal.js",
  "../uri/match.js",
];
const PACKAGES = fileURLToPath(new URL("../packages/", import.meta.url));
const OUTPUT = /(?:\.d\.ts|\.js)(?:\.map)?$/;
const TYPESCRIPT_ENDING = /((?:\bfrom|\bimport)\s*\(?\s*["']\.[^"']*)\.ts(?=["'])/g;

for (const name of readdirSync(PACKAGES)) {
  const [source, build] = [join(PACKAGES, name, "src"), join(PACKAGES, name, "dist")];
  if (!existsSync(build)) continue;
  for (const file of readdirSync(build, { recursive: true })) {
    if (!OUTPUT.test(file)) continue;
    const output = join(build, file);
    if (!existsSync(join(source, file.replace(OUTPUT, ".ts")))) rmSync(output);
    else if (file.endsWith(".d.ts")) renameImports(output);
  }
  await putTogether(join(PACKAGES, name), build);
}

async function putTogether(folder, build) {
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const entries = Object.values(exports)
    .filter((entry) => typeof entry === "object")
    .map((entry) => entry.default.replace("./lib/", ""));
  const outdir = join(folder, "lib");
  rmSync(outdir, { recursive: true, force: true });
  await bundle({
    entryPoints: [...entries, ...SWITCHED].map((entry) => join(build, entry)),
    outbase: build,
    outdir,
    chunkNames: "shared/[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    platform: "node",
    packages: "external",
    sourcemap: true,
    logLevel: "warning",
    plugins: [oneForLater(build)],
  });
}

/**
 * What a server loads when it first needs it becomes one file. As files of their own these rooms would cut all that they
 * share with the rest into small pieces, and loading a server costs by the piece.
 */
function oneForLater(build) {
  const file = join(build, "server/later.js");
  const modules = new Set(LATER.map((path) => join(build, "server", path)));
  const lines = LATER.map((path) => `export * from "./${path}";\n`);
  return {
    name: "one for later",
    setup: (esbuild) => {
      esbuild.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
        kind === "dynamic-import" && modules.has(join(resolveDir, path))
          ? { path: file }
          : undefined,
      );
      esbuild.onLoad({ filter: /[/\\]server[/\\]later\.js$/ }, () => ({
        contents: lines.join(""),
        resolveDir: join(build, "server"),
      }));
    },
  };
}

function renameImports(file) {
  const text = readFileSync(file, "utf8");
  const renamed = text.replaceAll(TYPESCRIPT_ENDING, "$1.js");
  if (renamed === text) return;
  const { atime, mtime } = statSync(file);
  writeFileSync(file, renamed);
  utimesSync(file, atime, mtime);
}
