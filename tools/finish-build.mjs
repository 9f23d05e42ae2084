/**
 * Last step of the build, after `tsc -b`.
 *
 * - Outputs whose source is gone are removed, which the compiler does not do.
 * - Declarations import each other by the names of the shipped scripts. The compiler rewrites `./x.ts` to `./x.js` in
 *   scripts only; it resolves either itself, but other readers of declarations do not. Times of the files stay as
 *   they were, so that the next `tsc -b` still finds everything up to date.
 * - What users import is put together in `lib/`, a file for each entry and a few that they share: loading a module costs
 *   about a millisecond, and a server has seventy. Not minified; the maps lead to the sources.
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
import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/** Besides the entries: what a bundler for browsers has to find by name, to take the other in its place. */
const SWITCHED = ["stdio/connect.js", "stdio/browser/connect.js"];
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
  const input = Object.fromEntries(
    [...entries, ...SWITCHED].map((entry) => [entry.replace(/\.js$/, ""), join(build, entry)]),
  );
  const dir = join(folder, "lib");
  rmSync(dir, { recursive: true, force: true });
  const bundle = await rolldown({
    input,
    platform: "node",
    external: (id) => !id.startsWith(".") && isLibrary(id),
    preserveEntrySignatures: "strict",
    logLevel: "warn",
  });
  const partOf = partsOf({
    server: join(build, "server/index.js"),
    client: join(build, "connect.js"),
  });
  // A group takes all that its modules import along, but for what one of higher priority has.
  const groups = ["shared", "core", "later-shared", "later"].map((name, index) => ({
    name: (id, graph) => (partOf(id, graph) === name ? name : null),
    debugName: name,
    priority: 4 - index,
  }));
  await bundle.write({
    dir,
    format: "esm",
    sourcemap: true,
    comments: false,
    entryFileNames: "[name].js",
    chunkFileNames: "shared/[name]-[hash].js",
    codeSplitting: { groups },
  });
  await bundle.close();
}

/**
 * Which file a module goes to. What a server loads at its start is two: what a client loads too, at once or later, is
 * `shared`, and the rest is `core`. What a server loads when it first needs it are two in the same way, `later-shared` and
 * `later`, but for what rests on a library. All else is left to the bundler: these are what many programs wait for, and as
 * files for each set of entries they would be sixteen.
 */
function partsOf(entries) {
  let parts;
  return (id, graph) => {
    parts ??= serverParts(entries, graph);
    return parts.get(id);
  };
}

function serverParts({ server, client }, graph) {
  const core = loadedWith([server], graph);
  const later = laterOf(core, graph, core)
    .filter((part) => part.every((id) => restsOnOurs(id, graph)))
    .flat();
  const atStart = loadedWith([client], graph);
  const ofClient = new Set([...atStart, ...laterOf(atStart, graph).flat()]);
  return new Map([
    ...later.map((id) => [id, ofClient.has(id) ? "later-shared" : "later"]),
    ...core.map((id) => [id, ofClient.has(id) ? "shared" : "core"]),
  ]);
}

/** What these modules import while they run: for each such import, all that comes with it. */
function laterOf(ids, graph, known = []) {
  return ids
    .flatMap((id) => graph.getModuleInfo(id).dynamicallyImportedIds)
    .map((id) => loadedWith([id], graph, known));
}

/** A module and all it imports, but for what is dynamic, a library, or known already. */
function loadedWith(ids, graph, known = []) {
  const found = new Set();
  const left = new Set(known);
  const waiting = [...ids];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id) || left.has(id) || isLibrary(id)) continue;
    found.add(id);
    waiting.push(...graph.getModuleInfo(id).importedIds);
  }
  return [...found];
}

function restsOnOurs(id, graph) {
  return !graph.getModuleInfo(id).importedIds.some((imported) => isLibrary(imported));
}

/** By its name: what is ours is known by an absolute path. */
function isLibrary(id) {
  return !isAbsolute(id);
}

function renameImports(file) {
  const text = readFileSync(file, "utf8");
  const renamed = text.replaceAll(TYPESCRIPT_ENDING, "$1.js");
  if (renamed === text) return;
  const { atime, mtime } = statSync(file);
  writeFileSync(file, renamed);
  utimesSync(file, atime, mtime);
}
