import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as limits from "../src/base/limits.ts";
import { PACKAGE, REPOSITORY } from "./source.ts";

const read = (...path: readonly string[]) => readFileSync(join(...path), "utf8");
const all = (text: string, pattern: RegExp) =>
  [...new Set([...text.matchAll(pattern)].map(([, found = ""]) => found))].toSorted();

const sectionsOf = (text: string) =>
  Object.fromEntries(
    text.split(/^##+ /m).map((part) => {
      const [title = "", ...lines] = part.split("\n");
      return [title, lines.join("\n")];
    }),
  );
const rowsOf = (section = "") => all(section, /^\| `(\w+)`/gm);

const numberOf = (text: string) => Number(text.replaceAll(",", ""));

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

describe("docs/options.md", () => {
  const sections = sectionsOf(read(REPOSITORY, "docs/options.md"));
  const membersOf = (...interfaces: readonly (readonly [file: string, name: string])[]) =>
    interfaces
      .flatMap(([file, name]) => {
        const source = read(PACKAGE, "src", file);
        const body = source.split(new RegExp(`^export interface ${name}\\b`, "m"))[1] ?? "";
        return all(body.split(/^\}/m)[0] ?? "", /^  (?:readonly )?(\w+)\??[:(<]/gm);
      })
      .toSorted();
  const HTTP = [
    ["http/options.ts", "EndpointOptions"],
    ["http/request/origin.ts", "OriginOptions"],
  ] as const;
  const JSON_LIMITS = ["base/limits.ts", "JsonLimits"] as const;
  const CONNECT_STDIO = ["stdio/target.ts", "ConnectStdioOptions"] as const;

  test.each([
    [
      "createServer",
      membersOf(
        ["protocol/implementation.ts", "Implementation"],
        ["server/options.ts", "ServerInfo"],
        ["server/options.ts", "ServerOptions"],
      ),
    ],
    [
      "serveHttp, createListener and listen",
      membersOf(...HTTP, ["node/listen.ts", "ListenOptions"]),
    ],
    ["Limits over HTTP", membersOf(JSON_LIMITS, ["base/limits.ts", "HttpServerLimits"])],
    [
      "serveStdio",
      membersOf(
        ["stdio/serve.ts", "ServeStdioOptions"],
        ["stdio/serve.ts", "StdioServerLimits"],
        JSON_LIMITS,
      ),
    ],
    [
      "connect and createClient",
      membersOf(
        ["client/options.ts", "ClientOptions"],
        ["client/rounds/handlers.ts", "InputHandlers"],
        ["http/connect.ts", "ConnectHttpOptions"],
      ),
    ],
    ["The cache of a client", membersOf(["client/caching/options.ts", "CacheOptions"])],
    [
      "A command",
      membersOf(
        ["stdio/target.ts", "StdioCommand"],
        ["stdio/target.ts", "StdioClientLimits"],
        CONNECT_STDIO,
        JSON_LIMITS,
      ),
    ],
    ["Restarts of a command", membersOf(["stdio/target.ts", "RestartOptions"])],
    ["One call", membersOf(["client/client.ts", "CallOptions"])],
    [
      "Context",
      membersOf(["server/context.ts", "Context"], ["server/rounds/questions.ts", "Questions"]),
    ],
    ["Principal", membersOf(["protocol/exchange.ts", "Principal"])],
  ])("has a row for every member of %s, and no other", (title, members) => {
    expect(members.length).toBeGreaterThan(2);
    expect(rowsOf(sections[title])).toEqual(members);
  });

  test("gives the limits over HTTP that are in force, and those that need unsafe", () => {
    const rows = (sections["Limits over HTTP"] ?? "").matchAll(
      /^\| `(\w+)` +\| ([\d,]+) +\| ([\d,]+|–) +\|/gm,
    );
    const written = [...rows].map(([, name, value = "", most = ""]) => [
      name,
      [numberOf(value), most === "–" ? undefined : numberOf(most)],
    ]);
    const hard: Readonly<Record<string, number | undefined>> = limits.HARD_HTTP_SERVER_LIMITS;
    const inForce = Object.entries(limits.HTTP_SERVER_LIMITS).map(([name, value]) => [
      name,
      [value, hard[name]],
    ]);
    expect(Object.fromEntries(written)).toEqual(Object.fromEntries(inForce));
  });

  test("gives the defaults that the code has for everything else that is a number", () => {
    const numbers = Object.fromEntries(
      Object.entries(sections).map(([title, text]) => [
        title,
        Object.fromEntries(
          [...text.matchAll(/^\| `(\w+)` .*?\| ([\d,]{2,}) +\|/gm)].map(
            ([, name = "", value = ""]) => [name, Number(value.replaceAll(",", ""))],
          ),
        ),
      ]),
    );
    expect(numbers["createServer"]).toEqual({
      pageSize: limits.DEFAULT_PAGE_SIZE,
      handlerTimeoutMs: limits.HANDLER_TIMEOUT_MS,
      closeGraceMs: limits.CLOSE_GRACE_MS,
      stateTtlMs: limits.STATE_TTL_MS,
      maxListenStreams: limits.MAX_LISTEN_STREAMS,
      maxListenStreamsPerPrincipal: limits.MAX_LISTEN_STREAMS_PER_PRINCIPAL,
    });
    expect(numbers["serveHttp, createListener and listen"]).toEqual({
      keepAliveMs: limits.KEEP_ALIVE_MS,
      closeGraceMs: limits.CLOSE_GRACE_MS,
      maxConnections: limits.MAX_CONNECTIONS,
      maxConnectionsPerAddress: limits.MAX_CONNECTIONS_PER_ADDRESS,
    });
    expect(numbers["serveStdio"]).toEqual({
      ...limits.JSON_LIMITS,
      endGraceMs: limits.END_OF_INPUT_GRACE_MS,
      maxRequestBytes: limits.MAX_REQUEST_BYTES,
      maxResponseBytes: limits.MAX_RESPONSE_BYTES,
      maxInFlight: limits.MAX_STDIO_IN_FLIGHT,
      maxSendQueueBytes: limits.MAX_SEND_QUEUE_BYTES,
    });
    expect(numbers["connect and createClient"]).toEqual({
      timeoutMs: limits.REQUEST_TIMEOUT_MS,
      maxTotalTimeoutMs: limits.MAX_TOTAL_TIMEOUT_MS,
      maxResponseBytes: limits.MAX_RESPONSE_BYTES,
    });
    expect(numbers["The cache of a client"]).toEqual({
      maxEntries: limits.MAX_CACHE_ENTRIES,
      maxBytes: limits.MAX_CACHE_BYTES,
    });
    expect(numbers["A command"]).toEqual({
      ...limits.JSON_LIMITS,
      eofGraceMs: limits.CHILD_EOF_GRACE_MS,
      termGraceMs: limits.CHILD_TERM_GRACE_MS,
      maxResponseBytes: limits.MAX_RESPONSE_BYTES,
      maxQueueBytes: limits.MAX_CHILD_QUEUE_BYTES,
    });
  });
});
