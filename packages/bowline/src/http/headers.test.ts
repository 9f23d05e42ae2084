import * as fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import {
  CALL,
  describeFaces,
  DONE,
  fault,
  META,
  post,
  type HeaderChanges,
  type Message,
} from "../../test/http.ts";
import type { JsonObject } from "../json/value.ts";
import type { Exchange, ExchangeHolder } from "../protocol/exchange.ts";
import type { HeaderParameter } from "../protocol/header-parameters.ts";
import { PROTOCOL_VERSION } from "../protocol/versioning.ts";

const NAMED_CALLS: readonly (readonly [Message, string])[] = [
  [{ id: 1, method: "tools/call", params: { name: "echo" } }, "echo"],
  [{ id: 1, method: "prompts/get", params: { name: "greet" } }, "greet"],
  [{ id: 1, method: "resources/read", params: { uri: "file:///a%20b" } }, "file:///a%20b"],
  [{ id: 1, method: "tasks/get", params: { taskId: "t1" } }, "t1"],
  [{ id: 1, method: "tasks/update", params: { taskId: "t1" } }, "t1"],
  [{ id: 1, method: "tasks/cancel", params: { taskId: "t1" } }, "t1"],
];
const UNNAMED_CALLS: readonly Message[] = [
  { id: "a", method: "server/discover" },
  { id: "a", method: "tools/list" },
  { id: "a", method: "prompts/list" },
  { id: "a", method: "resources/list" },
  { id: "a", method: "resources/templates/list" },
  { id: "a", method: "completion/complete" },
  { id: "a", method: "vendor/method" },
];
const MISMATCH = { status: 400, code: -32020 };

const named = (name: string | null): Message => ({ ...CALL, params: { name } });
const withArguments = (args: JsonObject): Message => ({
  ...CALL,
  params: { name: "echo", arguments: args },
});

let ran = 0;
beforeEach(() => {
  ran = 0;
});
const count: Exchange = () => {
  ran += 1;
  return Promise.resolve(DONE);
};

