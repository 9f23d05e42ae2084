import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import express from "express";
import fastify from "fastify";
import { afterEach, describe, expect, test } from "vitest";
import { CALL, createClock, createGate, DONE, fault, post } from "../../test/http.ts";
import { bind, RawExchange, toRequestText, type Answer } from "../../test/raw-exchange.ts";
import type { Exchange } from "../protocol/exchange.ts";
import { createListener, type ListenerOptions, type NodeListener } from "./index.ts";

const exchange: Exchange = () => Promise.resolve(DONE);
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const VALID = String(post(CALL).body);

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  const port = await bind(server);
  stops.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
  return port;
}

async function start(
  source: Exchange = exchange,
  options: ListenerOptions = {},
): Promise<{ port: number; listener: NodeListener }> {
  const listener = createListener(source, { closeGraceMs: 0, ...options });
  stops.push(() => listener.close());
  return { port: await serve(listener), listener };
}

function dial(port: number): RawExchange {
  const raw = new RawExchange(port);
  stops.push(() => raw.destroy());
  return raw;
}

async function ask(port: number, asked = post(CALL)): Promise<Answer> {
  const raw = dial(port);
  raw.write(toRequestText(asked, `localhost:${port}`));
  return raw.answer();
}

/** The head of a valid request, to which `lines` are added. */
const head = (port: number, ...lines: string[]): string =>
  [
    "POST /mcp HTTP/1.1",
    `Host: localhost:${port}`,
    ...post(CALL).headers.map(([name, value]) => `${name}: ${value}`),
    ...lines,
    "",
    "",
  ].join("\r\n");
const LENGTH = `Content-Length: ${VALID.length}`;

describe("framing", () => {
  test("T-07 a body arrives whole, split anywhere", async () => {
    const { port } = await start();
    const text = toRequestText(post(CALL), `localhost:${port}`);
    const raw = dial(port);
    raw.socket.setNoDelay(true);
    for (const byte of text) {
      raw.write(byte);
      await settled();
    }
    expect((await raw.answer()).status).toBe(200);
  });

  test("T-07 a chunked body is read like any other", async () => {
    const { port } = await start();
    const raw = dial(port);
    raw.write(head(port, "Transfer-Encoding: chunked"));
    for (const piece of VALID.match(/.{1,40}/g) ?? []) {
      raw.write(`${piece.length.toString(16)}\r\n${piece}\r\n`);
    }
    raw.write("0\r\n\r\n");
    expect((await raw.answer()).status).toBe(200);
  });

  test("T-07 BR-026 a body declared too large is refused before it comes, and the connection closed", async () => {
    const { port } = await start(exchange, { limits: { maxRequestBytes: 1_000 } });
    const raw = dial(port);
    raw.write(head(port, "Content-Length: 1000000000"));
    const answer = await raw.answer();
    expect([fault(answer), answer.headers["connection"]]).toEqual([
      { status: 413, code: -31001, id: undefined },
      "close",
    ]);
    await raw.ended();
  });

  test("T-07 BR-026 a chunked body without end is given up at the limit, buffering nothing more", async () => {
    const { port } = await start(exchange, { limits: { maxRequestBytes: 100_000 } });
    const raw = dial(port);
    raw.write(head(port, "Transfer-Encoding: chunked"));
    const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
    let written = 0;
    while (raw.received === "" && written < 1_000) {
      raw.write(chunk);
      written += 1;
      await settled();
    }
    const answer = await raw.answer();
    expect([fault(answer), answer.headers["connection"]]).toEqual([
      { status: 413, code: -31001, id: undefined },
      "close",
    ]);
    await raw.ended();
  });

  test("a small body that is not wanted costs no connection, a large one does", async () => {
    const { port } = await start();
    const refused = { "Content-Type": "text/plain" };
    const raw = dial(port);
    raw.write(toRequestText(post(CALL, refused), `localhost:${port}`));
    expect((await raw.answer()).headers["connection"]).toBe("keep-alive");
    raw.received = "";
    raw.write(toRequestText(post(CALL), `localhost:${port}`));
    expect((await raw.answer()).status).toBe(200);
    const large = await ask(port, post(CALL, refused, { body: "x".repeat(70_000) }));
    expect([large.status, large.headers["connection"]]).toEqual([415, "close"]);
  });

  test("pipelined requests are answered in order, also when their answers are not", async () => {
    const gate = createGate();
    const { port } = await start(async (call) => {
      if (call.params["name"] === "slow") await gate.passed;
      else gate.open();
      return { resultType: "complete", name: call.params["name"] };
    });
    const raw = dial(port);
    const text = (name: string) =>
      toRequestText(post({ ...CALL, params: { name } }), `localhost:${port}`);
    raw.write(text("slow") + text("quick"));
    await raw.until('"quick"');
    expect(raw.received.indexOf('"slow"')).toBeLessThan(raw.received.indexOf('"quick"'));
  });

  test("T-31 pipelined calls are aborted with their connection", async () => {
    const signals: AbortSignal[] = [];
    const { port, listener } = await start((_call, { signal }) => {
      signals.push(signal);
      return new Promise((_resolve, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason as Error)),
      );
    });
    const raw = dial(port);
    const text = toRequestText(post(CALL), `localhost:${port}`);
    raw.write(text + text);
    while (signals.length < 2) await settled();
    raw.destroy();
    while (listener.activity().calls > 0) await settled();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });
});

