import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import {
  createContext,
  createInbox,
  createMeta,
  refusal,
  send,
  type CallSettings,
} from "../../test/calls.ts";
import type { LoggingLevel } from "../protocol/deprecated/logging.ts";
import { LOGGING_LEVELS } from "../protocol/deprecated/logging.ts";
import type { ServerNotification } from "../protocol/notifications.ts";
import type { Context } from "./context.ts";
import { createServer } from "./create-server.ts";

const INFO = { name: "test", version: "1.0.0" };

type Handler = (ctx: Context) => string | Promise<string>;

/** Runs one handler; what was sent before the result, and what was reported. */
async function run(handler: Handler, meta: CallSettings["meta"] = {}) {
  const faults: unknown[] = [];
  const sent: unknown[] = [];
  const server = createServer(INFO, { onError: (error) => faults.push(error) }).tool(
    "t",
    {},
    (_args, ctx) => handler(ctx),
  );
  const notify = (notification: ServerNotification) => {
    sent.push(notification.params);
    return Promise.resolve();
  };
  const result = await send(server, "tools/call", { name: "t" }, { meta, notify });
  sent.push(result["isError"] ?? "result");
  return { sent, faults };
}

const withToken = (progressToken: string | number) => ({ progressToken });

describe("progress", () => {
  test("PROG-05 PROG-07 PROG-12 every value that grows is sent, before the result", async () => {
    const { sent, faults } = await run(async ({ progress }) => {
      await progress(0);
      await progress(0.5, 2);
      await progress(2, 2, "done");
      return "x";
    }, withToken("token"));
    expect(sent).toEqual([
      { progressToken: "token", progress: 0 },
      { progressToken: "token", progress: 0.5, total: 2 },
      { progressToken: "token", progress: 2, total: 2, message: "done" },
      "result",
    ]);
    expect(faults).toEqual([]);
  });

  test.each([0, "", "0", 2 ** 53 - 1])(
    "BR-071 PROG-09 the token %j is used as it is",
    async (token) => {
      const { sent } = await run((ctx) => ctx.progress(1).then(() => "x"), withToken(token));
      expect(sent).toEqual([{ progressToken: token, progress: 1 }, "result"]);
    },
  );

  test("BR-071 PROG-10 without a token nothing is sent", async () => {
    const { sent } = await run((ctx) => ctx.progress(1).then(() => "x"));
    expect(sent).toEqual(["result"]);
  });

  test("PROG-06 T-53 a value that does not grow is not sent, but reported", async () => {
    const { sent, faults } = await run(async (ctx) => {
      for (const value of [5, 5, 4, -1, 6]) await ctx.progress(value);
      return "x";
    }, withToken(1));
    expect(sent).toEqual([
      { progressToken: 1, progress: 5 },
      { progressToken: 1, progress: 6 },
      "result",
    ]);
    expect(faults.map(String)).toEqual([
      "RangeError: progress must grow, not reported: 5 after 5",
      "RangeError: progress must grow, not reported: 4 after 5",
      "RangeError: progress must grow, not reported: -1 after 5",
    ]);
  });

  test.each([
    ["NaN", [Number.NaN]],
    ["an infinite value", [Number.POSITIVE_INFINITY]],
    ["a text", ["5"]],
    ["an infinite total", [1, Number.NEGATIVE_INFINITY]],
    ["a message that is no text", [1, 2, {}]],
  ])("T-53 %s is a mistake of the handler", async (_title, values) => {
    const misuse = vi.fn<(error: unknown) => void>();
    await run((ctx) => {
      try {
        void Reflect.apply(ctx.progress, undefined, values);
      } catch (error) {
        misuse(error);
      }
      return "x";
    }, withToken(1));
    expect(misuse.mock.calls).toEqual([[expect.any(TypeError)]]);
  });

  test("PROG-15 nothing is sent after the result", async () => {
    let late: Context["progress"] | undefined;
    const { sent } = await run((ctx) => {
      late = ctx.progress;
      return "x";
    }, withToken(1));
    await late?.(1);
    expect(sent).toEqual(["result"]);
  });

  test("META-22 progress and log messages do not carry a subscription", async () => {
    const { received, notify } = createInbox();
    const server = createServer(INFO).tool("t", {}, async (_args, { log, progress }) => {
      await progress(1);
      await log.info("x");
      return "x";
    });
    const meta = { ...withToken(1), logLevel: "info" } as const;
    await send(server, "tools/call", { name: "t" }, { meta, notify });
    expect(received).toStrictEqual([
      { method: "notifications/progress", params: { progressToken: 1, progress: 1 } },
      { method: "notifications/message", params: { level: "info", data: "x" } },
    ]);
  });
});