describeFaces("compulsory headers", (start) => {
  test("HDR-12 BR-112 are found whatever the case of their names", async () => {
    const { send } = await start(count);
    const asked = post(CALL);
    const shouted = asked.headers.map(([name, value]) => [name.toUpperCase(), value] as const);
    expect((await send({ ...asked, headers: shouted })).status).toBe(200);
  });

  test("HDR-08 HDR-16 HDR-17 HDR-18 BR-112 T-21 are missed wherever they are due", async () => {
    const { send } = await start(count);
    const calls = [...NAMED_CALLS.map(([message]) => message), ...UNNAMED_CALLS];
    for (const message of calls) {
      for (const name of ["MCP-Protocol-Version", "Mcp-Method"]) {
        const answer = await send(post(message, { "Mcp-Name": "echo", [name]: undefined }));
        expect(fault(answer), `${message.method} without ${name}`).toEqual({
          ...MISMATCH,
          id: message.id,
        });
      }
    }
    for (const [message] of NAMED_CALLS) {
      const answer = await send(post(message, { "Mcp-Name": undefined }));
      expect(fault(answer), `of ${message.method}`).toEqual({ ...MISMATCH, id: 1 });
    }
    expect(ran).toBe(0);
  });

  test.each<readonly [string, Message, string]>([
    ["MCP-Protocol-Version", CALL, `: expected "${PROTOCOL_VERSION}"`],
    ["Mcp-Method", CALL, ': expected "tools/call"'],
    ["Mcp-Name", CALL, ': expected "echo"'],
    ["Mcp-Name", named("grüße"), ': expected "=?base64?Z3LDvMOfZQ==?="'],
    ["Mcp-Name", named("x".repeat(513)), ""],
    ["Mcp-Name", named(null), ""],
    ["Mcp-Param-Region", withArguments({ region: "us-west1" }), ': expected "us-west1"'],
    ["Mcp-Param-Count", withArguments({ page: { count: 42 } }), ': expected "42"'],
    ["Mcp-Param-Count", withArguments({ page: { count: 0.5 } }), ""],
  ])(
    "HDR-16 XHDR-33 a refusal names the header %s and what it should have said",
    async (name, message, hint) => {
      const { send } = await start(withParameters(REGION, COUNT));
      const { text } = await send(post(message, { [name]: undefined }));
      expect(JSON.parse(text)).toMatchObject({
        error: { code: -32020, message: `header ${name} is missing${hint}` },
      });
    },
  );

  test.each<[string, HeaderChanges]>([
    ["another version", { "MCP-Protocol-Version": "2026-07-29" }],
    ["an empty version", { "MCP-Protocol-Version": "" }],
    ["another method", { "Mcp-Method": "tools/list" }],
    ["a method in another case", { "Mcp-Method": "Tools/Call" }],
    ["an encoded method", { "Mcp-Method": "=?base64?dG9vbHMvY2FsbA==?=" }],
    ["another name", { "Mcp-Name": "other" }],
    ["a name in another case", { "Mcp-Name": "Echo" }],
    ["a name with white space inside", { "Mcp-Name": "e cho" }],
    ["an empty name", { "Mcp-Name": "" }],
    ["a name in broken Base64", { "Mcp-Name": "=?base64?ZWNobw?=" }],
    ["a name with an 8-bit byte", { "Mcp-Name": "ech\u00f6" }],
  ])(
    "HDR-03 HDR-13 HDR-14 HDR-16 HDR-17 HDR-19 HDR-20 T-21 BR-112 refuse %s",
    async (_, headers) => {
      const { send } = await start(count);
      expect(fault(await send(post(CALL, headers)))).toEqual({ ...MISMATCH, id: 1 });
      expect(ran).toBe(0);
    },
  );

  test("HDR-21 T-21 T-23 BR-113 decode a name before they compare it", async () => {
    const { send } = await start(count);
    const names = ["echo", "日本", " x", "tab\t", "new\nline", "=?base64?eA==?=", "ö"];
    for (const name of names) {
      const value = `=?base64?${Buffer.from(name).toString("base64")}?=`;
      const message = { ...CALL, params: { name } };
      expect((await send(post(message, { "Mcp-Name": value }))).status, `for ${name}`).toBe(200);
    }
    expect(ran).toBe(names.length);
  });

  test("T-21 T-23 BR-113 a literal that looks encoded, or an 8-bit name, is not taken as it is", async () => {
    const { send } = await start(count);
    for (const name of ["=?base64?eA==?=", "caf\u00e9"]) {
      const message = { ...CALL, params: { name } };
      expect(fault(await send(post(message, { "Mcp-Name": name }))), `for ${name}`).toEqual({
        ...MISMATCH,
        id: 1,
      });
    }
    expect(ran).toBe(0);
  });

  test("white space around a value is none of it", async () => {
    const { send } = await start(count);
    const padded = { "Mcp-Method": "\t tools/call ", "Mcp-Name": "  echo\t" };
    expect((await send(post(CALL, padded))).status).toBe(200);
  });

  test("BR-113 a value over the limit is refused", async () => {
    const { send } = await start(count, { limits: { maxMirroredBytes: 100 } });
    for (const [length, status] of [
      [100, 200],
      [101, 400],
    ] as const) {
      const name = "n".repeat(length);
      expect((await send(post({ ...CALL, params: { name } }))).status).toBe(status);
    }
  });

  test("AMB-22 a name where there is none to mirror is ignored", async () => {
    const { send } = await start(count);
    const message = { id: 1, method: "tools/list" };
    expect((await send(post(message, { "Mcp-Name": "surplus" }))).status).toBe(200);
  });

  test("T-21 one changed character on either side is seen", async () => {
    const { send } = await start(count);
    const names = fc
      .string({ minLength: 1, maxLength: 12 })
      .filter((name) => /^[!-+\--~]+$/.test(name));
    await fc.assert(
      fc.asyncProperty(names, names, async (body, header) => {
        fc.pre(body !== header);
        const message = { ...CALL, params: { name: body } };
        const answer = await send(post(message, { "Mcp-Name": header }));
        expect(fault(answer)).toEqual({ ...MISMATCH, id: 1 });
      }),
      { numRuns: 50 },
    );
    expect(ran).toBe(0);
  });

  test.each(["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Param-Region"])(
    "T-22 AMB-22 refuse a second %s, even an equal one",
    async (name) => {
      const { send } = await start(withParameters(REGION));
      const message = { ...CALL, params: { name: "echo", arguments: { region: "r" } } };
      const valid = post(message, { "Mcp-Param-Region": "r" });
      expect((await send(valid)).status).toBe(200);
      const value = valid.headers.find(([one]) => one === name)?.[1] ?? "";
      for (const second of [
        [name, value],
        [name, `${value}x`],
        [name.toLowerCase(), value],
        [name.toUpperCase(), ""],
      ] as const) {
        const answer = await send({ ...valid, headers: [...valid.headers, second] });
        expect(fault(answer), `then ${second.join(": ")}`).toEqual({ ...MISMATCH, id: 1 });
        const before = await send({ ...valid, headers: [second, ...valid.headers] });
        expect(fault(before), `then ${second.join(": ")}`).toEqual({ ...MISMATCH, id: 1 });
      }
      expect(ran).toBe(1);
    },
  );

  test.each(["Host", "Origin", "Content-Type", "Authorization", "DPoP", "Sec-Fetch-Site"])(
    "T-22 refuse a second %s, even an equal one",
    async (name) => {
      const { send, authority } = await start(count);
      const values: Record<string, string> = {
        Host: authority,
        Origin: `http://${authority}`,
        "Content-Type": "application/json",
        "Content-Encoding": "identity",
        Authorization: "Bearer x",
        DPoP: "x",
        "Sec-Fetch-Site": "none",
      };
      const value = values[name] ?? "";
      expect((await send(post(CALL, { [name]: value }))).status).toBe(200);
      for (const second of [value, "other"]) {
        const answer = await send(post(CALL, { [name]: [value, second] }));
        // Node refuses a second Host itself, with an empty body.
        const code = answer.text === "" ? -32600 : fault(answer).code;
        expect([answer.status, code], `then ${second}`).toEqual([400, -32600]);
      }
      expect(ran).toBe(1);
    },
  );

  test("more header fields than the limit are refused", async () => {
    const { send } = await start(count, { limits: { maxHeaderFields: 40 } });
    const fields = (total: number) =>
      Object.fromEntries(Array.from({ length: total }, (_, index) => [`X-${index}`, "x"]));
    expect((await send(post(CALL, fields(20)))).status).toBe(200);
    expect(fault(await send(post(CALL, fields(41))))).toMatchObject({ status: 431, code: -32600 });
    expect(ran).toBe(1);
  });
});

