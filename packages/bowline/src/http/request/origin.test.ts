import { describe, expect, test } from "vitest";
import { CALL, describeFaces, DONE, fault, post } from "../../../test/http.ts";
import type { Exchange, Principal } from "../../protocol/exchange.ts";
import type { Head } from "./head.ts";
import { createGate, type OriginOptions } from "./origin.ts";

const exchange: Exchange = () => Promise.resolve(DONE);
const PRINCIPAL: Principal = { issuer: "i", clientId: "c", subject: "s" };

interface Given {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly isLoopback?: boolean | undefined;
  readonly scheme?: "http" | "https";
  readonly headers?: Readonly<Record<string, string>>;
}

const headOf = (given: Given): Head => ({
  method: "POST",
  path: "/mcp",
  scheme: given.scheme ?? "http",
  fields: 1,
  repeated: undefined,
  authority: undefined,
  port: "port" in given ? given.port : 3000,
  isLoopback: "isLoopback" in given ? given.isLoopback : true,
  header: (name) => (name === "host" ? given.host : given.headers?.[name]),
});

const statusOf = (given: Given, options: OriginOptions = {}, isAuthorized = false) =>
  createGate(options, isAuthorized).check(headOf(given))?.status;

describe("Host on a loopback bind", () => {
  test.each(["localhost:3000", "127.0.0.1:3000", "[::1]:3000"])("T-19 takes %s", (host) => {
    expect(statusOf({ host })).toBeUndefined();
  });

  test.each([
    undefined,
    "",
    " ",
    "evil.example",
    "evil.example:3000",
    "localhost",
    "127.0.0.1",
    "[::1]",
    "localhost:3001",
    "localhost:80",
    "localhost:",
    "localhost:0",
    "localhost:03000",
    "localhost:3000.",
    "localhost:+3000",
    "localhost:3000:3000",
    "localhost: 3000",
    "localhost :3000",
    " localhost:3000",
    "localhost:3000 ",
    "localhost:3000/",
    "localhost:3000/mcp",
    "localhost:3000?x",
    "localhost:3000#x",
    "localhost:3000,evil.example",
    "localhost:3000, localhost:3000",
    "localhost.:3000",
    "localhost..:3000",
    ".localhost:3000",
    "LOCALHOST:3000",
    "Localhost:3000",
    "locaIhost:3000",
    "localhost.evil.example:3000",
    "evil.example.localhost:3000",
    "sub.localhost:3000",
    "localhost@evil.example:3000",
    "evil@localhost:3000",
    "user:pass@localhost:3000",
    "localhost%00:3000",
    "localhost%2eevil:3000",
    "%6cocalhost:3000",
    "localhost\u0000:3000",
    "localhost\t:3000",
    "ⓛocalhost:3000",
    "localhoſt:3000",
    "127.0.0.1.:3000",
    "127.0.0.1.nip.io:3000",
    "127.0.0.2:3000",
    "127.1:3000",
    "127.0.1:3000",
    "127.0.0.01:3000",
    "127.0.0.1:65536",
    "0.0.0.0:3000",
    "0:3000",
    "2130706433:3000",
    "0x7f000001:3000",
    "0x7f.0.0.1:3000",
    "0177.0.0.1:3000",
    "017700000001:3000",
    "::1",
    "::1:3000",
    "[::1",
    "[::1]3000",
    "[::1]:3001",
    "[0:0:0:0:0:0:0:1]:3000",
    "[::]:3000",
    "[::ffff:127.0.0.1]:3000",
    "[::1%25lo]:3000",
    "[::1].evil.example:3000",
    "http://localhost:3000",
    "//localhost:3000",
    "localhost\\evil.example:3000",
    "localhost;3000",
    "localhost_:3000",
    "-localhost:3000",
    "*:3000",
    "*",
  ])("T-19 BR-036 refuses %j", (host) => {
    expect(statusOf({ host })).toBe(403);
  });

  test("T-19 the port may be left out where it is the scheme's own", () => {
    expect(statusOf({ host: "localhost", port: 80 })).toBeUndefined();
    expect(statusOf({ host: "localhost", port: 443, scheme: "https" })).toBeUndefined();
    expect(statusOf({ host: "localhost", port: 443 })).toBe(403);
  });
});