describe("the rate of progress", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("PROG-14 T-53 of a flood ten values are sent at once, and the last one before the result", async () => {
    const { sent } = await run((ctx) => {
      for (let value = 1; value <= 1_000; value++) void ctx.progress(value);
      return "x";
    }, withToken(1));
    expect(
      sent.map((params) =>
        params === "result" ? params : Reflect.get(params as object, "progress"),
      ),
    ).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1_000, "result"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("PROG-14 T-53 then there are ten a second, each the latest of its time", async () => {
    const inbox = createInbox();
    const server = createServer(INFO).tool("t", {}, async (_args, { progress }) => {
      for (let value = 1; value <= 200; value++) {
        void progress(value);
        await vi.advanceTimersByTimeAsync(10);
      }
      return "x";
    });
    await send(server, "tools/call", { name: "t" }, { meta: withToken(1), notify: inbox.notify });
    const values = inbox.received.map(({ params }) => Reflect.get(params ?? {}, "progress"));
    expect(values.slice(0, 10)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    // Two seconds are twenty more, and the last value.
    expect(values.length).toBeGreaterThanOrEqual(29);
    expect(values.length).toBeLessThanOrEqual(31);
    expect(values).toEqual(values.toSorted((a, b) => a - b));
    expect(values.at(-1)).toBe(200);
    await server.close();
  });
});

describe("log", () => {
  const logAll: Handler = async ({ log }) => {
    for (const level of LOGGING_LEVELS) await log[level](level);
    return "x";
  };

  test("LOG-06 CHG-07 a client that did not ask gets no message", async () => {
    expect((await run(logAll)).sent).toEqual(["result"]);
  });

  test.each(LOGGING_LEVELS.map((level) => [level] as [LoggingLevel]))(
    "LOG-04 LOG-07 LOG-09 a client that asked for %s gets that level and those above, before the result",
    async (logLevel) => {
      const { sent } = await run(logAll, { logLevel });
      const expected = LOGGING_LEVELS.slice(LOGGING_LEVELS.indexOf(logLevel));
      expect(sent).toEqual([...expected.map((level) => ({ level, data: level })), "result"]);
    },
  );

  test("LOG-09 LOG-13 data is any JSON and the logger has a name", async () => {
    const { sent } = await run(
      async ({ log }) => {
        await log.info({ rows: [1, null] }, "db");
        return "x";
      },
      { logLevel: "debug" },
    );
    expect(sent).toEqual([{ level: "info", data: { rows: [1, null] }, logger: "db" }, "result"]);
  });

  test("an object of any type can be logged, an Error is refused by the compiler", async () => {
    interface Row {
      readonly id: number;
    }
    const row: Row = { id: 1 };
    const { sent } = await run(
      async ({ log }) => {
        await log.info(row);
        // @ts-expect-error nothing would be left of it
        await log.info(new Error("x"));
        return "x";
      },
      { logLevel: "info" },
    );
    expect(sent[0]).toEqual({ level: "info", data: { id: 1 } });
  });

  test("LOG-11 LOG-19 T-53 a flood is cut after ten messages, and the number of the others said", async () => {
    const { sent } = await run(
      ({ log }) => {
        for (let index = 0; index < 500; index++) void log.error(index);
        return "x";
      },
      { logLevel: "error" },
    );
    expect(sent.slice(0, 10)).toEqual(
      Array.from({ length: 10 }, (_, data) => ({ level: "error", data })),
    );
    expect(sent.slice(10)).toEqual([
      { level: "error", data: { droppedLogMessages: 490 } },
      "result",
    ]);
  });

  test("LOG-08 LOG-06 one call's level says nothing for another", async () => {
    const inboxes = [createInbox(), createInbox()] as const;
    const server = createServer(INFO).tool("t", {}, async (_args, { log }) => {
      await log.info("x");
      return "x";
    });
    const [asked, silent] = inboxes;
    await Promise.all([
      send(
        server,
        "tools/call",
        { name: "t" },
        { meta: { logLevel: "info" }, notify: asked.notify },
      ),
      send(server, "tools/call", { name: "t" }, { notify: silent.notify }),
    ]);
    expect(asked.received).toHaveLength(1);
    expect(silent.received).toEqual([]);
  });

  test.each([[undefined], [() => 1], [Symbol("x")]])(
    "data that is no JSON is a mistake of the handler: %s",
    async (data) => {
      const misuse = vi.fn<(error: unknown) => void>();
      await run(
        ({ log }) => {
          try {
            void log.info(data as unknown as string);
          } catch (error) {
            misuse(error);
          }
          return "x";
        },
        { logLevel: "debug" },
      );
      expect(misuse.mock.calls).toEqual([[new TypeError("log: the data is not JSON")]]);
    },
  );

  test("LOG-16 LOG-17 LOG-18 the server itself tells the client's log nothing, not even of a fault", async () => {
    const inbox = createInbox();
    const server = createServer(INFO, { onError: () => undefined }).tool("t", {}, () => {
      throw new Error("canary");
    });
    const settings = { meta: { logLevel: "debug" } as const, notify: inbox.notify };
    await send(server, "tools/call", { name: "t", arguments: { token: "canary" } }, settings);
    await refusal(server, "tools/call", { name: "t" }, settings);
    expect(inbox.received).toEqual([]);
  });

  test("LOG-07 nothing is sent after the result", async () => {
    let late: Context["log"] | undefined;
    const { sent } = await run(
      ({ log }) => {
        late = log;
        return "x";
      },
      { logLevel: "debug" },
    );
    await late?.error("x");
    expect(sent).toEqual(["result"]);
  });

  test("T-11 a transport that cannot send is reported, and the handler goes on", async () => {
    const faults: unknown[] = [];
    const server = createServer(INFO, { onError: (error) => faults.push(error) }).tool(
      "t",
      {},
      async (_args, ctx) => {
        await ctx.log.info("x");
        await ctx.progress(1);
        return "done";
      },
    );
    const settings = { meta: { logLevel: "debug", progressToken: 1 } as const };
    const later = { ...settings, notify: () => Promise.reject(new Error("closed")) };
    const atOnce = {
      ...settings,
      notify: () => {
        throw new Error("closed");
      },
    };
    for (const setting of [later, atOnce]) {
      expect(await send(server, "tools/call", { name: "t" }, setting)).toMatchObject({
        content: [{ type: "text", text: "done" }],
      });
    }
    expect(faults).toEqual(Array.from({ length: 4 }, () => new Error("closed")));
  });
});

describe("signal", () => {
  const reason = new Error("client left");

  test("CANC-15 T-31 aborts with the reason of the transport, and nothing is sent afterwards", async () => {
    const controller = new AbortController();
    const inbox = createInbox();
    const faults: unknown[] = [];
    const seen: unknown[] = [];
    const server = createServer(INFO, { onError: (error) => faults.push(error) }).tool(
      "t",
      {},
      async (_args, { signal, progress, log }) => {
        controller.abort(reason);
        seen.push(signal.aborted, signal.reason);
        await progress(1);
        await log.error("x");
        signal.throwIfAborted();
        return "x";
      },
    );
    const call = send(
      server,
      "tools/call",
      { name: "t" },
      {
        signal: controller.signal,
        notify: inbox.notify,
        meta: { logLevel: "debug", progressToken: 1 },
      },
    );
    await expect(call).rejects.toBe(reason);
    expect(seen).toEqual([true, reason]);
    expect(inbox.received).toEqual([]);
    expect(faults).toEqual([]);
  });

  test("CANC-18 read after the abort it is aborted already", async () => {
    const seen: unknown[] = [];
    const server = createServer(INFO).tool("t", {}, (_args, ctx) => {
      seen.push(ctx.signal.reason);
      return "x";
    });
    await send(server, "tools/call", { name: "t" }, { signal: AbortSignal.abort(reason) });
    expect(seen).toEqual([reason]);
  });

  test("CANC-18 an abort after the result changes nothing, and leaves no listener", async () => {
    const controller = new AbortController();
    const add = vi.spyOn(controller.signal, "addEventListener");
    const remove = vi.spyOn(controller.signal, "removeEventListener");
    let seen: AbortSignal | undefined;
    const server = createServer(INFO).tool("t", {}, (_args, ctx) => {
      seen = ctx.signal;
      return "x";
    });
    await send(server, "tools/call", { name: "t" }, { signal: controller.signal });
    controller.abort(reason);
    expect(seen?.aborted).toBe(false);
    expect(remove.mock.calls.length).toBe(add.mock.calls.length);
  });

  test("T-11 an error after the abort that is no abort is still reported", async () => {
    const faults: unknown[] = [];
    const controller = new AbortController();
    const server = createServer(INFO, { onError: (error) => faults.push(error) }).tool(
      "t",
      {},
      async () => {
        controller.abort(reason);
        throw new Error("cleaning up failed");
      },
    );
    const call = send(server, "tools/call", { name: "t" }, { signal: controller.signal });
    await expect(call).rejects.toBe(reason);
    expect(faults).toEqual([new Error("cleaning up failed")]);
  });
});

describe("what a handler learns of its call", () => {
  test("META-15 META-23 STATE-01 client, principal, _meta and the call itself", async () => {
    let seen: Context | undefined;
    const server = createServer(INFO).tool("t", {}, (_args, ctx) => {
      seen = ctx;
      return "x";
    });
    const principal = { issuer: "i", clientId: "c", subject: "s" };
    const meta = {
      clientInfo: { name: "client", version: "2" },
      clientCapabilities: { sampling: {} },
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      raw: { "example.com/x": 1 },
    };
    await send(server, "tools/call", { name: "t" }, { meta, principal });
    expect(seen?.client).toEqual({ info: meta.clientInfo, capabilities: meta.clientCapabilities });
    expect(seen?.client).toBe(seen?.client);
    expect(seen?.principal).toEqual(principal);
    expect(seen?.meta).toEqual(createMeta(meta));
    expect(seen?.call).toEqual({
      method: "tools/call",
      params: { name: "t" },
      meta: createMeta(meta),
    });
    expect(seen?.round).toBe(0);
  });

  test("prompts, resources and completion get one as well", async () => {
    const seen: string[] = [];
    const note = (ctx: Context) => {
      seen.push(ctx.call.method);
      return "x";
    };
    const server = createServer(INFO)
      .prompt("p", {}, (_args, ctx) => note(ctx))
      .resource("a:b", {}, note)
      .resourceTemplate(
        "c:{d}",
        { complete: { d: (_value, _others, ctx) => [note(ctx)] } },
        (_v, ctx) => note(ctx),
      );
    await send(server, "prompts/get", { name: "p" });
    await send(server, "resources/read", { uri: "a:b" });
    await send(server, "resources/read", { uri: "c:d" });
    await send(server, "completion/complete", {
      ref: { type: "ref/resource", uri: "c:{d}" },
      argument: { name: "d", value: "" },
    });
    expect(seen).toEqual([
      "prompts/get",
      "resources/read",
      "resources/read",
      "completion/complete",
    ]);
  });

  test("XHDR-03 mirrored arguments can be read as text, whatever the transport", async () => {
    const properties = {
      region: { type: "string", "x-mcp-header": "Region" },
      dry: { type: "boolean", "x-mcp-header": "Dry-Run" },
      limits: { type: "object", properties: { max: { type: "integer", "x-mcp-header": "Max" } } },
    } as const;
    const names = ["region", "REGION", "dry-run", "max", "other", "constructor"];
    const server = createServer(INFO).tool(
      "t",
      { inputSchema: { type: "object", properties } },
      (_args, { header }) => JSON.stringify(names.map((name) => header(name) ?? null)),
    );
    const args = { region: "eu", dry: false, limits: { max: 5 } };
    const textOf = async (sent: object) => {
      const { content } = await send(server, "tools/call", { name: "t", arguments: sent as {} });
      return content;
    };
    expect(await textOf(args)).toEqual([
      { type: "text", text: '["eu","eu","false","5",null,null]' },
    ]);
    expect(await textOf({})).toEqual([{ type: "text", text: "[null,null,null,null,null,null]" }]);
  });

  test("members can be taken out of a context", async () => {
    const { sent } = await run(
      async ({ progress, log, signal, client, header, call, meta, round, principal }) => {
        const { info } = log;
        await info([signal.aborted, client.capabilities, header("x") ?? null, call.method, round]);
        await progress(1);
        return `${meta.protocolVersion} ${principal === undefined}`;
      },
      { logLevel: "info", progressToken: 1 },
    );
    expect(sent).toEqual([
      { level: "info", data: [false, {}, null, "tools/call", 0] },
      { progressToken: 1, progress: 1 },
      "result",
    ]);
  });
});

describe("isolation", () => {
  test("T-10 BR-027 STATE-02 1,000 calls at once never see each other", async () => {
    const server = createServer(INFO).tool(
      "t",
      { inputSchema: z.object({ canary: z.string() }) },
      async ({ canary }, ctx) => {
        await ctx.progress(1, 1, canary);
        await Promise.resolve();
        await ctx.log.info(canary);
        return `${canary} ${ctx.principal?.subject} ${ctx.call.meta.progressToken}`;
      },
    );
    const one = async (index: number) => {
      const canary = `canary-${index}`;
      const inbox = createInbox();
      const principal = { issuer: "i", clientId: "c", subject: `s${index % 64}` };
      const settings = {
        principal,
        notify: inbox.notify,
        meta: { progressToken: index, logLevel: "info" } as const,
      };
      const { content } = await send(
        server,
        "tools/call",
        { name: "t", arguments: { canary } },
        settings,
      );
      return [content, inbox.received];
    };
    const answers = await Promise.all(Array.from({ length: 1_000 }, (_, index) => one(index)));
    expect(answers).toEqual(
      Array.from({ length: 1_000 }, (_, index) => [
        [{ type: "text", text: `canary-${index} s${index % 64} ${index}` }],
        [
          {
            method: "notifications/progress",
            params: { progressToken: index, progress: 1, total: 1, message: `canary-${index}` },
          },
          { method: "notifications/message", params: { level: "info", data: `canary-${index}` } },
        ],
      ]),
    );
  });

  test("the transport's signal and notify are left alone unless the handler uses its own", async () => {
    const server = createServer(INFO)
      .tool("t", {}, () => "x")
      .tool("later", {}, async () => "x");
    const context = createContext();
    const untouched = new Proxy(context, {
      get: (target, name) => {
        if (name === "signal" || name === "notify") throw new Error(`${name} was read`);
        return Reflect.get(target, name);
      },
    });
    for (const name of ["t", "later"]) {
      const call = { method: "tools/call", params: { name }, meta: createMeta() };
      expect(await server.exchange(call, untouched)).toMatchObject({ resultType: "complete" });
    }
    await expect(refusal(server, "tools/call", { name: "none" })).resolves.toMatchObject({
      code: -32602,
    });
  });
});
