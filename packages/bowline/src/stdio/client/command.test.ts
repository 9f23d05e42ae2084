import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TransportError } from "../../base/errors.ts";
import { assertArguments, resolveCommand } from "./command.ts";

let root: string;
let bin: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "bowline-command-"));
  bin = join(root, "bin");
  mkdirSync(join(bin, "folder"), { recursive: true });
  for (const file of [join(root, "tool"), join(bin, "tool"), join(bin, "shim.CMD")]) {
    writeFileSync(file, "");
    chmodSync(file, 0o755);
  }
  writeFileSync(join(bin, "text"), "");
});
afterAll(() => rmSync(root, { recursive: true }));

const resolveIn = (command: string, path: string, platform = "linux") =>
  resolveCommand({ command, cwd: root, env: { PATH: path }, platform });

describe("resolveCommand", () => {
  test("T-13 finds a bare name on the absolute entries of PATH only", () => {
    expect(resolveIn("tool", `.::bin:${bin}`)).toBe(join(bin, "tool"));
    expect(() => resolveIn("tool", "::.:bin")).toThrow(TransportError);
    expect(() =>
      resolveCommand({ command: "tool", cwd: root, env: {}, platform: "linux" }),
    ).toThrow(TransportError);
  });

  test("T-13 takes a name with a slash as a path from the working directory", () => {
    expect(resolveIn("./tool", bin)).toBe(join(root, "tool"));
    expect(resolveIn("bin/tool", "")).toBe(join(bin, "tool"));
    expect(resolveIn(join(bin, "tool"), "")).toBe(join(bin, "tool"));
  });

  test("passes over folders and files that are not executable", () => {
    expect(() => resolveIn("folder", bin)).toThrow(TransportError);
    expect(() => resolveIn("text", bin)).toThrow(TransportError);
  });

  test("BR-013 on Windows adds the endings of PATHEXT to a name that has none", () => {
    const env = { Path: bin, PathExt: ".EXE;.CMD" };
    const options = { cwd: root, env, platform: "win32" };
    expect(resolveCommand({ command: "shim", ...options })).toBe(join(bin, "shim.CMD"));
    expect(resolveCommand({ command: "shim.CMD", ...options })).toBe(join(bin, "shim.CMD"));
  });
});

describe("assertArguments", () => {
  test.each([
    ["no command", "", []],
    ["a command that is no string", 1, []],
    ["a NUL in the command", "a\0b", []],
    ["a NUL in an argument", "a", ["b\0"]],
    ["an argument that is no string", "a", [1]],
  ])("T-13 refuses %s", (_, command, args) => {
    expect(() => assertArguments(command, args)).toThrow(TypeError);
  });

  test("takes anything else as it is", () => {
    expect(() => assertArguments("a", ["", "$(x)", "-rf", "a b"])).not.toThrow();
  });
});
