/** What authors get wrong, and what they are told: where, what, and what to write instead. */
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import {
  connect,
  createClient,
  createServer,
  defineTool,
  type Server,
  serveHttp,
} from "../src/index.ts";
import { createListener, listen } from "../src/node/index.ts";
import { connectStdio, serveStdio } from "../src/stdio/index.ts";
import { refusal, send } from "./calls.ts";

const INFO = { name: "test", version: "1.0.0" };
const server = createServer(INFO).tool("echo", {}, () => "x");
const nothing = (): string => "x";

/** A function as JavaScript sees it. */
type Loose = (...args: readonly unknown[]) => unknown;
const loose = (call: unknown): Loose => call as Loose;
const on = (name: keyof typeof server): Loose => {
  const fresh = createServer(INFO);
  return (fresh[name] as Loose).bind(fresh);
};

/** The message of the `TypeError` that is thrown, now or later. */
async function refusalOf(call: Loose, args: readonly unknown[]): Promise<string> {
  try {
    await call(...args);
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
  return "nothing was refused";
}

type Mistake = readonly [call: unknown, args: readonly unknown[], message: string];
const mistakes = (all: readonly Mistake[]) =>
  all.map(([call, args, message]) => [message, call, args] as const);

const CONFIG = "title, description, icons, _meta, scopes, visible";
const ENDPOINT =
  "path, authorize, fallback, limits, keepAliveMs, closeGraceMs, onError, createRef, every, allowedHosts, allowedOrigins, cors";
const CALLS = "timeoutMs, maxTotalTimeoutMs";

describe("options nobody reads", () => {
  test.each(
    mistakes([
      [
        createServer,
        [{ ...INFO, capabilities: {} }],
        'createServer: unknown option "capabilities"; known are name, version, title, description, websiteUrl, icons, instructions',
      ],
      [
        createServer,
        [INFO, { onerror: nothing }],
        'createServer: unknown option "onerror", onError is meant; known are onError, pageSize, cacheHints, stateKeys, stateTtlMs, engine, onEvent, maxListenStreams, maxListenStreamsPerPrincipal, handlerTimeoutMs, closeGraceMs, serverInfo, rates',
      ],
      [
        createServer,
        [INFO, { cacheHints: { tool: {} } }],
        'createServer: cacheHints: unknown option "tool"; known are discover, tools, prompts, resources, resourceTemplates',
      ],
      [
        createServer,
        [INFO, { rates: { calls: {} } }],
        'createServer: rates: unknown option "calls"; known are toolCalls, completions',
      ],
      [
        serveHttp,
        [server, { alowedHosts: [] }],
        `serveHttp: unknown option "alowedHosts"; known are ${ENDPOINT}`,
      ],
      [
        serveHttp,
        [server, { cors: { origin: "https://a.example" } }],
        'cors: unknown option "origin"; known are origins, maxAgeSeconds',
      ],
      [
        createListener,
        [server, { port: 1 }],
        `createListener: unknown option "port"; known are ${ENDPOINT}`,
      ],
      [
        listen,
        [server, { hostname: "::1" }],
        `listen: unknown option "hostname"; known are port, host, maxConnections, maxConnectionsPerAddress, ${ENDPOINT}`,
      ],
      [
        serveStdio,
        [server, { stdin: process.stdin }],
        'serveStdio: unknown option "stdin"; known are input, output, exitAtEnd, endGraceMs, limits, onError, onDiagnostic, createRef',
      ],
      [
        serveStdio,
        [server, { limits: { maxBytes: 1 } }],
        'serveStdio: limits: unknown option "maxBytes"; known are maxJsonDepth, maxJsonNodes, maxJsonMembers, maxRequestBytes, maxResponseBytes, maxInFlight, maxSendQueueBytes',
      ],
      [
        createClient,
        [server, { timeout: 1 }],
        `createClient: unknown option "timeout"; known are info, capabilities, ${CALLS}, cache, retries, validateOutput, onElicit, onElicitUrl, onSample, roots, onWarning, onClose`,
      ],
      [
        connect,
        ["http://127.0.0.1/mcp", { header: {} }],
        `connect: unknown option "header"; known are fetch, headers, maxResponseBytes, info, capabilities, ${CALLS}, cache, retries, validateOutput, onElicit, onElicitUrl, onSample, roots, onWarning`,
      ],
      [
        connect,
        [{ command: "node", arguments: [] }],
        'connect: unknown option "arguments", args is meant; known are command, args, cwd, env, inheritNetwork, onStderr, eofGraceMs, termGraceMs, restart, limits, onDiagnostic',
      ],
      [
        connect,
        [{ command: "node", restart: "yes" }],
        "connect: restart must be a boolean or an object, not string",
      ],
      [
        connect,
        [{ command: "node", restart: { max: 3 } }],
        'connect: restart: unknown option "max"; known are maxRestarts, windowMs, minDelayMs, maxDelayMs, random, now, after',
      ],
      [
        connectStdio,
        [{ input: process.stdin, ouput: process.stdout }],
        'connect: unknown option "ouput"; known are input, output, limits, onDiagnostic',
      ],
      [
        on("tool"),
        ["t", { schema: {} }, nothing],
        `tool "t": unknown option "schema", inputSchema is meant; known are ${CONFIG}, inputSchema, outputSchema, annotations, requires, once`,
      ],
      [
        on("prompt"),
        ["p", { arguments: {} }, nothing],
        `prompt "p": unknown option "arguments", argsSchema is meant; known are ${CONFIG}, argsSchema, complete`,
      ],
      [
        on("resource"),
        ["a:b", { mimetype: "text/plain" }, nothing],
        `resource "a:b": unknown option "mimetype", mimeType is meant; known are ${CONFIG}, name, mimeType, annotations, cacheHints, size`,
      ],
      [
        on("resourceTemplate"),
        ["a:{b}", { size: 1 }, nothing],
        `resource template "a:{b}": unknown option "size"; known are ${CONFIG}, name, mimeType, annotations, cacheHints, complete`,
      ],
      [
        on("add"),
        [defineTool("t", loose(Object)({ inputschema: {} }) as object, nothing)],
        `tool "t": unknown option "inputschema", inputSchema is meant; known are ${CONFIG}, inputSchema, outputSchema, annotations, requires, once`,
      ],
    ]),
  )("%s", async (message, call, args) => {
    expect(await refusalOf(loose(call), args)).toBe(message);
  });

  test.each(["schema", "inputschema", "InputSchema", "parameters", "params", "input"])(
    "%s in the place of inputSchema is told so",
    (name) => {
      expect(() => createServer(INFO).tool("t", { [name]: {} }, nothing)).toThrow(
        `tool "t": unknown option "${name}", inputSchema is meant; `,
      );
    },
  );

  test("a name of an object's own members is no option either", () => {
    expect(() => createServer(INFO, { constructor: 1 } as object)).toThrow(
      'createServer: unknown option "constructor"; ',
    );
  });

  test("a call's are refused when it is made", async () => {
    await using client = createClient(server);
    const call = client.callTool("echo", {}, { timeout: 5 } as object);
    await expect(call).rejects.toThrow(
      `tools/call: unknown option "timeout"; known are signal, ${CALLS}, onProgress, onLog, logLevel, meta, cache, retries`,
    );
  });
});

describe("options of another kind", () => {
  test.each(
    mistakes([
      [serveHttp, [server, { authorize: 5 }], "serveHttp: authorize is not a function but number"],
      [
        createListener,
        [server, { authorize: {} }],
        "createListener: authorize is not a function but object",
      ],
      [listen, [server, { authorize: "x" }], "listen: authorize is not a function but string"],
      [listen, [server, { port: "3000" }], "listen: port is not a number but string"],
      [
        createServer,
        [INFO, { onError: "log" }],
        "createServer: onError is not a function but string",
      ],
      [
        createClient,
        [server, { timeoutMs: "5" }],
        "createClient: timeoutMs is not a number but string",
      ],
      [
        connect,
        ["http://127.0.0.1/mcp", { fetch: null }],
        "connect: fetch is not a function but null",
      ],
    ]),
  )("%s", async (message, call, args) => {
    expect(await refusalOf(loose(call), args)).toBe(message);
  });
});

describe("a first argument that is something else", () => {
  const noServer = "the first argument must be a server or an exchange, not";
  const noTarget =
    "connect: the target must be a URL, { command, args }, { input, output }, { readable, writable }, a server or an exchange, not";
  test.each(
    mistakes([
      [
        createServer,
        [],
        "createServer: the first argument, { name, version }, must be an object, not undefined",
      ],
      [
        createServer,
        ["x"],
        "createServer: the first argument, { name, version }, must be an object, not string",
      ],
      [createClient, [], `createClient: ${noServer} undefined`],
      [
        createClient,
        ["http://127.0.0.1:3000/mcp"],
        "createClient: the first argument is a URL: await connect(url) reaches it",
      ],
      [
        createClient,
        [new URL("http://127.0.0.1:3000/mcp")],
        "createClient: the first argument is a URL: await connect(url) reaches it",
      ],
      [serveHttp, [], `serveHttp: ${noServer} undefined`],
      [createListener, [null], `createListener: ${noServer} null`],
      [serveStdio, [{}], `serveStdio: ${noServer} object`],
      [listen, [{ port: 3113 }], `listen: ${noServer} object`],
      [
        listen,
        [server, 3113],
        "listen: the second argument, such as { port: 3000 }, must be an object, not number",
      ],
      [connect, [], `${noTarget} undefined`],
      [connect, [null], `${noTarget} null`],
      [connect, [{ url: "http://127.0.0.1/mcp" }], `${noTarget} object`],
      [
        connectStdio,
        ["node"],
        "connect: the target, such as { command, args }, must be an object, not string",
      ],
      [
        on("tool"),
        ["x", "desc", nothing],
        'tool "x": what comes before the handler, such as { description }, must be an object, not string',
      ],
      [
        on("prompt"),
        ["x", nothing],
        'prompt "x": what comes before the handler, such as { description }, must be an object, not function',
      ],
      [on("tool"), ["x", {}], 'tool "x": the handler is not a function'],
    ]),
  )("%s", async (message, call, args) => {
    expect(await refusalOf(loose(call), args)).toBe(message);
  });

  test.each([
    ["127.0.0.1:3000/mcp", ": write http://127.0.0.1:3000/mcp"],
    ["localhost:3000", ": write http://localhost:3000"],
    ["mcp.example.com/mcp", ": write http://mcp.example.com/mcp"],
    ["ftp://mcp.example.com/mcp", ""],
    ["/mcp", ""],
    ["", ""],
  ])("connect(%j) is told to be no URL%s", async (url, hint) => {
    await expect(connect(url)).rejects.toThrow(
      new TypeError(`connect: ${JSON.stringify(url)} is not an http or https URL${hint}`),
    );
  });
});

describe("an object of schemas in the place of a schema", () => {
  test.each<readonly [string, object, string]>([
    ["zod", { city: z.string() }, "z.object({ … })"],
    ["valibot", { city: v.string() }, "v.object({ … })"],
    ["arktype", { city: type("string") }, "type({ … })"],
  ])("of %s is refused", (_library, shape, wrap) => {
    const message = `tool "t": inputSchema: "city" is a schema of its own: wrap it in ${wrap}`;
    expect(() => createServer(INFO).tool("t", { inputSchema: shape }, nothing)).toThrow(
      new TypeError(message),
    );
  });
});

describe("what a handler must not return", () => {
  const said = (given: string) =>
    `a tool returns text, content blocks or { content }, not ${given}; with an outputSchema it may return other values`;
  const faultOf = async (register: (server: Server) => unknown, method: string, params: object) => {
    const faults: unknown[] = [];
    const reporting = createServer(INFO, {
      onError: (error, about) => faults.push([error, about]),
    });
    register(reporting);
    await refusal(reporting, method, params as {});
    return faults;
  };
  const about = (method: string, subject: string) => ({ ref: expect.any(String), method, subject });

  test.each<readonly [string, unknown, string]>([
    ["nothing", undefined, said("undefined")],
    ["null", null, said("null")],
    ["a number", 5, said("number")],
    ["an object of its own", { degrees: 5 }, said("another object")],
    [
      "a list of other things",
      ["a"],
      'content[0] is not a content block such as { type: "text", text }',
    ],
  ])("by a tool: %s", async (_title, value, message) => {
    for (const returned of [value, Promise.resolve(value)]) {
      const register = (to: Server) => to.tool("t", {}, () => returned as string);
      const faults = await faultOf(register, "tools/call", { name: "t" });
      const error = new TypeError(`tool "t": ${message}`);
      expect(faults).toEqual([[error, about("tools/call", 'tool "t"')]]);
    }
  });

  test("by a tool with an outputSchema", async () => {
    const config = { outputSchema: z.object({ degrees: z.number() }) };
    const register = (to: Server) => to.tool("t", config, () => ({ degrees: "5" }) as never);
    const [fault] = await faultOf(register, "tools/call", { name: "t" });
    expect(fault).toMatchObject([
      {
        message: expect.stringMatching(
          /^tool "t": the handler's value breaks its outputSchema\n- /,
        ),
      },
      { subject: 'tool "t"' },
    ]);
  });

  test("by prompts, resources, templates and completers", async () => {
    const wrong = (): never => 5 as never;
    const register = (to: Server) =>
      to
        .prompt(
          "p",
          { argsSchema: { type: "object", properties: { a: {} } }, complete: { a: wrong } },
          wrong,
        )
        .resource("a:b", {}, wrong)
        .resourceTemplate("b:{c}", {}, wrong);
    const text = (message: string) => new TypeError(message);
    expect(await faultOf(register, "prompts/get", { name: "p" })).toEqual([
      [
        text('prompt "p": a prompt returns text, messages or a whole result'),
        about("prompts/get", 'prompt "p"'),
      ],
    ]);
    expect(await faultOf(register, "resources/read", { uri: "a:b" })).toEqual([
      [
        text('resource "a:b": a resource returns text, bytes or a whole result'),
        about("resources/read", 'resource "a:b"'),
      ],
    ]);
    expect(await faultOf(register, "resources/read", { uri: "b:1" })).toEqual([
      [
        text('resource template "b:{c}": a resource returns text, bytes or a whole result'),
        about("resources/read", 'resource template "b:{c}"'),
      ],
    ]);
    const params = { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } };
    expect(await faultOf(register, "completion/complete", params)).toEqual([
      [
        text('prompt "p": a completer returns a list of strings, or { values, total?, hasMore? }'),
        about("completion/complete", 'prompt "p"'),
      ],
    ]);
  });

  test("a handler that throws is named, too", async () => {
    const error = new Error("x");
    const register = (to: Server) =>
      to.tool("t", {}, () => {
        throw error;
      });
    expect(await faultOf(register, "tools/call", { name: "t" })).toEqual([
      [error, about("tools/call", 'tool "t"')],
    ]);
  });
});

