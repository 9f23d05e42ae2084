import { afterEach, describe, expect, test } from "vitest";
import { CALL, createGate, DONE, fault, post } from "../../test/http.ts";
import { RawExchange, toRequestText } from "../../test/raw-exchange.ts";
import type { Exchange } from "../protocol/exchange.ts";
import { listen, type ListenOptions, type RunningServer } from "./index.ts";

const exchange: Exchange = () => Promise.resolve(DONE);
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const running: RunningServer[] = [];
const raws: RawExchange[] = [];
afterEach(async () => {
  for (const raw of raws.splice(0)) raw.destroy();
  await Promise.all(running.splice(0).map((server) => server.close()));
});

async function start(options: ListenOptions = {}, source = exchange): Promise<RunningServer> {
  const server = await listen(source, { closeGraceMs: 0, ...options });
  running.push(server);
  return server;
}

function dial(port: number): RawExchange {
  const raw = new RawExchange(port);
  raws.push(raw);
  return raw;
}

describe("where it listens", () => {
  test("HTTP-05 T-19 on this machine alone by default, at a URL that is served", async () => {
    const server = await start();
    expect(server.url).toBe(`http://127.0.0.1:${server.port}/mcp`);
    const { headers, body } = post(CALL);
    const answer = await fetch(server.url, {
      method: "POST",
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      body: String(body),
    });
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { jsonrpc: "2.0", id: 1, result: DONE },
    ]);
  });

  test.each<[string, ListenOptions, boolean]>([
    ["127.0.0.1", {}, true],
    ["localhost", {}, true],
    ["127.0.0.2", {}, true],
    ["0.0.0.0", {}, false],
    ["::", {}, false],
    ["", {}, false],
    ["0.0.0.0", { allowedHosts: ["mcp.example"] }, true],
    ["0.0.0.0", { authorize: () => ({ refusal: { status: 401 } }) }, true],
    ["0.0.0.0", { allowedOrigins: ["https://app.example"] }, false],
  ])("T-19 HTTP-05 on %j with %o: %s", async (host, options, starts) => {
    const outcome = await start({ host, ...options }).then(
      () => true,
      (error: unknown) => {
        expect(error).toBeInstanceOf(TypeError);
        return false;
      },
    );
    expect(outcome).toBe(starts);
  });

  test("a port that is taken rejects with what to do, and keeps the system's error", async () => {
    const { port } = await start();
    await expect(start({ port })).rejects.toMatchObject({
      message: `port ${port} of 127.0.0.1 is in use: choose another, or port 0 for any that is free`,
      code: "EADDRINUSE",
      cause: { code: "EADDRINUSE", syscall: "listen", port },
    });
  });

  test("T-19 the name has to come with the port it is bound to", async () => {
    const { port } = await start();
    const statusFor = async (host: string) => {
      const raw = dial(port);
      raw.write(toRequestText(post(CALL, { Host: host }), ""));
      return (await raw.answer()).status;
    };
    expect(await statusFor(`127.0.0.1:${port}`)).toBe(200);
    expect(await statusFor(`localhost:${port}`)).toBe(200);
    expect(await statusFor("localhost")).toBe(403);
    expect(await statusFor(`localhost:${port + 1}`)).toBe(403);
    expect(await statusFor(`evil.example:${port}`)).toBe(403);
  });
});

describe("what is no HTTP", () => {
  test.each([
    ["nonsense", "nonsense\r\n\r\n", 400],
    ["a head too large", `GET / HTTP/1.1\r\nHost: x\r\nX: ${"y".repeat(20_000)}\r\n\r\n`, 431],
    [
      "a broken chunk",
      "POST /mcp HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      400,
    ],
  ])("T-26 T-28 %s is answered and the connection closed", async (_, text, status) => {
    const { port } = await start();
    const raw = dial(port);
    raw.write(text);
    const { status: given, headers } = await raw.answer();
    // A request with a good head is refused for its Host before its body breaks.
    expect([status, 403]).toContain(given);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    await raw.ended();
  });
});

describe("connections", () => {
  test("beyond the limit are not taken", async () => {
    const { port } = await start({ maxConnections: 2 });
    const first = [dial(port), dial(port)];
    await Promise.all(first.map(({ connected }) => connected));
    const third = dial(port);
    third.write(toRequestText(post(CALL), `localhost:${port}`));
    expect(await third.ended()).toBe("");
    first[0]?.write(toRequestText(post(CALL), `localhost:${port}`));
    expect((await first[0]?.answer())?.status).toBe(200);
  });
});

describe("closing", () => {
  test("lets a call finish, refuses the next, and closes every connection", async () => {
    const gate = createGate();
    const begun = createGate();
    const server = await start({ closeGraceMs: 60_000 }, async () => {
      begun.open();
      await gate.passed;
      return DONE;
    });
    const idle = dial(server.port);
    await idle.connected;
    const busy = dial(server.port);
    busy.write(toRequestText(post(CALL), `localhost:${server.port}`));
    await begun.passed;
    const late = dial(server.port);
    late.write(toRequestText(post(CALL), `localhost:${server.port}`).slice(0, 40));
    await late.connected;
    await settled();
    const closed = server.close();
    late.write(toRequestText(post(CALL), `localhost:${server.port}`).slice(40));
    expect(fault(await late.answer())).toEqual({ status: 503, code: -31003, id: undefined });
    gate.open();
    expect((await busy.answer()).status).toBe(200);
    await closed;
    await Promise.all([idle.ended(), busy.ended()]);
    expect(server.activity().calls).toBe(0);
  });

  test("is what disposing does, and may be done twice", async () => {
    let port = 0;
    {
      await using server = await listen(exchange);
      ({ port } = server);
    }
    await expect(new RawExchange(port).connected).rejects.toMatchObject({ code: "ECONNREFUSED" });
    const server = await start();
    await server.close();
    await expect(server.close()).resolves.toBeUndefined();
  });
});
