import { createHash } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  bundleFixtures,
  cancelled,
  request,
  startProcess,
  type Fixtures,
  type ServerProcess,
} from "../../test/stdio.ts";

let fixtures: Fixtures;
let running: ServerProcess[] = [];

beforeAll(async () => {
  fixtures = await bundleFixtures("stdio-server");
});
afterEach(() => {
  for (const { child } of running) child.kill("SIGKILL");
  running = [];
});
afterAll(() => fixtures.remove());

function start(...args: readonly string[]): ServerProcess {
  const server = startProcess(fixtures.path("stdio-server"), args);
  running.push(server);
  return server;
}

const answer = (id: unknown, value?: unknown) => ({
  jsonrpc: "2.0",
  id,
  result: { resultType: "complete", ...(value === undefined ? {} : { value }) },
});

describe("serveStdio in a process of its own", { timeout: 60_000 }, () => {
  test("STDIO-07 T-15 BR-007 console and foreign writes of a handler go to stderr", async () => {
    const { written, errors, input, send, exited } = start();
    send(request(1, "log"), request(2, "echo", { value: "next" }));
    expect(await written.first(2)).toEqual([answer(1, "said it all"), answer(2, "next")]);
    input.end();
    expect(await exited).toBe(0);
    expect(written.messages).toHaveLength(2);
    expect(errors.bytes.toString()).toContain("logged to stdout\n{ a: 1 }\n");
    expect(errors.lines.filter((line) => line.includes("written to stdout"))).toEqual([
      'bowline: only messages may go to stdout; this went to stderr instead: "written to stdout\\n"',
      "written to stdout",
    ]);
  });

  test("T-11 BR-001 survives 1,000 bad lines and a failing handler, and says so once on stderr", async () => {
    const { written, errors, input, send, exited } = start();
    for (let count = 0; count < 1_000; count += 1) send('{"jsonrpc":"2.0","id":1,"method":\n');
    send(request(2, "fail"));
    const answers = await written.first(1_001);
    expect(answers.at(-1)).toEqual({
      jsonrpc: "2.0",
      id: 2,
      error: {
        code: -32603,
        message: "Internal error",
        data: { ref: expect.any(String) as string },
      },
    });
    expect(written.bytes.includes("canary")).toBe(false);
    input.end();
    expect(await exited).toBe(0);
    expect(errors.lines.filter((line) => line.startsWith("bowline: refused a line"))).toHaveLength(
      1,
    );
    expect(errors.bytes.toString()).toContain("Error: canary in a message");
  });

  test("BR-003 T-07 a line of 200 MB neither grows the process nor ends it", async () => {
    const { written, send, input } = start(`--max=${16 * 1024 * 1024}`);
    send(request(1, "rss"));
    const [before] = await written.first(1);
    const chunk = new Uint8Array(1024 * 1024).fill(0x78);
    for (let sent = 0; sent < 200; sent += 1) {
      // oxlint-disable-next-line no-await-in-loop -- only as fast as the server reads
      if (!input.write(chunk)) await new Promise((resolve) => input.once("drain", resolve));
    }
    send("\n", request(2, "rss"));
    const [, refused, after] = await written.first(3);
    expect(refused).toEqual({
      jsonrpc: "2.0",
      error: { code: -31001, message: "a message of more than 16777216 bytes is not accepted" },
    });
    const rss = (message: typeof before) =>
      Number(/\d+/.exec(JSON.stringify(message?.["result"]))?.[0]);
    expect(rss(after) - rss(before)).toBeLessThan(80 * 1024 * 1024);
  });

  test("T-07 exits with code 1 after a line sixteen times over the limit", async () => {
    const { written, errors, send, exited } = start("--max=1000");
    send("x".repeat(20_000));
    expect(await exited).toBe(1);
    expect(written.messages).toEqual([
      {
        jsonrpc: "2.0",
        error: { code: -31001, message: "a message of more than 1000 bytes is not accepted" },
      },
    ]);
    expect(errors.lines.at(-1)).toBe("bowline: the client sends a line without end: giving up");
  });

  test("BR-008 large results arrive whole, one over the limit fails, the next call works", async () => {
    const { written, send } = start();
    const sizes = [20 * 1024, 1024 * 1024, 12 * 1024 * 1024];
    send(...sizes.map((size, index) => request(index, "big", { size })));
    send(request(8, "big", { size: 16 * 1024 * 1024 }), request(9, "echo", { value: 1 }));
    const messages = await written.first(sizes.length + 2);
    const digest = (text: string) => createHash("sha256").update(text).digest("hex");
    const received = messages.slice(0, sizes.length);
    expect(received.map(({ result }) => digest((result as { value: string }).value))).toEqual(
      sizes.map((size) => digest("x".repeat(size))),
    );
    expect(messages.slice(sizes.length)).toEqual([
      {
        jsonrpc: "2.0",
        id: 8,
        error: {
          code: -31001,
          message:
            "the result of big is larger than the limit of 16777216 bytes: ask for less of it",
        },
      },
      answer(9, 1),
    ]);
  });

  test("T-16 BR-009 exits quietly with code 0 when both pipes close before the answer", async () => {
    const { child, errors, send, exited } = start();
    send(request(1, "later", { ms: 50 }), request(2, "later", { ms: 60 }));
    child.stdout?.destroy();
    child.stdin?.end();
    expect(await exited).toBe(0);
    expect(errors.bytes.toString()).not.toMatch(/uncaught|unhandled|^\s+at /im);
  });

  test("T-16 lives on when its stderr is closed", async () => {
    const { child, written, send, input, exited } = start();
    child.stderr?.destroy();
    send(request(1, "log"), request(2, "log"), request(3, "echo", { value: 1 }));
    expect((await written.first(3)).at(-1)).toEqual(answer(3, 1));
    input.end();
    expect(await exited).toBe(0);
  });

  test("STDIO-20 BR-010 exits at the end of input although a timer is active", async () => {
    const { input, exited } = start("--timer");
    input.end();
    expect(await exited).toBe(0);
  });

  test("answers what was asked right before the end of input", async () => {
    const { input, written, send, exited } = start();
    send(request(1, "later", { ms: 20 }), request(2, "echo", { value: 1 }));
    input.end(JSON.stringify(request(3, "echo", { value: "no newline" })));
    expect(await exited).toBe(0);
    expect(written.messages).toEqual([answer(2, 1), answer(3, "no newline"), answer(1, "late")]);
  });

  test("STDIO-17 sends nothing for a cancelled call", async () => {
    const { written, send, input, exited } = start();
    send(
      request(1, "later", { ms: 30 }),
      cancelled({ requestId: 1 }),
      request(2, "later", { ms: 60 }),
    );
    expect(await written.first(1)).toEqual([answer(2, "late")]);
    input.end();
    expect(await exited).toBe(0);
    expect(written.messages).toHaveLength(1);
  });
});
