import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PACKAGE, REPOSITORY } from "./source.ts";

const read = (...path: readonly string[]) => readFileSync(join(...path), "utf8");
const all = (text: string, pattern: RegExp) =>
  [...new Set([...text.matchAll(pattern)].map(([, found = ""]) => found))].toSorted();

const page = read(REPOSITORY, "docs/errors.md");

describe("docs/errors.md", () => {
  test("has a row for every code an error can carry, and no other", () => {
    const source = read(PACKAGE, "src/base/errors.ts").split("\n\n")[0] ?? "";
    expect(all(page, /^\| `(ERR_\w+)`/gm)).toEqual(all(source, /"(ERR_\w+)"/g));
  });

  test("has a row for every code on the wire, and no other", () => {
    const source = read(PACKAGE, "src/jsonrpc/error-code.ts");
    expect(all(page, /^\| `(-\d+)`/gm)).toEqual(all(source, / = (-\d+);/g));
  });
});
