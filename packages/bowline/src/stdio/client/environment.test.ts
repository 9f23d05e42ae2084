import { describe, expect, test } from "vitest";
import { childEnvironment } from "./environment.ts";

const PARENT = {
  PATH: "/usr/bin",
  HOME: "/home/ada",
  USER: "ada",
  TERM: "xterm",
  AWS_SECRET_ACCESS_KEY: "canary",
  NODE_OPTIONS: "--require evil.js",
  LD_PRELOAD: "/evil.so",
  BASH_ENV: "/evil.sh",
  HTTPS_PROXY: "http://proxy.example",
  no_proxy: "localhost",
  NODE_EXTRA_CA_CERTS: "/ca.pem",
  UNSET: undefined,
};

describe("childEnvironment", () => {
  test("T-14 passes the allow-list on and nothing else", () => {
    expect(childEnvironment({ platform: "linux", parent: PARENT })).toEqual({
      PATH: "/usr/bin",
      HOME: "/home/ada",
      USER: "ada",
      TERM: "xterm",
    });
  });

  test("T-14 leaves out inherited functions of a shell", () => {
    const parent = { PATH: "/bin", HOME: "() { :; }; echo evil" };
    expect(childEnvironment({ platform: "linux", parent })).toEqual({ PATH: "/bin" });
  });

  test("BR-014 on Windows passes on what resolves programs, whatever the case of the names", () => {
    const parent = {
      Path: "C:\\Windows",
      PATHEXT: ".EXE;.CMD",
      ComSpec: "cmd.exe",
      windir: "C:\\Windows",
      SystemRoot: "C:\\Windows",
      TEMP: "C:\\t",
      TMP: "C:\\t",
      HOME: "not a Windows variable",
      SECRET: "canary",
    };
    const { HOME: _home, SECRET: _secret, ...allowed } = parent;
    expect(childEnvironment({ platform: "win32", parent })).toEqual(allowed);
    expect(childEnvironment({ platform: "win32", parent, env: { PATH: "D:\\" } })).toEqual({
      ...Object.fromEntries(Object.entries(allowed).filter(([name]) => name !== "Path")),
      PATH: "D:\\",
    });
  });

  test("BR-015 one switch adds proxies and certificates, and env wins", () => {
    const env = { HTTPS_PROXY: "http://other.example", USER: undefined, EXTRA: "1" };
    expect(
      childEnvironment({ platform: "darwin", parent: PARENT, env, inheritNetwork: true }),
    ).toEqual({
      PATH: "/usr/bin",
      HOME: "/home/ada",
      TERM: "xterm",
      no_proxy: "localhost",
      NODE_EXTRA_CA_CERTS: "/ca.pem",
      HTTPS_PROXY: "http://other.example",
      EXTRA: "1",
    });
  });

  test.each([
    ["a=b", "c"],
    ["", "c"],
    ["a\0", "c"],
    ["a", "b\0c"],
  ])("T-13 refuses the variable %j with the value %j", (name, value) => {
    const options = { platform: "linux", parent: {}, env: { [name]: value } };
    expect(() => childEnvironment(options)).toThrow(TypeError);
  });
});