describe("Host elsewhere", () => {
  test("T-19 without a known bind only this machine's own names are served", () => {
    const web = { port: undefined, isLoopback: undefined };
    expect(statusOf({ host: "localhost:1234", ...web })).toBeUndefined();
    expect(statusOf({ host: "mcp.example", ...web })).toBe(403);
    expect(statusOf({ host: "mcp.example", ...web }, {}, true)).toBe(403);
  });

  test("T-19 with credentials asked for, other machines may use any name", () => {
    const lan = { host: "mcp.example", isLoopback: false };
    expect(statusOf(lan)).toBe(403);
    expect(statusOf(lan, {}, true)).toBeUndefined();
    expect(statusOf({ ...lan, host: "mcp.example/x" }, {}, true)).toBe(403);
    expect(statusOf({ ...lan, isLoopback: true }, {}, true)).toBe(403);
  });

  test.each([
    ["mcp.example", undefined],
    ["mcp.example:3000", undefined],
    ["mcp.example:8443", undefined],
    ["exact.example:8443", undefined],
    ["exact.example", 403],
    ["exact.example:443", 403],
    ["localhost:3000", 403],
    ["MCP.example", 403],
    ["x.mcp.example", 403],
    ["mcp.example.evil", 403],
  ])("T-19 a list of names: %s gives %s", (host, status) => {
    const options = { allowedHosts: ["mcp.example", "exact.example:8443"] };
    expect(statusOf({ host }, options)).toBe(status);
  });

  test("T-19 a list that allows all still wants a name", () => {
    expect(statusOf({ host: "any.example" }, { allowedHosts: ["*"] })).toBeUndefined();
    expect(statusOf({ host: "any.example/" }, { allowedHosts: ["*"] })).toBe(403);
  });

  test("T-26 an absolute target that names another host is refused", () => {
    const gate = createGate({}, false);
    const head = {
      ...headOf({ host: "localhost:3000" }),
      header: headOf({ host: "localhost:3000" }).header,
    };
    expect(gate.check({ ...head, authority: "localhost:3000" })).toBeUndefined();
    expect(gate.check({ ...head, authority: "evil.example" })?.status).toBe(400);
    expect(gate.check({ ...head, authority: "localhost" })?.status).toBe(400);
  });
});

describe("Origin", () => {
  const host = "localhost:3000";
  const withOrigin = (origin: string, options: OriginOptions = {}) =>
    statusOf({ host, headers: { origin } }, options);

  test("T-20 HTTP-02 the server's own is served, and those allowed, byte for byte", () => {
    expect(withOrigin("http://localhost:3000")).toBeUndefined();
    expect(
      withOrigin("https://app.example", { allowedOrigins: ["https://app.example"] }),
    ).toBeUndefined();
  });

  test.each([
    "null",
    "",
    "http://evil.example",
    "https://localhost:3000",
    "http://localhost",
    "http://localhost:3001",
    "http://127.0.0.1:3000",
    "http://localhost:3000/",
    "http://localhost:3000.evil.example",
    "http://LOCALHOST:3000",
    "http://localhost:3000, http://localhost:3000",
    "localhost:3000",
    "file://",
    "chrome-extension://abc",
    "HTTPS://app.example",
    "https://app.example:443",
    "https://app.example.evil",
    "https://sub.app.example",
    "*",
  ])("T-20 HTTP-02 HTTP-03 BR-036 refuses %j", (origin) => {
    expect(withOrigin(origin, { allowedOrigins: ["https://app.example"] })).toBe(403);
  });

  test("T-20 a request of another site that hides its origin is refused", () => {
    const from = (site: string) => statusOf({ host, headers: { "sec-fetch-site": site } });
    expect(from("cross-site")).toBe(403);
    for (const site of ["same-origin", "same-site", "none"]) expect(from(site)).toBeUndefined();
  });

  test.each<[OriginOptions, boolean]>([
    [{ allowedHosts: ["https://mcp.example"] }, false],
    [{ allowedHosts: ["mcp.example/"] }, false],
    [{ allowedHosts: ["*.example"] }, false],
    [{ allowedOrigins: ["app.example"] }, false],
    [{ allowedOrigins: ["https://app.example/"] }, false],
    [{ allowedOrigins: ["*"] }, true],
    [{ cors: { origins: ["null"] } }, false],
    [{ cors: { origins: ["*"] } }, false],
  ])("T-20 options that could not be meant are refused: %j", (options, isAuthorized) => {
    expect(() => createGate(options, isAuthorized)).toThrow(TypeError);
  });
});

