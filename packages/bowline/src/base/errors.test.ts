import { beforeAll, describe, expect, test } from "vitest";
import {
  DecodeError,
  LimitError,
  McpError,
  RpcError,
  TimeoutError,
  TransportError,
} from "./errors.ts";

// oxlint-disable-next-line typescript/consistent-type-imports -- the type of the module itself
let copy: typeof import("./errors.ts");
beforeAll(async () => {
  const specifier = "./errors.ts?second-copy";
  copy = (await import(specifier)) as typeof copy;
});

const SAMPLES = [
  { error: new McpError("a"), code: "ERR_MCP", name: "McpError" },
  { error: new RpcError(-32602, "b"), code: "ERR_MCP_RPC", name: "RpcError" },
  { error: new DecodeError("c"), code: "ERR_MCP_DECODE", name: "DecodeError" },
  { error: new TransportError("d"), code: "ERR_MCP_TRANSPORT", name: "TransportError" },
  { error: new LimitError("maxX", 3, "e"), code: "ERR_MCP_LIMIT", name: "LimitError" },
  { error: new TimeoutError("timeoutMs", 5), code: "ERR_MCP_TIMEOUT", name: "TimeoutError" },
] as const;

describe("errors", () => {
  test.each(SAMPLES)("$name has its own name, code and message", ({ error, code, name }) => {
    expect({ name: error.name, code: error.code }).toEqual({ name, code });
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).toBe(`${name}: ${error.message}`);
  });

  test.each(SAMPLES)("$name is recognised by another copy of the package", ({ error, name }) => {
    expect(copy.McpError).not.toBe(McpError);
    expect(error instanceof copy.McpError).toBe(true);
    expect(copy.McpError.is(error)).toBe(true);
    const kinds = [
      copy.RpcError,
      copy.DecodeError,
      copy.TransportError,
      copy.LimitError,
      copy.TimeoutError,
    ];
    expect(kinds.filter((kind) => error instanceof kind).map((kind) => kind.name)).toEqual(
      name === "McpError" ? [] : [name],
    );
  });

  test("says how far a call came, where it is the error of one", () => {
    const stages = [
      new DecodeError("a"),
      new RpcError(-32602, "b", { origin: "peer" }),
      new RpcError(-32602, "c"),
      new TransportError("d"),
      new TransportError("e", { stage: "tls" }),
      new TimeoutError("timeoutMs", 5),
      new LimitError("maxX", 3, "f"),
    ].map(({ stage }) => stage);
    expect(stages).toEqual(["decode", "peer", undefined, "connect", "tls", "timeout", undefined]);
  });

  test("values that are not errors of ours are not taken for one", () => {
    const strangers = [undefined, null, 1, "x", {}, new Error("x"), { name: "McpError" }];
    expect(strangers.filter((value) => value instanceof McpError || RpcError.is(value))).toEqual(
      [],
    );
  });

  test("a subclass of a user stays itself", () => {
    class OwnError extends RpcError {}
    const own = new OwnError(1, "mine");
    expect(own).toBeInstanceOf(OwnError);
    expect(own).toBeInstanceOf(RpcError);
    expect(new RpcError(1, "plain") instanceof OwnError).toBe(false);
    expect(own.name).toBe("OwnError");
  });

  test("an RpcError keeps code, data, cause and origin", () => {
    const cause = new Error("why");
    const error = new RpcError(-32000, "old", { data: { a: 1 }, origin: "peer", cause });
    expect([error.rpcCode, error.data, error.origin, error.cause]).toEqual([
      -32000,
      { a: 1 },
      "peer",
      cause,
    ]);
    expect(new RpcError(1, "x").origin).toBe("local");
  });
});