describe("what is dropped on the way", () => {
  const stepping = (options: object) =>
    createServer(INFO, options).tool("t", {}, async (_args, { progress }) => {
      await progress(2);
      await progress(1);
      return "x";
    });
  const call = (to: Server) =>
    send(to, "tools/call", { name: "t" }, { meta: { progressToken: 1 } });

  test("progress that does not grow is told as such, and the call goes on", async () => {
    const faults: unknown[] = [];
    const onError = (...fault: readonly unknown[]) => faults.push(fault);
    expect(await call(stepping({ onError }))).toMatchObject({ resultType: "complete" });
    expect(faults).toEqual([
      [
        new RangeError("progress must grow, not reported: 1 after 2"),
        { ref: expect.any(String), method: "tools/call", subject: 'tool "t"', dropped: true },
      ],
    ]);
  });

  test("the console does not say that the call failed", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await call(stepping({}));
    const lines = log.mock.calls.map(([line]: unknown[]) => line);
    log.mockRestore();
    expect(lines).toEqual([
      expect.stringMatching(
        /^bowline: not sent in tools\/call of tool "t", reference [\da-f-]{36}$/,
      ),
    ]);
  });
});

describe("a URL where nobody answers", () => {
  test("says ECONNREFUSED where nobody listens, and the URL without its secrets", async () => {
    const running = await listen(server);
    const { url } = running;
    await running.close();
    await using client = await connect(`${url}?key=secret`);
    await expect(client.listTools()).rejects.toMatchObject({
      name: "TransportError",
      message: `no answer from ${url}: ECONNREFUSED`,
    });
  });

  test.each([
    ["/", ""],
    ["/api/mcp", "?key=secret"],
  ])("hints at the path /mcp where %s is not served", async (path, query) => {
    await using running = await listen(server);
    const place = new URL(path, running.url).href;
    await using client = await connect(place + query);
    await expect(client.listTools()).rejects.toMatchObject({
      name: "TransportError",
      status: 404,
      message: `the server answered 404: there is no MCP server at ${place}, most are at the path /mcp`,
    });
  });
});