const REGION: HeaderParameter = { name: "Region", path: ["region"], type: "string" };
const COUNT: HeaderParameter = { name: "Count", path: ["page", "count"], type: "integer" };
const FLAG: HeaderParameter = { name: "Flag", path: ["flag"], type: "boolean" };

const withParameters = (...parameters: HeaderParameter[]): ExchangeHolder => ({
  exchange: count,
  headerParameters: (name) => (name === "echo" ? parameters : []),
});

describeFaces("mirrored parameters", (start) => {
  const args = { region: "us-west1", page: { count: 42 }, flag: false };
  const headers = {
    "Mcp-Param-Region": "us-west1",
    "Mcp-Param-Count": "42",
    "Mcp-Param-Flag": "false",
  };
  const call = (given: Message["params"]): Message => ({
    ...CALL,
    params: { name: "echo", ...(given === undefined ? {} : { arguments: given }) },
  });

  test("XHDR-22 XHDR-28 HDR-15 are served where they agree", async () => {
    const { send } = await start(withParameters(REGION, COUNT, FLAG));
    for (const changes of [
      {},
      { "Mcp-Param-Count": "42.0" },
      { "Mcp-Param-Region": "=?base64?dXMtd2VzdDE=?=" },
      { "Mcp-Param-Unknown": "x" },
    ]) {
      const answer = await send(post(call(args), { ...headers, ...changes }));
      expect(answer.status, `with ${JSON.stringify(changes)}`).toBe(200);
    }
    const comma = call({ region: "Oslo, Norway" });
    expect((await send(post(comma, { "Mcp-Param-Region": "Oslo, Norway" }))).status).toBe(200);
  });

  test.each<[string, HeaderChanges]>([
    ["a missing one", { "Mcp-Param-Region": undefined }],
    ["another text", { "Mcp-Param-Region": "us-west2" }],
    ["another case", { "Mcp-Param-Region": "US-WEST1" }],
    ["another number", { "Mcp-Param-Count": "43" }],
    ["a number that is none", { "Mcp-Param-Count": "forty-two" }],
    ["another claim", { "Mcp-Param-Flag": "true" }],
    ["an 8-bit byte", { "Mcp-Param-Region": "us-west\u00b9" }],
    ["broken Base64", { "Mcp-Param-Region": "=?base64?dXMtd2VzdDE?=" }],
  ])("XHDR-27 XHDR-28 XHDR-29 XHDR-33 T-21 refuse %s", async (_, changes) => {
    const { send } = await start(withParameters(REGION, COUNT, FLAG));
    const answer = await send(post(call(args), { ...headers, ...changes }));
    expect(fault(answer)).toEqual({ ...MISMATCH, id: 1 });
    expect(ran).toBe(0);
  });

  test.each([
    ["null", { region: null }],
    ["absent", {}],
    ["without arguments", undefined],
  ])("XHDR-32 are not expected where the value is %s, and refused there", async (_, given) => {
    const { send } = await start(withParameters(REGION));
    expect((await send(post(call(given)))).status).toBe(200);
    const answer = await send(post(call(given), { "Mcp-Param-Region": "us-west1" }));
    expect(fault(answer)).toEqual({ ...MISMATCH, id: 1 });
  });

  test("a fault in looking the parameters up is ours", async () => {
    const faults: unknown[] = [];
    const { send } = await start(
      {
        exchange: count,
        headerParameters: () => {
          throw new Error("secret");
        },
      },
      { createRef: () => "r1", onError: (error, detail) => faults.push([String(error), detail]) },
    );
    const answer = await send(post(CALL));
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      500,
      {
        jsonrpc: "2.0",
        id: 1,
        error: { code: -32603, message: "Internal error", data: { ref: "r1" } },
      },
    ]);
    expect(faults).toEqual([["Error: secret", { ref: "r1", method: "http" }]]);
  });
});

