import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { bundleFixtures, META, type Fixtures } from "../../test/stdio.ts";
import { LimitError, TransportError } from "../base/errors.ts";
import type { JsonObject } from "../json/value.ts";
import type { Result } from "../protocol/result.ts";
import { connectStdio } from "./connect.ts";
import type { StdioDiagnostic } from "./diagnostic.ts";
import type { RestartOptions, StdioCommand } from "./target.ts";

let fixtures: Fixtures;
let folder: string;

beforeAll(async () => {
  fixtures = await bundleFixtures("stdio-child");
  folder = mkdtempSync(join(tmpdir(), "bowline-restart-"));
});
afterAll(() => {
  fixtures.remove();
  rmSync(folder, { recursive: true });
});

/** A server that writes its calls down, and timers that run when the test says so. */
function start(name: string, restart: StdioCommand["restart"] = {}, mode = "count") {
  const file = join(folder, name);
  const diagnostics: StdioDiagnostic[] = [];
  const timers = new Map<() => void, number>();
  const changes = new EventTarget();
  let nowMs = 0;
  const byHand: RestartOptions = {
    random: () => 0.5,
    now: () => nowMs,
    after: (ms, run) => {
      timers.set(run, ms);
      changes.dispatchEvent(new Event("timer"));
      return () => timers.delete(run);
    },
  };
  const connection = connectStdio({
    command: process.execPath,
    args: [fixtures.path("stdio-child"), mode, file],
    onDiagnostic: (diagnostic) => {
      diagnostics.push(diagnostic);
      changes.dispatchEvent(new Event("diagnostic"));
    },
    restart: typeof restart === "boolean" ? restart : { ...byHand, ...restart },
  });
  onTestFinished(() => connection.close());
  let id = 0;
  const call = (
    method: string,
    params: JsonObject = {},
    signal = new AbortController().signal,
  ): Promise<Result> =>
    connection.exchange(
      {
        method,
        params,
        meta: { protocolVersion: "2026-07-28", clientCapabilities: {}, raw: META },
      },
      { id: (id += 1), signal, notify: () => Promise.resolve() },
    );
  return {
    connection,
    diagnostics,
    timers,
    call,
    advance: (ms: number) => (nowMs += ms),
    ran: () => readFileSync(file, "utf8").split("\n").slice(0, -1),
    /** Ends the server from outside, and waits until this is known. */
    kill: async () => {
      const known = once(changes, "diagnostic");
      process.kill(connection.pid ?? 0, "SIGKILL");
      await known;
    },
    timerSet: () => once(changes, "timer"),
    runTimers: () => {
      for (const run of timers.keys()) {
        timers.delete(run);
        run();
      }
    },
  };
}

