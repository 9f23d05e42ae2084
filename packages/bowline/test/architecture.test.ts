import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { filesBelow, importsOf, PACKAGE, resolveImport } from "./source.ts";

/** Which room may import which. Type imports count. The root files wire rooms together and may import all. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  base: [],
  json: ["base"],
  sse: ["base"],
  uri: ["base"],
  schema: ["base", "json"],
  jsonrpc: ["base", "json"],
  protocol: ["base", "json", "schema", "jsonrpc", "uri"],
  server: ["base", "json", "schema", "protocol", "uri"],
  client: ["base", "json", "schema", "protocol", "uri"],
  http: ["base", "json", "sse", "jsonrpc", "protocol"],
  stdio: ["base", "json", "jsonrpc", "protocol"],
  node: ["base", "http"],
  auth: ["base", "json", "protocol"],
  engine: ["base", "json"],
  telemetry: ["base", "json", "protocol"],
  extensions: ["base", "json", "schema", "protocol", "server", "client", "engine"],
  legacy: ["base", "json", "sse", "jsonrpc", "protocol", "http", "stdio", "engine"],
  testing: ["base", "json", "sse", "jsonrpc", "protocol", "uri"],
};

/** The one room that may import each dependency. */
const DEPENDENCIES: Readonly<Record<string, readonly string[]>> = {
  typebox: ["schema"],
  "@standard-schema/spec": ["schema"],
  "eventsource-parser": ["sse"],
  "cross-spawn": ["stdio"],
};

const NODE_ROOMS = new Set(["stdio", "node"]);
const ROOT_FILES = new Set(["index.ts", "connect.ts"]);
const MAX_FILES_IN_FOLDER = 20;

const SOURCE = join(PACKAGE, "src");
const files = filesBelow(SOURCE).filter(
  (file) => file.endsWith(".ts") && !file.endsWith(".test.ts"),
);
const roomOf = (file: string) => (file.includes("/") ? file.slice(0, file.indexOf("/")) : "");
const isRelative = (specifier: string) => specifier.startsWith(".");

const imports = files.flatMap((file) =>
  importsOf(join(SOURCE, file)).map((specifier) => ({ file, room: roomOf(file), specifier })),
);
const edges = imports
  .filter(({ specifier }) => isRelative(specifier))
  .map(({ file, room, specifier }) => ({ file, room, target: resolveImport(file, specifier) }));

describe("architecture", () => {
  test("every source file lies in a known room or is a root file", () => {
    const lost = files.filter((file) => !ROOT_FILES.has(file) && !(roomOf(file) in MAY_IMPORT));
    expect(lost).toEqual([]);
  });

  test("a room imports only the rooms its row allows", () => {
    const forbidden = edges.filter(({ room, target }) => {
      if (room === "") return false;
      const other = roomOf(target);
      return other !== room && !MAY_IMPORT[room]?.includes(other);
    });
    expect(forbidden.map(({ file, target }) => `${file} -> ${target}`)).toEqual([]);
  });

  test("an extension imports no other extension", () => {
    const extensionOf = (path: string) => /^extensions\/[^/]+/.exec(path)?.[0];
    const forbidden = edges.filter(({ file, target }) => {
      const [from, to] = [extensionOf(file), extensionOf(target)];
      return from !== undefined && to !== undefined && from !== to;
    });
    expect(forbidden).toEqual([]);
  });

  test("relative imports name an existing source file that is not a test", () => {
    const broken = edges.filter(
      ({ target }) => target.endsWith(".test.ts") || !existsSync(join(SOURCE, target)),
    );
    expect(broken.map(({ file, target }) => `${file} -> ${target}`)).toEqual([]);
  });

  test("rooms import the file that defines a thing, never an index", () => {
    const forbidden = edges.filter(
      ({ room, target }) => room !== "" && /(?:^|\/)index\.ts$/.test(target),
    );
    expect(forbidden.map(({ file, target }) => `${file} -> ${target}`)).toEqual([]);
  });

  test("built-in modules of Node are imported by the Node rooms alone", () => {
    const forbidden = imports.filter(
      ({ room, specifier }) => specifier.startsWith("node:") && !NODE_ROOMS.has(room),
    );
    expect(forbidden).toEqual([]);
  });

  test("a dependency is imported by the room that needs it alone", () => {
    const forbidden = imports.filter(({ room, specifier }) => {
      if (isRelative(specifier) || specifier.startsWith("node:")) return false;
      const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
      return !DEPENDENCIES[name]?.includes(room);
    });
    expect(forbidden).toEqual([]);
  });

  test("no files import each other in a circle", () => {
    expect(findCycle(edges)).toEqual([]);
  });

  test(`no folder holds more than ${MAX_FILES_IN_FOLDER} source files`, () => {
    const counts = new Map<string, number>();
    for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > MAX_FILES_IN_FOLDER)).toEqual([]);
  });
});

describe("the architecture gate itself", () => {
  test("finds a circle and names the files on it", () => {
    const circle = [
      { file: "a.ts", target: "b.ts" },
      { file: "b.ts", target: "c.ts" },
      { file: "c.ts", target: "b.ts" },
    ];
    expect(findCycle(circle)).toEqual(["b.ts", "c.ts", "b.ts"]);
  });
});

interface Edge {
  readonly file: string;
  readonly target: string;
}

/** One circle of imports, first file repeated at the end; empty when there is none. */
function findCycle(from: readonly Edge[]): readonly string[] {
  const targetsOf = (file: string) =>
    from.filter((edge) => edge.file === file).map((edge) => edge.target);
  const done = new Set<string>();
  const follow = (file: string, path: readonly string[]): readonly string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return [];
    for (const target of targetsOf(file)) {
      const circle = follow(target, [...path, file]);
      if (circle.length > 0) return circle;
    }
    done.add(file);
    return [];
  };
  for (const { file } of from) {
    const circle = follow(file, []);
    if (circle.length > 0) return circle;
  }
  return [];
}