describeFaces("the order of checks", (start) => {
  const without = { "io.modelcontextprotocol/clientCapabilities": {} };
  const future = { ...META, "io.modelcontextprotocol/protocolVersion": "2030-01-01" };
  const asked = (params: Message["params"], headers: HeaderChanges = {}, more = {}) =>
    post({ ...CALL, params: { name: "echo", ...params } }, headers, more);

  test.each([
    [
      "parse before headers",
      asked({}, { "Mcp-Method": undefined }, { body: "{" }),
      400,
      -32700,
      undefined,
    ],
    [
      "envelope before headers",
      asked({}, { "Mcp-Method": undefined }, { body: '{"id":1}' }),
      400,
      -32600,
      1,
    ],
    [
      "headers before _meta",
      asked({ _meta: without }, { "Mcp-Method": undefined }),
      400,
      -32020,
      1,
    ],
    ["_meta before equality", asked({ _meta: without }, { "Mcp-Method": "x" }), 400, -32602, 1],
    ["equality before version", asked({ _meta: future }), 400, -32020, 1],
    [
      "equality of parameters before version",
      asked(
        { _meta: future, arguments: { region: "r" } },
        { "MCP-Protocol-Version": "2030-01-01" },
      ),
      400,
      -32020,
      1,
    ],
    [
      "version before method",
      asked({ _meta: future, name: "none" }, { "MCP-Protocol-Version": "2030-01-01" }),
      400,
      -32022,
      1,
    ],
  ] as const)("AMB-04 BR-035 is %s", async (_, request, ...expected) => {
    const [status, code, id] = expected;
    const { send } = await start(withParameters(REGION));
    expect(fault(await send(request))).toEqual({ status, code, id });
    expect(ran).toBe(0);
  });
});

