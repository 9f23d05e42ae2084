import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { filesBelow, PACKAGE } from "./source.ts";

const subpaths = Object.keys(manifest.exports)
  .filter((path) => path !== "./package.json")
  .map((path) => path.replace(".", "bowline"));

const built = Object.values(manifest.exports).filter((target) => typeof target === "object");
const dist = filesBelowDist();

function filesBelowDist(): readonly string[] {
  const folder = join(PACKAGE, "dist");
  if (!existsSync(folder)) throw new Error("there is no dist/: run `npm run build` first");
  return filesBelow(folder);
}

function node(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: PACKAGE,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

const count = (list: readonly string[]) => `${list.length}\n`;

describe("the built package", () => {
  test("BR-121 brings four small libraries, and no HTTP framework", () => {
    expect(Object.keys(manifest.dependencies)).toEqual([
      "@standard-schema/spec",
      "cross-spawn",
      "eventsource-parser",
      "typebox",
    ]);
  });

  test("holds every file that package.json promises", () => {
    const files = built.flatMap((target) => Object.values(target));
    expect(files.filter((file) => !existsSync(join(PACKAGE, file)))).toEqual([]);
  });

  test("mirrors src: one script and one declaration for every source, and nothing else", () => {
    const sources = filesBelow(join(PACKAGE, "src")).filter(
      (file) => file.endsWith(".ts") && !file.endsWith(".test.ts"),
    );
    const expected = sources.flatMap((file) =>
      [".d.ts", ".d.ts.map", ".js", ".js.map"].map((ending) => file.replace(/\.ts$/, ending)),
    );
    const found = dist.filter((file) => !file.endsWith(".tsbuildinfo"));
    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  test("names no TypeScript source in an import of a declaration or script", () => {
    const wrong = dist
      .filter((file) => /\.(?:js|d\.ts)$/.test(file))
      .filter((file) =>
        /["']\.[^"']*\.ts["']/.test(readFileSync(join(PACKAGE, "dist", file), "utf8")),
      );
    expect(wrong).toEqual([]);
  });

  test("its declarations compile without the types of Node, and name every type a server's author publishes", () => {
    const tsc = createRequire(import.meta.url)
      .resolve("typescript/package.json")
      .replace(/package\.json$/, "bin/tsc");
    expect(node(tsc, "-p", "test/consumer", "--pretty", "false")).toEqual({
      status: 0,
      stdout: "",
      stderr: "",
    });
  });

  test("packs the build, README and LICENSE, and neither tests nor build records", () => {
    const { status, stdout } = spawnSync("npm", ["pack", "--dry-run", "--json"], {
      cwd: PACKAGE,
      encoding: "utf8",
      shell: process.platform === "win32",
    });
    expect(status).toBe(0);
    const packed: readonly { readonly files: readonly { readonly path: string }[] }[] =
      JSON.parse(stdout);
    const paths = packed[0]?.files.map(({ path }) => path) ?? [];
    expect(paths).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
    expect(paths.filter((path) => /\.test\.|tsbuildinfo|^(?:src|test)\//.test(path))).toEqual([]);
  }, 60_000);

  test("BR-120 loads as ES modules, without code generation from strings", () => {
    const code = `const all = await Promise.all(${JSON.stringify(subpaths)}.map((path) => import(path))); console.log(all.length);`;
    expect(
      node("--disallow-code-generation-from-strings", "--input-type=module", "-e", code),
    ).toEqual({ status: 0, stdout: count(subpaths), stderr: "" });
  });

  test("BR-120 loads through require()", () => {
    const code = `console.log(${JSON.stringify(subpaths)}.map((path) => require(path)).length);`;
    expect(node("--no-warnings", "--input-type=commonjs", "-e", code)).toEqual({
      status: 0,
      stdout: count(subpaths),
      stderr: "",
    });
  });

  test("answers a call without code generation from strings", () => {
    const code = `
      import { createClient, createServer } from "bowline";
      const text = { type: "object", properties: { text: { type: "string", minLength: 2 } }, required: ["text"] };
      const server = createServer({ name: "echo", version: "1.0.0" })
        .tool("echo", { inputSchema: text, outputSchema: text }, ({ text }) => ({ text }));
      const client = createClient(server);
      const good = await client.callTool("echo", { text: "hello" });
      const bad = await client.callTool("echo", { text: "h" });
      console.log(good.structuredContent.text, bad.isError);
    `;
    expect(
      node("--disallow-code-generation-from-strings", "--input-type=module", "-e", code),
    ).toEqual({ status: 0, stdout: "hello true\n", stderr: "" });
  });
});