describe("smuggling", () => {
  const smuggled = (port: number) =>
    toRequestText(post({ ...CALL, params: { name: "smuggled" } }), `localhost:${port}`);
  const chunked = "Transfer-Encoding: chunked";

  test.each<[string, (port: number) => string]>([
    ["a length and chunks", (port) => `${head(port, LENGTH, chunked)}0\r\n\r\n${smuggled(port)}`],
    [
      "chunks and a length",
      (port) => `${head(port, chunked, "Content-Length: 4")}0\r\n\r\n${smuggled(port)}`,
    ],
    ["two lengths", (port) => `${head(port, LENGTH, "Content-Length: 5")}${VALID}`],
    ["two equal lengths", (port) => `${head(port, LENGTH, LENGTH)}${VALID}`],
    ["a list of lengths", (port) => `${head(port, `Content-Length: ${VALID.length}, 5`)}${VALID}`],
    ["a signed length", (port) => `${head(port, `Content-Length: +${VALID.length}`)}${VALID}`],
    ["a negative length", (port) => `${head(port, "Content-Length: -1")}${VALID}`],
    ["a hexadecimal length", (port) => `${head(port, "Content-Length: 0x10")}${VALID}`],
    ["white space in a length", (port) => `${head(port, "Content-Length: 1 0")}${VALID}`],
    [
      "white space before a colon",
      (port) => `${head(port, `Content-Length : ${VALID.length}`)}${VALID}`,
    ],
    ["an unknown transfer coding", (port) => `${head(port, "Transfer-Encoding: x")}${VALID}`],
    [
      "chunked, then something",
      (port) => `${head(port, "Transfer-Encoding: chunked, identity")}0\r\n\r\n`,
    ],
    [
      "chunked in a trick of spelling",
      (port) => `${head(port, "Transfer-Encoding: \u000bchunked")}0\r\n\r\n`,
    ],
    [
      "two transfer encodings",
      (port) => `${head(port, chunked, "Transfer-Encoding: identity")}0\r\n\r\n`,
    ],
    ["a folded header", (port) => `${head(port, "X-Folded: a\r\n b", LENGTH)}${VALID}`],
    [
      "a folded transfer encoding",
      (port) => `${head(port, "Transfer-Encoding:\r\n chunked")}0\r\n\r\n`,
    ],
    [
      "bare LF after a header",
      (port) => `${head(port, LENGTH).replace("\r\nAccept", "\nAccept")}${VALID}`,
    ],
    [
      "bare CR in a header",
      (port) => `${head(port, "X: a\rTransfer-Encoding: chunked", LENGTH)}${VALID}`,
    ],
    ["NUL in a header", (port) => `${head(port, "X: a\0b", LENGTH)}${VALID}`],
    ["an empty header name", (port) => `${head(port, ": x", LENGTH)}${VALID}`],
    ["a header line without a colon", (port) => `${head(port, "nonsense", LENGTH)}${VALID}`],
    ["a chunk size that is none", (port) => `${head(port, chunked)}xyz\r\n`],
    ["a signed chunk size", (port) => `${head(port, chunked)}-1\r\nx\r\n0\r\n\r\n`],
    ["a chunk size beyond reason", (port) => `${head(port, chunked)}fffffffffffffffff\r\n`],
    ["bare LF after a chunk size", (port) => `${head(port, chunked)}5\nhello\r\n0\r\n\r\n`],
    [
      "a huge chunk extension",
      (port) => `${head(port, chunked)}5;x=${"y".repeat(70_000)}\r\nhello\r\n0\r\n\r\n`,
    ],
    ["another protocol version", (port) => head(port, LENGTH).replace("HTTP/1.1", "HTTP/9.9")],
    ["no protocol version", (port) => head(port, LENGTH).replace(" HTTP/1.1", "")],
    ["no Host", (port) => head(port, LENGTH).replace(/Host: .*?\r\n/, "")],
    [
      "a target of another host",
      (port) => `${head(port, LENGTH).replace(" /mcp ", " http://evil.example/mcp ")}${VALID}`,
    ],
    [
      "a target with a user",
      (port) =>
        `${head(port, LENGTH).replace(" /mcp ", ` http://a@localhost:${port}/mcp `)}${VALID}`,
    ],
    ["a method with a space", (port) => head(port, LENGTH).replace("POST", "PO ST")],
  ])("T-26 %s is refused and the connection closed", async (_, textFor) => {
    const names: unknown[] = [];
    const { port } = await start((call) => {
      names.push(call.params["name"]);
      return Promise.resolve(DONE);
    });
    const raw = dial(port);
    raw.write(textFor(port));
    const received = await raw.ended();
    const statuses = [...received.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);
    expect(["400", "413", "431", "505"]).toEqual(expect.arrayContaining(statuses));
    expect(names).toEqual([]);
  });

  test("T-26 an absolute target that names this host is served", async () => {
    const { port } = await start();
    const asked = post(CALL, {}, { path: `http://localhost:${port}/mcp` });
    expect((await ask(port, asked)).status).toBe(200);
    const elsewhere = post(CALL, {}, { path: `http://localhost:${port}/other` });
    expect((await ask(port, elsewhere)).status).toBe(404);
  });
});

