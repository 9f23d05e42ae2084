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
  resolveCommand({ command, args: [], cwd: root, env: { PATH: path }, platform });

function thrownBy(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

describe("resolveCommand", () => {
  test("T-13 finds a bare name on the absolute entries of PATH only", () => {
    expect(resolveIn("tool", `.::bin:${bin}`)).toBe(join(bin, "tool"));
    expect(() => resolveIn("tool", "::.:bin")).toThrow(TransportError);
    expect(() =>
      resolveCommand({ command: "tool", args: [], cwd: root, env: {}, platform: "linux" }),
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

  test.each([
    [
      "a name",
      "no-such",
      'program "no-such" not found; PATH of the child is "/bin"',
      "give the full path of the program, or set PATH in env",
    ],
    [
      "a line for a shell",
      "node  server.js",
      'program "node  server.js" not found; PATH of the child is "/bin"',
      'arguments do not belong to the command: {"command":"node","args":["server.js"]}',
    ],
    [
      "a path and more",
      "./no-such -y",
      'no program "./no-such -y" in ROOT',
      'arguments do not belong to the command: {"command":"./no-such","args":["-y"]}',
    ],
    [
      "a home folder",
      "~/server",
      'no program "~/server" in ROOT',
      "no shell reads the command: ~ and variables are not replaced",
    ],
    [
      "a variable",
      "$HOME/server",
      'no program "$HOME/server" in ROOT',
      "no shell reads the command: ~ and variables are not replaced",
    ],
    ["a path", "./no-such", 'no program "./no-such" in ROOT', undefined],
    [
      "a script",
      "bin/text",
      '"bin/text" in ROOT is no program that the system starts',
      'start it by its interpreter, such as {"command":"node","args":["bin/text"]}, or make it executable',
    ],
    ["a folder", "bin/folder", 'no program "bin/folder" in ROOT', undefined],
  ])("BR-013 says of %s where it looked, and what to do", (_, command, message, hint) => {
    expect(thrownBy(() => resolveIn(command, "/bin"))).toMatchObject({
      stage: "resolve",
      message: message.replace("ROOT", root),
      hint,
    });
  });

  test("a working directory that is not there is named", () => {
    const options = { command: "tool", args: [], env: { PATH: bin }, platform: "linux" };
    const cwd = join(root, "nowhere");
    expect(thrownBy(() => resolveCommand({ ...options, cwd }))).toMatchObject({
      stage: "resolve",
      message: `the working directory ${JSON.stringify(cwd)} is not there`,
    });
  });
});

describe("resolveCommand on Windows", () => {
  const FILES = new Set([
    String.raw`C:\nodejs\node.exe`,
    String.raw`C:\nodejs\npx`,
    String.raw`C:\nodejs\npx.cmd`,
    String.raw`C:\tools\both.CMD`,
    String.raw`C:\tools\both.EXE`,
    String.raw`C:\tools\page.js`,
    String.raw`C:\work\here.exe`,
    String.raw`C:\work\sub\server.exe`,
    String.raw`D:\other.exe`,
  ]);
  const lookAt = (path: string) => {
    if (path === String.raw`C:\work`) return "folder";
    const isThere = [...FILES].some((file) => file.toUpperCase() === path.toUpperCase());
    return isThere ? "program" : undefined;
  };
  const onWindows = (command: string, args: readonly string[] = [], env = {}) =>
    resolveCommand({
      command,
      args,
      cwd: String.raw`C:\work`,
      env: {
        Path: String.raw`.;;work;C:\nodejs;C:\tools`,
        PathExt: ".COM;.EXE;.BAT;.CMD;.JS",
        ...env,
      },
      platform: "win32",
      lookAt,
    });

  test.each([
    ["npx", String.raw`C:\nodejs\npx.CMD`],
    ["npx.cmd", String.raw`C:\nodejs\npx.cmd`],
    ["NODE", String.raw`C:\nodejs\NODE.EXE`],
    ["both", String.raw`C:\tools\both.EXE`],
    ["both.cmd", String.raw`C:\tools\both.cmd`],
    [String.raw`sub\server`, String.raw`C:\work\sub\server.EXE`],
    ["sub/server.exe", String.raw`C:\work\sub\server.exe`],
    [String.raw`.\here`, String.raw`C:\work\here.EXE`],
    [String.raw`D:\other`, String.raw`D:\other.EXE`],
  ])("BR-013 T-13 finds %s as %s", (command, file) => {
    expect(onWindows(command)).toBe(file);
  });

  test.each(["here", "page", "page.js", "server.exe"])(
    "T-13 BR-013 neither the working directory nor a document is a program: %s",
    (command) => {
      expect(() => onWindows(command)).toThrow(TransportError);
    },
  );

  test("BR-014 without PATHEXT the usual endings are tried", () => {
    expect(onWindows("npx", [], { PathExt: undefined })).toBe(String.raw`C:\nodejs\npx.CMD`);
  });

  test.each(["a b", "a&b", "%PATH%", "a^b", "(a|b)", "<>", "!x!", "C:\\a\\", "", "-y"])(
    "BR-013 T-13 a batch file is given %j as it is",
    (argument) => {
      expect(onWindows("npx", [argument])).toBe(String.raw`C:\nodejs\npx.CMD`);
    },
  );

  test.each(['{"a":1}', 'a"&calc', "a\nb", "a\r\ncalc"])(
    "T-13 a batch file is not given %j, which it may take for a command",
    (argument) => {
      expect(() => onWindows("npx", ["-y", argument])).toThrow(TypeError);
      expect(onWindows("node", ["-y", argument])).toBe(String.raw`C:\nodejs\node.EXE`);
    },
  );
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