describeFaces("versions", (start) => {
  const SUPPORTED = [PROTOCOL_VERSION];
  const versioned = (
    header: string | undefined,
    body: string | undefined,
    method = "tools/list",
  ) => {
    const meta =
      body === undefined
        ? { "io.modelcontextprotocol/clientCapabilities": {} }
        : { ...META, "io.modelcontextprotocol/protocolVersion": body };
    return post({ id: 5, method, params: { _meta: meta } }, { "MCP-Protocol-Version": header });
  };
  const legacyInitialize = (requested: string, headers: HeaderChanges = {}) => {
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 5,
      method: "initialize",
      params: {
        protocolVersion: requested,
        capabilities: {},
        clientInfo: { name: "old", version: "1" },
      },
    });
    const bare = { "MCP-Protocol-Version": undefined, "Mcp-Method": undefined };
    return post({ id: 5, method: "initialize" }, { ...bare, ...headers }, { body });
  };

  test.each<[string | undefined, string | undefined, number | undefined]>([
    ["2026-07-28", "2026-07-28", undefined],
    ["2025-11-25", "2025-11-25", -32022],
    ["2024-11-05", "2024-11-05", -32022],
    ["1900-01-01", "1900-01-01", -32022],
    ["2030-01-01", "2030-01-01", -32022],
    ["v999.0.0", "v999.0.0", -32022],
    ["2025-11-25", "2026-07-28", -32020],
    ["2026-07-28", "2025-11-25", -32020],
    ["2030-01-01", "1900-01-01", -32020],
    [undefined, "2026-07-28", -32020],
    [undefined, "2025-11-25", -32020],
    [undefined, undefined, -32020],
    ["2026-07-28", undefined, -32602],
    ["2025-11-25", undefined, -32022],
    ["1900-01-01", undefined, -32022],
    ["2030-01-01", undefined, -32022],
  ])(
    "VER-03 VER-04 HDR-03 HDR-04 HDR-08 BR-114 header %s and body %s give %s",
    async (header, body, code) => {
      const { send } = await start(count);
      const answer = await send(versioned(header, body));
      expect(fault(answer)).toEqual({ status: code === undefined ? 200 : 400, code, id: 5 });
      const { error } = JSON.parse(answer.text) as { error?: { data?: unknown } };
      const data = code === -32022 ? { supported: SUPPORTED, requested: header } : undefined;
      expect(error?.data).toEqual(data);
    },
  );

  test.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"])(
    "COMPAT-07 T-24 BR-114 a handshake for %s learns the versions served",
    async (requested) => {
      const { send } = await start(count);
      const answer = await send(legacyInitialize(requested));
      expect(fault(answer)).toEqual({ status: 400, code: -32022, id: 5 });
      const { error } = JSON.parse(answer.text) as { error: { data: unknown } };
      expect(error.data).toEqual({ supported: SUPPORTED, requested });
    },
  );

  test("COMPAT-07 a handshake in a modern envelope is an unknown method that names them too", async () => {
    const { RpcError } = await import("../base/errors.ts");
    const { send } = await start(() => Promise.reject(new RpcError(-32601, "method not found")));
    const answer = await send(post({ id: 5, method: "initialize" }));
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      404,
      {
        jsonrpc: "2.0",
        id: 5,
        error: { code: -32601, message: "method not found", data: { supported: SUPPORTED } },
      },
    ]);
  });

  test("T-24 an older message with a mirrored header that lies is refused for the lie", async () => {
    const { send } = await start(count);
    const lying = await send(legacyInitialize("2025-11-25", { "Mcp-Method": "tools/list" }));
    expect(fault(lying)).toEqual({ status: 400, code: -32020, id: 5 });
    const older = { "MCP-Protocol-Version": "2025-11-25" };
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 5,
      method: "tools/call",
      params: { name: "drop" },
    });
    const foreign = await send(post(CALL, { ...older, "Mcp-Name": "echo" }, { body }));
    expect(fault(foreign)).toEqual({ status: 400, code: -32020, id: 5 });
    const honest = await send(post(CALL, { ...older, "Mcp-Name": "drop" }, { body }));
    expect(fault(honest)).toEqual({ status: 400, code: -32022, id: 5 });
    expect(ran).toBe(0);
  });
});

describe("notifications", () => {
  describeFaces("over HTTP", (start) => {
    const bare = { "MCP-Protocol-Version": undefined, "Mcp-Method": undefined };
    const note: Message = { method: "notifications/vendor" };

    test("HTTP-14 RPC-26 AMB-14 BR-034 T-08 are taken with or without headers, and answered by nothing", async () => {
      const { send } = await start(count);
      for (const headers of [{}, bare]) {
        const answer = await send(post(note, headers));
        expect([answer.status, answer.text]).toEqual([202, ""]);
      }
      expect(ran).toBe(0);
    });

    test("HTTP-15 HTTP-16 T-24 are refused, without an id, where a header lies", async () => {
      const { send } = await start(count);
      for (const [headers, code] of [
        [{ "Mcp-Method": "notifications/other" }, -32020],
        [{ "MCP-Protocol-Version": "2025-11-25" }, -32020],
        [{ "Mcp-Method": [note.method, note.method] }, -32020],
      ] as const) {
        const answer = await send(post(note, headers));
        expect(fault(answer)).toEqual({ status: 400, code, id: undefined });
      }
    });

    test("HTTP-15 those of an older revision are refused", async () => {
      const { send } = await start(count);
      const body = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
      const older = { ...bare, "MCP-Protocol-Version": "2025-11-25" };
      const answer = await send(post(note, older, { body }));
      expect(fault(answer)).toEqual({ status: 400, code: -32022, id: undefined });
    });
  });
});