describe("slow uploads", () => {
  test("T-28 a body below the least pace is given up, and holds no place meanwhile", async () => {
    const clock = createClock();
    const { port, listener } = await start(exchange, { every: clock.every });
    const raw = dial(port);
    raw.write(`${head(port, "Content-Length: 100000")}{`);
    await raw.connected;
    for (let turn = 0; turn < 20; turn++) await settled();
    clock.advance(5_000);
    expect([raw.received, listener.activity().calls]).toEqual(["", 0]);
    clock.advance(1_000);
    const answer = await raw.answer();
    expect([fault(answer), answer.headers["connection"]]).toEqual([
      { status: 408, code: -32600, id: undefined },
      "close",
    ]);
    await raw.ended();
  });

  test("T-28 five hundred of them leave others alone, and are all gone in time", async () => {
    const clock = createClock();
    const { port } = await start(exchange, { every: clock.every });
    const raws = Array.from({ length: 500 }, () => dial(port));
    await Promise.all(raws.map(({ connected }) => connected));
    for (const raw of raws) raw.write(`${head(port, "Content-Length: 1000")}{`);
    expect((await ask(port)).status).toBe(200);
    clock.advance(6_000);
    const statuses = await Promise.all(raws.map(async (raw) => (await raw.head()).status));
    expect(new Set(statuses)).toEqual(new Set([408]));
    await Promise.all(raws.map((raw) => raw.ended()));
  });

  test("T-28 a fast body may take until the time for the whole is up", async () => {
    const clock = createClock();
    const { port } = await start(exchange, {
      every: clock.every,
      limits: { bodyTimeoutMs: 10_000 },
    });
    const raw = dial(port);
    raw.write(`${head(port, "Content-Length: 1000000")}${"x".repeat(100_000)}`);
    await raw.connected;
    for (let turn = 0; turn < 50; turn++) await settled();
    clock.advance(10_000);
    expect(raw.received).toBe("");
    clock.advance(1_000);
    expect((await raw.answer()).status).toBe(408);
  });

  test("T-31 a client that leaves during its upload leaves nothing behind", async () => {
    const clock = createClock();
    const running = new Set<() => void>();
    const every = (ms: number, run: () => void) => {
      const stop = clock.every(ms, run);
      running.add(run);
      return () => {
        running.delete(run);
        stop();
      };
    };
    const { port, listener } = await start(exchange, { every });
    const raw = dial(port);
    raw.write(`${head(port, LENGTH)}{`);
    while (running.size === 0) await settled();
    raw.destroy();
    for (let turn = 0; turn < 20; turn++) await settled();
    clock.advance(3_000);
    expect([running.size, listener.activity().calls]).toEqual([0, 0]);
  });
});