describeFaces("foreign pages", (start) => {
  test("T-19 T-20 HTTP-02 HTTP-03 HTTP-04 BR-036 with no configuration at all", async () => {
    const { send, authority } = await start(exchange);
    const statuses = async (headers: Parameters<typeof post>[1]) =>
      (await send(post(CALL, headers))).status;
    expect(await statuses({})).toBe(200);
    expect(await statuses({ Origin: `http://${authority}` })).toBe(200);
    for (const headers of [
      { Host: "evil.example" },
      { Host: `evil.example:${authority.split(":")[1]}` },
      { Origin: "http://evil.example" },
      { Origin: "null" },
      { "Sec-Fetch-Site": "cross-site" },
    ]) {
      const answer = await send(post(CALL, headers));
      expect(fault(answer)).toEqual({ status: 403, code: -32600, id: undefined });
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    }
  });

  test("T-20 the simple requests a page can send never reach a tool", async () => {
    let ran = 0;
    const { send } = await start(() => {
      ran += 1;
      return Promise.resolve(DONE);
    });
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
      expect((await send(post(CALL, { "Content-Type": type }))).status).toBe(415);
    }
    expect((await send(post(CALL, { "Content-Type": undefined }))).status).toBe(415);
    expect(ran).toBe(0);
  });

  test("T-20 no CORS headers unless configured", async () => {
    const { send, authority } = await start(exchange);
    const headers = { Origin: `http://${authority}` };
    const preflight = await send(post(CALL, headers, { method: "OPTIONS" }));
    expect([preflight.status, preflight.headers["allow"]]).toEqual([405, "POST"]);
    const answer = await send(post(CALL, headers));
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual(
      [],
    );
  });
});

describeFaces("CORS", (start) => {
  const cors = { origins: ["https://app.example"] };
  const asks =
    "authorization, content-type, mcp-protocol-version, mcp-method, mcp-name, mcp-param-region, mcp-session-id, x-other";
  const preflight = (origin: string) =>
    post(
      CALL,
      {
        Origin: origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": asks,
        "Content-Type": undefined,
      },
      { method: "OPTIONS", body: "" },
    );

  test("BR-024 a preflight of a permitted page is granted, before any credentials", async () => {
    const { send } = await start(exchange, {
      cors,
      authorize: () => ({ refusal: { status: 401 } }),
    });
    const answer = await send(preflight("https://app.example"));
    const {
      date: _date,
      connection: _connection,
      "keep-alive": _idle,
      ...headers
    } = answer.headers;
    expect([answer.status, answer.text, headers]).toEqual([
      204,
      "",
      {
        "access-control-allow-headers":
          "authorization, content-type, mcp-protocol-version, mcp-method, mcp-name, mcp-param-region, mcp-session-id",
        "access-control-allow-methods": "POST",
        "access-control-allow-origin": "https://app.example",
        "access-control-expose-headers":
          "WWW-Authenticate, DPoP-Nonce, Retry-After, MCP-Protocol-Version, Mcp-Session-Id",
        "access-control-max-age": "600",
        "cache-control": "no-store",
        vary: "Origin",
        "x-content-type-options": "nosniff",
      },
    ]);
  });

  test("BR-024 T-20 a preflight of another page is refused", async () => {
    const { send } = await start(exchange, { cors });
    for (const origin of ["https://evil.example", "null", "https://app.example:8443"]) {
      const answer = await send(preflight(origin));
      expect([answer.status, answer.headers["access-control-allow-origin"]]).toEqual([
        403,
        undefined,
      ]);
    }
  });

  test("BR-024 every answer to a permitted page can be read by it, errors and streams included", async () => {
    const { send } = await start(
      async (call, context) => {
        if (call.params["name"] === "stream") {
          await context.notify({ method: "notifications/vendor" });
        }
        return DONE;
      },
      { cors },
    );
    const from = { Origin: "https://app.example" };
    const answers = [
      await send(post(CALL, from)),
      await send(post({ ...CALL, params: { name: "stream" } }, from)),
      await send(post(CALL, { ...from, "Mcp-Name": "x" })),
      await send(post(CALL, { ...from, "Content-Type": "text/plain" })),
      await send(post(CALL, from, { method: "GET", body: "" })),
      await send(post(CALL, from, { path: "/other" })),
    ];
    expect(
      answers.map(({ status, headers }) => [
        status,
        headers["access-control-allow-origin"],
        headers["vary"],
      ]),
    ).toEqual(
      [200, 200, 400, 415, 405, 404].map((status) => [status, "https://app.example", "Origin"]),
    );
    const own = await send(post(CALL));
    expect([own.status, own.headers["access-control-allow-origin"]]).toEqual([200, undefined]);
  });

  test("T-20 every page may be let in where credentials are asked for, and never with cookies", async () => {
    const { send } = await start(exchange, {
      cors: { origins: ["*"] },
      authorize: () => ({ principal: PRINCIPAL }),
    });
    const answer = await send(post(CALL, { Origin: "https://any.example" }));
    expect([
      answer.status,
      answer.headers["access-control-allow-origin"],
      answer.headers["access-control-allow-credentials"],
    ]).toEqual([200, "*", undefined]);
  });
});