const AT_ONCE = {
  after: (_: number, run: () => void) => {
    queueMicrotask(run);
    return () => undefined;
  },
};
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("a server that ends by itself", { timeout: 60_000 }, () => {
  test("STDIO-22 T-18 is started again by the next call, after its wait", async () => {
    const { connection, call, kill, timerSet, timers, runTimers, diagnostics } = start("again");
    await call("first");
    const before = connection.pid;
    await kill();
    expect(timers.size).toBe(0);
    const set = timerSet();
    const second = call("second");
    await set;
    expect([...timers.values()]).toEqual([250]);
    runTimers();
    expect(await second).toMatchObject({ resultType: "complete" });
    expect(connection.pid).not.toBe(before);
    expect(diagnostics).toEqual([
      {
        kind: "server-ended",
        message: "the server process was ended by SIGKILL. The next call starts it again",
      },
    ]);
  });

  test("T-18 STDIO-23 what was in flight fails at once and runs once: as many ran as were sent", async () => {
    const { call, ran } = start("once", { ...AT_ONCE, maxRestarts: 100 });
    const acknowledged: string[] = [];
    for (let round = 0; round < 10; round += 1) {
      // oxlint-disable no-await-in-loop -- one life of the server after the other
      await call(`kept-${round}`);
      acknowledged.push(`kept-${round}`);
      const [lost, beside] = [call(`lost-${round}`, { die: true }), call(`beside-${round}`)];
      expect(await failure(lost)).toMatchObject({ code: "ERR_MCP_TRANSPORT_CLOSED" });
      expect(await failure(beside)).toBe(await failure(lost));
      // oxlint-enable no-await-in-loop
    }
    await call("last");
    const all = ran();
    expect(all.filter((method) => method.startsWith("kept"))).toEqual(acknowledged);
    expect(all.filter((method) => method.startsWith("lost"))).toHaveLength(10);
    expect(new Set(all).size).toBe(all.length);
  });

  test("T-18 the sixth end in 60 s makes calls fail at once, until the first restart is 60 s ago", async () => {
    const { call, kill, advance, connection } = start("loop", AT_ONCE);
    await call("0");
    for (let restart = 1; restart <= 5; restart += 1) {
      // oxlint-disable no-await-in-loop -- one life of the server after the other
      await kill();
      await call(String(restart));
      // oxlint-enable no-await-in-loop
      advance(1_000);
    }
    await kill();
    const error = await failure(call("too many"));
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({
      code: "ERR_MCP_TRANSPORT",
      message: "the server process ended too often and is not started again yet",
      hint: "the cause tells of its last end; a call after 55000 ms starts it again",
      cause: new TransportError("the server process was ended by SIGKILL", {
        code: "ERR_MCP_TRANSPORT_CLOSED",
      }),
    });
    advance(55_000);
    expect(await call("again")).toMatchObject({ resultType: "complete" });
    expect(connection.pid).toBeDefined();
  });

  test("a call that is cancelled while it waits was never sent, and leaves no timer", async () => {
    const { call, kill, timerSet, timers, runTimers, ran } = start("cancelled");
    await call("first");
    await kill();
    const controller = new AbortController();
    const reason = new Error("changed my mind");
    const set = timerSet();
    const waiting = call("never", {}, controller.signal);
    await set;
    controller.abort(reason);
    expect(await failure(waiting)).toBe(reason);
    expect(timers.size).toBe(0);
    const again = timerSet();
    const second = call("second");
    await again;
    runTimers();
    await second;
    expect(ran()).toEqual(["first", "second"]);
  });

  test("T-17 closing fails the calls that wait, and starts nothing more", async () => {
    const { call, kill, timerSet, timers, connection } = start("closed");
    await call("first");
    await kill();
    const set = timerSet();
    const waiting = failure(call("never"));
    await set;
    await connection.close();
    expect(await waiting).toMatchObject({ message: "the connection was closed by this side" });
    expect(timers.size).toBe(0);
    expect(await connection.closed).toBe(await waiting);
    expect(await failure(call("later"))).toBe(await waiting);
  });

  test("no more than 1,024 calls wait", async () => {
    const { call, kill, timerSet, runTimers } = start("many");
    await call("first");
    await kill();
    const set = timerSet();
    const waiting = Array.from({ length: 1_024 }, (_, index) => call(`call-${index}`));
    expect(await failure(call("one more"))).toBeInstanceOf(LimitError);
    await set;
    runTimers();
    expect(await Promise.all(waiting)).toHaveLength(1_024);
  });

  test("T-18 STDIO-23 a subscription fails with the process, and can be opened again", async () => {
    const { call, kill } = start("listening", AT_ONCE, "listen");
    const open = failure(call("subscriptions/listen"));
    await call("anything");
    await kill();
    expect(await open).toMatchObject({ code: "ERR_MCP_TRANSPORT_CLOSED" });
    const again = failure(call("subscriptions/listen"));
    await call("anything");
    await kill();
    expect(await again).not.toBe(await open);
  });

  test("restart: false makes its end that of the connection", async () => {
    const { connection, call, diagnostics } = start("never", false);
    const lost = await failure(call("lost", { die: true }));
    expect(await connection.closed).toBe(lost);
    expect(await failure(call("later"))).toBe(lost);
    expect(diagnostics).toEqual([]);
  });

  test("T-15 one that pollutes its output is not started again", async () => {
    const { connection, call } = start("polluted", true, "pollute");
    const lost = await failure(call("lost"));
    expect(await connection.closed).toBe(lost);
    expect(await failure(call("later"))).toBe(lost);
  });
});