describe("frameworks", () => {
  const parsed = "the body was read by something else: mount this listener before body parsers";

  test("Express serves it under a mount path", async () => {
    const app = express();
    app.use("/mcp", createListener(exchange));
    app.use(express.json());
    app.get("/other", (_request, response) => void response.send("other"));
    const port = await serve(app);
    expect((await ask(port)).status).toBe(200);
    expect((await ask(port, post(CALL, {}, { path: "/mcp/" }))).status).toBe(200);
    expect((await ask(port, post(CALL, {}, { path: "/mcp/deeper" }))).status).toBe(404);
    expect(
      (await ask(port, post(CALL, {}, { method: "GET", path: "/other", body: "" }))).text,
    ).toBe("other");
  });

  test("Express with a body parser in front is told what is wrong", async () => {
    const faults: string[] = [];
    const app = express();
    app.use(express.json());
    app.use("/mcp", createListener(exchange, { onError: (error) => faults.push(String(error)) }));
    const answer = await ask(await serve(app));
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      500,
      { jsonrpc: "2.0", error: { code: -32603, message: parsed } },
    ]);
    expect(faults).toEqual([`TypeError: ${parsed}`]);
  });

  test("Fastify hands its raw request over", async () => {
    const app = fastify();
    const listener = createListener(exchange);
    app.addHook("onRequest", (request, reply, next) => {
      if (!request.url.startsWith("/mcp")) {
        next();
        return;
      }
      reply.hijack();
      listener(request.raw, reply.raw);
    });
    app.get("/other", () => "other");
    await app.listen({ host: "127.0.0.1", port: 0 });
    stops.push(() => app.close());
    const port = Number(new URL(app.listeningOrigin).port);
    expect((await ask(port)).status).toBe(200);
    expect(
      (await ask(port, post(CALL, {}, { method: "GET", path: "/other", body: "" }))).text,
    ).toBe("other");
  });

  test("a listener is one function that may be called loose", async () => {
    const { listener } = await start();
    const port = await serve((request: IncomingMessage, response: ServerResponse) => {
      response.setHeader("X-Before", "kept");
      listener(request, response);
    });
    const answer = await ask(port);
    expect([answer.status, answer.headers["x-before"]]).toEqual([200, "kept"]);
  });
});
