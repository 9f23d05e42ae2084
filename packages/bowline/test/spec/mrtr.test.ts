/** The input rounds of a server, rule by rule. */
import { afterEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import type { JsonObject } from "../../src/json/value.ts";
import { createServer } from "../../src/server/create-server.ts";
import { inputRequired } from "../../src/server/rounds/input-required.ts";
import type { Context } from "../../src/server/context.ts";
import type { RoundEvent } from "../../src/server/rounds/conversation-tools.ts";
import type { Server } from "../../src/server/server.ts";
import { createInbox, refusal, send } from "../calls.ts";
import {
  able,
  answersOf,
  converse,
  EVERYTHING,
  type Responder,
  textOf,
  toRound,
} from "../rounds.ts";

const INFO = { name: "rounds", version: "1.0.0" };
const NAME = z.object({ name: z.string() });
const CALL = { name: "ask", arguments: {} };
const ASK = { method: "tools/call", params: CALL };

type Handler = (ctx: Context) => Promise<string>;

interface Watched {
  readonly server: Server;
  readonly events: RoundEvent[];
  readonly errors: unknown[];
}

function watched(handler: Handler): Watched {
  const events: RoundEvent[] = [];
  const errors: unknown[] = [];
  const server = createServer(INFO, {
    serverInfo: false,
    onEvent: (event) => events.push(event),
    onError: (error) => errors.push(error),
  });
  server.tool("ask", {}, (_args, ctx) => handler(ctx));
  return { server, events, errors };
}

const asking = (handler: Handler): Server => watched(handler).server;

const accept = (content: JsonObject) => ({ action: "accept", content });
/** Says the last word of the question. */
const echo: Responder = (request) => {
  if (request.method !== "elicitation/create") return undefined;
  const { message } = request.params;
  return accept({ name: message.split(" ").at(-1) });
};

const ask = async (ctx: Context, message: string, key?: string): Promise<string> => {
  const answer = await ctx.elicit(message, NAME, { key });
  return answer.action === "accept" ? answer.content.name : answer.action;
};

const form = (message: string) => ({
  method: "elicitation/create",
  params: {
    mode: "form",
    message,
    requestedSchema: {
      type: "object",
      properties: { name: { type: "string" } },
      required: ["name"],
    },
  },
});

const messagesOf = (error: unknown[]): readonly string[] =>
  error.map((one) => (one instanceof Error ? one.message : String(one)));

const macrotask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

afterEach(() => {
  vi.useRealTimers();
});

describe("rule 1: a question is what the user saw", () => {
  test("an answer is used for that question alone, whatever stands where", async () => {
    let pass = 0;
    const server = asking(async (ctx) => {
      pass += 1;
      const both = [ask(ctx, "for a"), ask(ctx, "for b")];
      // Later passes ask in another order.
      if (pass > 1) {
        const [a, c] = [ask(ctx, "for c"), ask(ctx, "for a")];
        return `${await c} ${await a}`;
      }
      return (await Promise.all(both)).join(" ");
    });
    expect(await textOf(server, CALL, echo)).toBe("a c");
  });

  test("the same question twice is two questions", async () => {
    let count = 0;
    const server = asking(async (ctx) => {
      const first = await ask(ctx, "who");
      return `${first} ${await ask(ctx, "who")}`;
    });
    const respond: Responder = () => accept({ name: String(++count) });
    expect(await textOf(server, CALL, respond)).toBe("1 2");
  });

  test("MRTR-33 an answer for a question of other words is not used", async () => {
    const server = asking(async (ctx) => ask(ctx, `round ${ctx.round < 2 ? ctx.round : 2}`));
    const { result, rounds } = await converse(server, ASK, echo);
    expect(rounds.map(({ inputRequests }) => inputRequests)).toEqual([
      { "elicit-1": form("round 0") },
      { "elicit-2": form("round 1") },
      { "elicit-3": form("round 2") },
    ]);
    expect(result["content"]).toEqual([{ type: "text", text: "2" }]);
  });
});

describe("rule 2: asking", () => {
  test("MRTR-03 MRTR-04 MRTR-06 MRTR-10 MRTR-13 MRTR-14 ELIC-12 ELIC-13 ELIC-16 the question goes out as it was put", async () => {
    const server = asking((ctx) => ask(ctx, "Your name?"));
    const result = await send(server, "tools/call", CALL, able({}));
    const { requestState } = toRound(result);
    expect(result).toEqual({
      resultType: "input_required",
      inputRequests: { "elicit-1": form("Your name?") },
      requestState,
    });
  });

  test("MRTR-34 ELIC-67 T-44 a wrong answer is asked for again with what was wrong, three times", async () => {
    const server = asking((ctx) => ask(ctx, "Your name?"));
    const error = await converse(server, ASK, () => accept({ name: 1 })).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({
      rpcCode: -32602,
      message: expect.stringMatching(/^no fitting answer after 3 attempts\n- \/name: /),
    });
    const asked: string[] = [];
    const text = await textOf(server, CALL, (request, key) => {
      asked.push(`${key} ${JSON.stringify(request.params).includes("- /name: ")}`);
      return accept({ name: asked.length < 3 ? 1 : "Ann" });
    });
    expect(asked).toEqual(["elicit-1 false", "elicit-2 true", "elicit-3 true"]);
    expect(text).toBe("Ann");
  });

  test("attempts says how often", async () => {
    let asked = 0;
    const server = asking(async (ctx) => {
      const answer = await ctx.elicit("Your name?", NAME, { attempts: 1 });
      return answer.action;
    });
    const respond: Responder = () => {
      asked += 1;
      return accept({});
    };
    await expect(converse(server, ASK, respond)).rejects.toMatchObject({ rpcCode: -32602 });
    expect(asked).toBe(1);
  });

  test("a handler that goes on without an answer that never fitted goes the same way in the next pass", async () => {
    const server = asking(async (ctx) => {
      const first = await ctx.elicit("Age?", z.object({ age: z.int() }), { attempts: 2 }).then(
        ({ action }) => action,
        (error: unknown) => (error instanceof Error ? error.message : ""),
      );
      return `${first} | ${await ask(ctx, "for b")}`;
    });
    const keys: string[] = [];
    const text = await textOf(server, CALL, (request, key, round) => {
      keys.push(key);
      return round < 2 ? accept({ age: "x" }) : echo(request, key, round);
    });
    expect(keys).toEqual(["elicit-1", "elicit-2", "elicit-3"]);
    expect(text).toMatch(/^no fitting answer after 2 attempts\n- \/age: [^|]+ \| b$/);
  });

  test.each<[object, string]>([
    [{ attempts: 0 }, "elicit: attempts is not a whole number from 1 to 10"],
    [{ attempts: 11 }, "elicit: attempts is not a whole number from 1 to 10"],
    [{ attempts: 1.5 }, "elicit: attempts is not a whole number from 1 to 10"],
    [{ timeoutMs: 0 }, "elicit: timeoutMs is not a whole number from 1 to 9007199254740991"],
  ])("%j is refused", async (options, message) => {
    const { errors, server } = watched(
      async (ctx) => (await ctx.elicit("?", NAME, options)).action,
    );
    expect(await refusal(server, "tools/call", CALL, able({}))).toMatchObject({ code: -32603 });
    expect(messagesOf(errors)).toEqual([message]);
  });

  test.each([
    ["nothing", undefined],
    ["no object", 12345],
    ["no action", { content: { name: "Ann" } }],
    ["an unknown action", { action: "maybe" }],
    ["no content", { action: "accept" }],
  ])("MRTR-34 MRTR-37 T-44 an answer with %s never goes on", async (_what, response) => {
    const server = asking((ctx) => ask(ctx, "Your name?"));
    const { requestState } = toRound(await send(server, "tools/call", CALL, able({})));
    const inputResponses = response === undefined ? {} : { "elicit-1": response };
    const params = { ...CALL, requestState, inputResponses };
    const again = await send(server, "tools/call", params, able({}));
    expect(again["resultType"]).toBe("input_required");
  });

  test.each([
    ["null", null],
    ["a list", []],
    ["a text", "x"],
  ])("MRTR-34 inputResponses that are %s are refused", async (_what, inputResponses) => {
    const server = asking((ctx) => ask(ctx, "Your name?"));
    expect(await refusal(server, "tools/call", { ...CALL, inputResponses }, able({}))).toEqual({
      code: -32602,
      message: "params.inputResponses is not an object",
    });
  });

  test("MRTR-37 a missing answer is asked for again under its old key", async () => {
    const server = asking(async (ctx) => {
      const names = await Promise.all([ask(ctx, "for a"), ask(ctx, "for b")]);
      return names.join(" ");
    });
    const seen: string[][] = [];
    const text = await textOf(server, CALL, (request, key, round) => {
      (seen[round] ??= []).push(key);
      return round === 0 && key === "elicit-1" ? undefined : echo(request, key, round);
    });
    expect(seen).toEqual([["elicit-1", "elicit-2"], ["elicit-1"]]);
    expect(text).toBe("a b");
  });

  test("MRTR-36 answers nobody asked for are left alone, and told", async () => {
    const { events, server } = watched((ctx) => ask(ctx, "for a"));
    const asked = toRound(await send(server, "tools/call", CALL, able({})));
    const inputResponses = { ...answersOf(asked, echo), other: { action: "accept" } };
    const params = { ...CALL, requestState: asked.requestState, inputResponses };
    const result = await send(server, "tools/call", params, able({}));
    expect(result["content"]).toEqual([{ type: "text", text: "a" }]);
    expect(events).toEqual([{ type: "answer-unused", method: "tools/call", key: "other" }]);
  });

  test("a named question may be answered with the first request", async () => {
    const server = asking((ctx) => ask(ctx, "for a", "who"));
    const inputResponses = { who: accept({ name: "Ann" }) };
    const result = await send(server, "tools/call", { ...CALL, inputResponses }, able({}));
    expect(result["content"]).toEqual([{ type: "text", text: "Ann" }]);
  });

  test.each([
    [{ action: "decline" }, "decline"],
    [{ action: "cancel" }, "cancel"],
    [{ action: "decline", content: { name: 1 } }, "decline"],
  ])("ELIC-36 ELIC-37 %j is a value, not an error", async (response, text) => {
    const server = asking((ctx) => ask(ctx, "Your name?"));
    expect(await textOf(server, CALL, () => response)).toBe(text);
  });

  test("a question without fields asks for consent", async () => {
    const server = asking(async (ctx) => (await ctx.elicit("Sure?")).action);
    const { result, rounds } = await converse(server, ASK, () => ({ action: "accept" }));
    expect(rounds.map(({ inputRequests }) => inputRequests)).toEqual([
      {
        "elicit-1": {
          method: "elicitation/create",
          params: {
            mode: "form",
            message: "Sure?",
            requestedSchema: { type: "object", properties: {} },
          },
        },
      },
    ]);
    expect(result["content"]).toEqual([{ type: "text", text: "accept" }]);
  });

  test("ELIC-25 ELIC-26 ELIC-33 T-47 a page is asked to be opened, and accept says no more", async () => {
    const url = "https://shop.example/pay?for=7";
    const server = asking(async (ctx) =>
      JSON.stringify(await ctx.elicitUrl("Pay there", url, { key: "pay" })),
    );
    const { result, rounds } = await converse(server, ASK, () => accept({ stray: 1 }));
    expect(rounds[0]?.inputRequests).toEqual({
      pay: { method: "elicitation/create", params: { mode: "url", message: "Pay there", url } },
    });
    expect(result["content"]).toEqual([{ type: "text", text: '{"action":"accept"}' }]);
  });

  test.each([
    ["nothing absolute", "/pay", '"/pay" is not an absolute URL'],
    ["a script", "javascript:alert(1)", "the URL has to be https:"],
    ["a file", "file:///etc/passwd", "the URL has to be https:"],
    ["plain http elsewhere", "http://shop.example/", "the URL has to be https:"],
    ["credentials", "https://me:secret@shop.example/", "a URL with user name or password"],
  ])("ELIC-26 ELIC-52 ELIC-53 ELIC-55 T-47 %s is no URL to open", async (_what, url, reason) => {
    const { errors, server } = watched(async (ctx) => (await ctx.elicitUrl("Go", url)).action);
    expect(await refusal(server, "tools/call", CALL, able({}))).toMatchObject({ code: -32603 });
    expect(messagesOf(errors)).toEqual([expect.stringContaining(`elicitUrl: ${reason}`)]);
  });

  test("ELIC-26 this very machine may be http", async () => {
    const server = asking(async (ctx) => (await ctx.elicitUrl("Go", "http://localhost:1/")).action);
    expect(await textOf(server, CALL, () => ({ action: "accept" }))).toBe("accept");
  });

  test.each(["password", "apiKey", "access_token", "credit card number", "newPassphrase"])(
    "ELIC-01 ELIC-02 a form that asks for %s is refused",
    async (field) => {
      const { errors, server } = watched(async (ctx) => {
        const answer = await ctx.elicit("Sign in", z.object({ [field]: z.string() }));
        return answer.action;
      });
      expect(await refusal(server, "tools/call", CALL, able({}))).toMatchObject({ code: -32603 });
      const what = `elicit: the field ${JSON.stringify(field)} asks for a secret`;
      expect(messagesOf(errors)).toEqual([`${what}: use elicitUrl, never a form`]);
    },
  );

  test("ELIC-17 a schema that no form can say is refused with the reason", async () => {
    const { errors, server } = watched(async (ctx) => {
      const nested = z.object({ inner: z.object({ a: z.string() }) });
      // @ts-expect-error -- nothing nested
      return (await ctx.elicit("?", nested)).action;
    });
    expect(await refusal(server, "tools/call", CALL, able({}))).toMatchObject({ code: -32603 });
    expect(messagesOf(errors)).toEqual([
      'elicit: schema: field "inner": a form is flat: put the fields of the object beside the others',
    ]);
  });
});

describe("rule 3: the pause", () => {
  test("MRTR-11 whatever can be asked before it joins one round, however many awaits deep", async () => {
    const deep = async (ctx: Context, depth: number): Promise<string> => {
      await Promise.resolve();
      return depth === 0 ? ask(ctx, "for deep") : deep(ctx, depth - 1);
    };
    const server = asking(async (ctx) => {
      const step = ctx.step("load", async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return "loaded";
      });
      const names = await Promise.all([
        ask(ctx, "for a"),
        deep(ctx, 50),
        step.then((loaded) => ask(ctx, `for ${loaded}`)),
      ]);
      return names.join(" ");
    });
    const { result, rounds } = await converse(server, ASK, echo);
    expect(rounds.map(({ inputRequests }) => Object.keys(inputRequests))).toEqual([
      ["elicit-1", "elicit-2", "elicit-3"],
    ]);
    expect(result["content"]).toEqual([{ type: "text", text: "a deep loaded" }]);
  });

  test("a branch that waits for something else asks in a later round", async () => {
    let arrive: (() => void) | undefined;
    const server = asking(async (ctx) => {
      const slow = new Promise<void>((resolve) => {
        arrive = resolve;
        if (ctx.round > 0) resolve();
      });
      const names = await Promise.all([ask(ctx, "for a"), slow.then(() => ask(ctx, "for b"))]);
      return names.join(" ");
    });
    const { result, rounds } = await converse(server, ASK, echo);
    arrive?.();
    expect(rounds.map(({ inputRequests }) => Object.keys(inputRequests))).toEqual([
      ["elicit-1"],
      ["elicit-2"],
    ]);
    expect(result["content"]).toEqual([{ type: "text", text: "a b" }]);
  });

  test("fake timers of an author do not stop it", async () => {
    const server = asking((ctx) => ask(ctx, "for a"));
    vi.useFakeTimers();
    expect(await textOf(server, CALL, echo)).toBe("a");
  });
});

describe("rule 4: after a pause nothing goes on", () => {
  test("no catch, no finally, no race and no fallback runs before the answer is there", async () => {
    const ran: string[] = [];
    const server = asking(async (ctx) => {
      try {
        const question = ask(ctx, "for a");
        void Promise.allSettled([question]).then(() => ran.push(`settled ${ctx.round}`));
        const name = await Promise.race([
          question.catch(() => "fallback"),
          new Promise<never>(() => {}),
        ]);
        ran.push(`named ${ctx.round}`);
        return name;
      } catch {
        ran.push("caught");
        return "caught";
      } finally {
        ran.push(`finally ${ctx.round}`);
      }
    });
    expect(await textOf(server, CALL, echo)).toBe("a");
    expect(ran).toEqual(["settled 1", "named 1", "finally 1"]);
  });

  test("the signal is not aborted by a pause, and what was waited for may still come", async () => {
    const signals: AbortSignal[] = [];
    let wake: ((value: string) => void) | undefined;
    const server = asking(async (ctx) => {
      signals.push(ctx.signal);
      const left = new Promise<string>((resolve) => {
        wake ??= resolve;
      });
      return Promise.race([ask(ctx, "for a"), left]);
    });
    expect(await textOf(server, CALL, echo)).toBe("a");
    wake?.("late");
    await Promise.resolve();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
  });

  test("what a handler does later with its context is nothing", async () => {
    let later: Context | undefined;
    const { notify, received } = createInbox();
    const server = asking(async (ctx) => {
      later ??= ctx;
      return ask(ctx, "for a");
    });
    const meta = { progressToken: 1, logLevel: "debug" as const, clientCapabilities: EVERYTHING };
    await send(server, "tools/call", CALL, { notify, meta });
    await later?.progress(1);
    await later?.log.info("late");
    const asked = later?.elicit("again?");
    const settled = vi.fn<() => void>();
    void asked?.then(settled, settled);
    await new Promise((resolve) => setImmediate(resolve));
    expect(received).toEqual([]);
    expect(settled).not.toHaveBeenCalled();
  });

  test("deferred functions run backwards before the answer goes out, at the end as well", async () => {
    const ran: string[] = [];
    const { errors, server } = watched(async (ctx) => {
      ctx.defer(() => void ran.push(`first ${ctx.round}`));
      ctx.defer(async () => {
        await Promise.resolve();
        ran.push(`second ${ctx.round}`);
        throw new Error("not released");
      });
      const name = await ask(ctx, "for a");
      ran.push("named");
      return name;
    });
    const asked = toRound(await send(server, "tools/call", CALL, able({})));
    expect(ran).toEqual(["second 0", "first 0"]);
    const params = {
      ...CALL,
      requestState: asked.requestState,
      inputResponses: answersOf(asked, echo),
    };
    await send(server, "tools/call", params, able({}));
    expect(ran).toEqual(["second 0", "first 0", "named", "second 1", "first 1"]);
    expect(messagesOf(errors)).toEqual(["not released", "not released"]);
  });

  test("deferred functions run where a handler fails", async () => {
    const ran: string[] = [];
    const server = asking(async (ctx) => {
      ctx.defer(() => void ran.push("released"));
      await Promise.resolve();
      throw new Error("broken");
    });
    await refusal(server, "tools/call", CALL);
    expect(ran).toEqual(["released"]);
  });

  test("T-44 what is too much fails the call alone, however long deferred functions run", async () => {
    const { errors, server } = watched(async (ctx) => {
      ctx.defer(async () => {
        for (let turn = 0; turn < 20; turn += 1) await macrotask();
      });
      await ask(ctx, "for a");
      return ask(ctx, "for b");
    });
    const refused = converse(server, ASK, () => accept({ name: "x".repeat(60_000) }));
    await expect(refused).rejects.toMatchObject({ rpcCode: -32603 });
    expect(messagesOf(errors)).toEqual([
      expect.stringContaining("the largest part is answer 1 with 60"),
    ]);
  });

  test("a deferred function that never ends keeps the answer for 5 seconds, and is told", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { errors, server } = watched(async (ctx) => {
      ctx.defer(() => new Promise(() => {}));
      await macrotask();
      return "done";
    });
    const answered = send(server, "tools/call", CALL, able({}));
    await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await answered).toEqual({
      resultType: "complete",
      content: [{ type: "text", text: "done" }],
    });
    expect(messagesOf(errors)).toEqual(["deferred functions take longer than 5000 ms"]);
  });

  test("a handler that something else wakes after its pause is nobody's answer", async () => {
    let wake: (value: string) => void = () => {};
    const { errors, server } = watched(async (ctx) => {
      const left = new Promise<string>((resolve) => {
        wake = resolve;
      });
      ctx.defer(async () => {
        wake("late");
        for (let turn = 0; turn < 5; turn += 1) await macrotask();
      });
      return Promise.race([ask(ctx, "for a"), left]);
    });
    const result = await send(server, "tools/call", CALL, able({}));
    expect(toRound(result).inputRequests).toEqual({ "elicit-1": form("for a") });
    expect(errors).toEqual([]);
  });

  test("and where it throws then, that is told alone", async () => {
    let wake: (reason: unknown) => void = () => {};
    const { errors, server } = watched(async (ctx) => {
      const left = new Promise<string>((_resolve, reject) => {
        wake = reject;
      });
      ctx.defer(async () => {
        wake(new Error("late"));
        for (let turn = 0; turn < 5; turn += 1) await macrotask();
      });
      return Promise.race([ask(ctx, "for a"), left]);
    });
    const result = await send(server, "tools/call", CALL, able({}));
    expect(toRound(result).inputRequests).toEqual({ "elicit-1": form("for a") });
    expect(messagesOf(errors)).toEqual(["late"]);
  });

  test("cancellation rejects an open question with the signal's reason", async () => {
    const reason = new Error("nobody waits");
    const client = new AbortController();
    const caught: unknown[] = [];
    const server = asking(async (ctx) => {
      const step = ctx.step("wait", () => {
        client.abort(reason);
        return 1;
      });
      await Promise.all([
        step,
        ask(ctx, "for a").catch((error: unknown) => {
          caught.push(error);
          throw error;
        }),
      ]);
      return "";
    });
    const answered = send(server, "tools/call", CALL, able({ signal: client.signal }));
    await expect(answered).rejects.toBe(reason);
    expect(caught).toEqual([reason]);
  });
});

describe("rule 5: deciding first", () => {
  const DROPPED = { type: "question-dropped", method: "tools/call", key: "who" };
  const DECIDED = { resultType: "complete", content: [{ type: "text", text: "decided" }] };

  test("a handler that returns has decided, and its question is dropped", async () => {
    const { events, server } = watched(async (ctx) => {
      void ask(ctx, "for a", "who");
      return "decided";
    });
    expect(await send(server, "tools/call", CALL, able({}))).toEqual(DECIDED);
    await vi.waitFor(() => expect(events).toEqual([DROPPED]));
  });

  test("and one that was open already", async () => {
    const { events, server } = watched(async (ctx) => {
      void ask(ctx, "for a", "who");
      await ctx.step("wait", () => new Promise<void>((resolve) => setTimeout(resolve, 20)));
      return "decided";
    });
    expect(await send(server, "tools/call", CALL, able({}))).toEqual(DECIDED);
    expect(events).toEqual([DROPPED]);
  });

  test("one that is not asynchronous as well", async () => {
    const server = createServer(INFO, { serverInfo: false }).tool("ask", {}, (_args, ctx) => {
      void ctx.elicit("Sure?");
      return "decided";
    });
    const result = await send(server, "tools/call", CALL, able({}));
    expect(result).toEqual({
      resultType: "complete",
      content: [{ type: "text", text: "decided" }],
    });
  });

  test("and that stands however long its result is checked", async () => {
    const slow = z.string().refine(async () => {
      for (let turn = 0; turn < 5; turn += 1) {
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      return true;
    });
    const events: RoundEvent[] = [];
    const server = createServer(INFO, {
      serverInfo: false,
      onEvent: (event) => events.push(event),
    }).tool("ask", { outputSchema: z.object({ a: slow }) }, async (_args, ctx) => {
      void ctx.elicit("Sure?", undefined, { key: "who" });
      return { a: "decided" };
    });
    const result = await send(server, "tools/call", CALL, able({}));
    expect([result["resultType"], result["structuredContent"]]).toEqual([
      "complete",
      { a: "decided" },
    ]);
    expect(events).toEqual([DROPPED]);
  });

  test("one that throws is answered with its error", async () => {
    const { server } = watched(async (ctx) => {
      void ask(ctx, "for a");
      await Promise.resolve();
      throw new Error("broken");
    });
    expect(await refusal(server, "tools/call", CALL, able({}))).toMatchObject({ code: -32603 });
  });
});

describe("rule 6: steps", () => {
  test("each runs once on the path, and its id is the same in every round", async () => {
    const ran: string[] = [];
    const server = asking(async (ctx) => {
      const first = await ctx.step("first", ({ id }) => {
        ran.push("first");
        return id;
      });
      const name = await ask(ctx, "for a");
      const second = await ctx.step("second", ({ id }) => {
        ran.push("second");
        return id;
      });
      await ask(ctx, "for b");
      return `${name} ${first === second.replace("second", "first")} ${first.length > 20}`;
    });
    expect(await textOf(server, CALL, echo)).toBe("a true true");
    expect(ran).toEqual(["first", "second"]);
  });

  test("what it returns is the same on the first run and on every replay, and a copy", async () => {
    const seen: unknown[] = [];
    const server = asking(async (ctx) => {
      const value = await ctx.step("value", () => ({ a: [1, -0, { b: undefined, c: "x" }] }));
      seen.push(structuredClone(value));
      value.a.length = 0;
      await ask(ctx, "for a");
      await ask(ctx, "for b");
      return "";
    });
    await textOf(server, CALL, echo);
    const first = { a: [1, 0, { c: "x" }] };
    expect(seen).toEqual([first, first, first]);
  });

  test("it may return nothing", async () => {
    const server = asking(async (ctx) => {
      const value = await ctx.step("nothing", () => {});
      await ask(ctx, "for a");
      return String(value);
    });
    expect(await textOf(server, CALL, echo)).toBe("undefined");
  });

  class Money {
    readonly amount = 1;
  }
  const cyclic: { self?: unknown } = {};
  cyclic.self = cyclic;
  test.each([
    ["a Date", () => new Date(), "an instance of Date is not kept by JSON: return plain data"],
    [
      "an instance",
      () => new Money(),
      "an instance of Money is not kept by JSON: return plain data",
    ],
    ["a symbol", () => Symbol("a"), "a symbol is not kept by JSON"],
    ["Infinity", () => ({ a: [Infinity] }), 'step "bad".a[0]: Infinity is not kept by JSON'],
    ["a hole", () => Array(1), 'step "bad"[0]: undefined is not kept by JSON'],
    ["a Map", () => new Map(), "an instance of Map is not kept by JSON: return plain data"],
    ["a function", () => () => 1, "a function is not kept by JSON"],
    ["a bigint", () => 1n, "a bigint is not kept by JSON"],
    ["NaN", () => Number.NaN, "NaN is not kept by JSON"],
    ["a circle", () => cyclic, "the value holds itself"],
  ])("%s is refused where it is returned", async (_what, value, reason) => {
    const { errors, server } = watched(async (ctx) => {
      await ctx.step<unknown>("bad", value);
      return "";
    });
    expect(await refusal(server, "tools/call", CALL, able({}))).toMatchObject({ code: -32603 });
    expect(messagesOf(errors)).toEqual([expect.stringMatching(/^step "bad"/)]);
    expect(messagesOf(errors)[0]).toContain(reason);
  });

  test("a name is used once in a pass", async () => {
    const { errors, server } = watched(async (ctx) => {
      await ctx.step("once", () => 1);
      return String(await ctx.step("once", () => 2));
    });
    await refusal(server, "tools/call", CALL, able({}));
    expect(messagesOf(errors)).toEqual(['step: the name "once" is used twice in one pass']);
  });

  test("a failing step is not kept", async () => {
    let runs = 0;
    const server = asking(async (ctx) => {
      const load = async (): Promise<string> =>
        ctx.step("load", () => {
          runs += 1;
          if (runs === 1) throw new Error("not yet");
          return "loaded";
        });
      const loaded = await load().catch(() => "failed");
      return `${loaded} ${await ask(ctx, "for a")}`;
    });
    expect(await textOf(server, CALL, echo)).toBe("loaded a");
    expect(runs).toBe(2);
  });

  test("one that fails after the pause wakes nobody, and is told", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const ran: string[] = [];
    let fail: (reason: unknown) => void = () => {};
    const { errors, server } = watched(async (ctx) => {
      const step = ctx.step("slow", () => {
        return new Promise<string>((_resolve, reject) => {
          fail = reject;
        });
      });
      const caught = step.catch(() => ran.push("caught"));
      await Promise.all([caught, ask(ctx, "for a", "who")]);
      return "";
    });
    const refused = refusal(server, "tools/call", CALL, able({}));
    await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await refused).toMatchObject({ code: -32603 });
    fail(new Error("late"));
    await vi.waitFor(() => {
      expect(messagesOf(errors)).toEqual([
        'steps, "slow" among them, keep the question who waiting for 30000 ms',
        "late",
      ]);
    });
    await macrotask();
    expect(ran).toEqual([]);
  });

  test("asking inside of a step throws at once", async () => {
    const { errors, server } = watched(async (ctx) => {
      await ctx.step("inner", () => {
        void ctx.elicit("Sure?");
        return 1;
      });
      return "";
    });
    await refusal(server, "tools/call", CALL, able({}));
    expect(messagesOf(errors)).toEqual(['elicit: step "inner" cannot ask']);
  });

  test("a step that keeps an open question waiting too long fails the call, and both are named", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { errors, server } = watched(async (ctx) => {
      await Promise.all([
        ctx.step("endless", () => new Promise<never>(() => {})),
        ask(ctx, "for a", "who"),
      ]);
      return "";
    });
    const refused = refusal(server, "tools/call", CALL, able({}));
    await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await refused).toMatchObject({ code: -32603 });
    expect(messagesOf(errors)).toEqual([
      'steps, "endless" among them, keep the question who waiting for 30000 ms',
    ]);
  });
});

describe("rule 7: limits", () => {
  test("MRTR-17 at most 10 rounds, with a hint", async () => {
    const { errors, server } = watched((ctx) => ask(ctx, `for round ${ctx.round}`));
    const rounds: number[] = [];
    const refused = converse(server, ASK, (request, key, round) => {
      rounds.push(round);
      return echo(request, key, round);
    });
    await expect(refused).rejects.toMatchObject({ rpcCode: -32603 });
    expect(rounds.length).toBe(10);
    expect(messagesOf(errors)).toEqual([
      "more than 10 rounds of questions: a question that changes in every round belongs into a step",
    ]);
  });

  test("at most 16 questions at a time", async () => {
    const { errors, server } = watched(async (ctx) => {
      const many = Array.from({ length: 17 }, (_, index) => ask(ctx, `for ${index}`));
      return (await Promise.all(many)).join("");
    });
    expect(await refusal(server, "tools/call", CALL, able({}))).toMatchObject({ code: -32603 });
    expect(messagesOf(errors)).toEqual(["more than 16 questions are open at a time"]);
  });

  test("at most 64 KiB of state, and the largest part is named", async () => {
    const { errors, server } = watched(async (ctx) => {
      await ctx.step("small", () => "x");
      await ctx.step("large", () => "x".repeat(60_000));
      return ask(ctx, "for a");
    });
    expect(await refusal(server, "tools/call", CALL, able({}))).toMatchObject({ code: -32603 });
    expect(messagesOf(errors)).toEqual([
      'the state of this call passes 65536 bytes; the largest part is step "large" with 60012 characters',
    ]);
  });
});

describe("rule 8: keys", () => {
  test("MRTR-11 those that are made up are numbered through the conversation", async () => {
    const server = asking(async (ctx) => {
      await ask(ctx, "for a");
      const messages = [{ role: "user", content: { type: "text", text: "hi" } }] as const;
      const { model } = await ctx.sample({ messages, maxTokens: 10 });
      const roots = await ctx.roots();
      return `${model} ${roots.length}`;
    });
    const keys: string[] = [];
    const text = await textOf(server, CALL, (request, key, round) => {
      keys.push(key);
      if (request.method === "roots/list") return { roots: [] };
      if (request.method === "elicitation/create") return echo(request, key, round);
      return { role: "assistant", content: { type: "text", text: "hello" }, model: "m" };
    });
    expect(keys).toEqual(["elicit-1", "sample-2", "roots-3"]);
    expect(text).toBe("m 0");
  });

  test("a given key is used, and one that is put again gets another", async () => {
    const server = asking(async (ctx) => {
      await ask(ctx, "who", "name");
      return ask(ctx, "who", "name");
    });
    const keys: string[] = [];
    await textOf(server, CALL, (request, key, round) => {
      keys.push(key);
      return round === 1 ? accept({}) : echo(request, key, round);
    });
    expect(keys).toEqual(["name", "name-2", "name-3"]);
  });

  test("MRTR-11 a given key that looks made up takes no other's place", async () => {
    const server = asking(async (ctx) => {
      const named = [ask(ctx, "for a", "elicit-1"), ask(ctx, "for b")];
      const others = [ask(ctx, "for c"), ask(ctx, "for d", "elicit-2")];
      return (await Promise.all([...named, ...others])).join(" ");
    });
    const { result, rounds } = await converse(server, ASK, echo);
    expect(rounds.map(({ inputRequests }) => inputRequests)).toEqual([
      {
        "elicit-1": form("for a"),
        "elicit-2": form("for b"),
        "elicit-3": form("for c"),
        "elicit-2-2": form("for d"),
      },
    ]);
    expect(result["content"]).toEqual([{ type: "text", text: "a b c d" }]);
  });

  test("a long key gives up its end for the number", async () => {
    const key = "k".repeat(64);
    const server = asking(async (ctx) => `${await ask(ctx, "?", key)} ${await ask(ctx, "?", key)}`);
    const keys: string[] = [];
    await textOf(server, CALL, (_request, asked) => {
      keys.push(asked);
      return accept({ name: "a" });
    });
    expect(keys).toEqual([key, `${"k".repeat(62)}-2`]);
  });

  test.each(["", "1a", "a b", "a".repeat(65), "ä"])("%j is no key", async (key) => {
    const { errors, server } = watched((ctx) => ask(ctx, "who", key));
    await refusal(server, "tools/call", CALL, able({}));
    expect(messagesOf(errors)).toEqual([
      "elicit: key is not a letter and up to 63 of A-Z a-z 0-9 _ . -",
    ]);
  });
});

test("rule 9: a question that changes is told, and harmless", async () => {
  const { events, server } = watched(async (ctx) => ask(ctx, ctx.round === 0 ? "for a" : "for b"));
  expect(await textOf(server, CALL, echo)).toBe("b");
  expect(events).toEqual([
    { type: "answer-unused", method: "tools/call", key: "elicit-1" },
    { type: "question-changed", method: "tools/call", key: "elicit-1" },
  ]);
});

test("rule 10: progress and logs go out once, over all rounds", async () => {
  const { notify, received } = createInbox();
  const server = asking(async (ctx) => {
    await ctx.progress(1);
    await ctx.log.info("before a");
    await ask(ctx, "for a");
    await ctx.progress(2);
    await ctx.step("work", async () => {
      await ctx.log.info("in the step");
      return 1;
    });
    await ask(ctx, "for b");
    await ctx.progress(3);
    return "";
  });
  const meta = { progressToken: "t", logLevel: "info" as const };
  await textOf(server, CALL, echo, { notify, meta });
  const told = received.map(({ params = {} }) =>
    "progress" in params ? params.progress : "data" in params ? params.data : undefined,
  );
  expect(told).toEqual([1, "before a", 2, "in the step", 3]);
});

test.each<[string, JsonObject]>([
  ["answers that nobody asked for", { inputResponses: { other: { action: "accept" } } }],
  ["an answer before its question", { inputResponses: { who: accept({ name: "a" }) } }],
])("rule 10: MRTR-36 %s silence nothing", async (_what, more) => {
  const { notify, received } = createInbox();
  const server = asking(async (ctx) => {
    await ctx.progress(1);
    const inputResponses = more["inputResponses"];
    return Object.hasOwn(Object(inputResponses), "who") ? ask(ctx, "for a", "who") : "done";
  });
  const meta = { progressToken: "t" };
  await send(server, "tools/call", { ...CALL, ...more }, able({ notify, meta }));
  expect(received.map(({ params }) => params)).toEqual([{ progressToken: "t", progress: 1 }]);
});

describe("rule 11: what the client cannot do is not asked", () => {
  const messages = [{ role: "user", content: { type: "text", text: "hi" } }] as const;
  const tool = { name: "t", inputSchema: { type: "object" } } as const;
  test.each<[string, Handler, object, object]>([
    ["a form", async (ctx) => (await ctx.elicit("?")).action, {}, { elicitation: { form: {} } }],
    [
      "a form, with a client for pages",
      async (ctx) => (await ctx.elicit("?")).action,
      { elicitation: { url: {} } },
      { elicitation: { form: {} } },
    ],
    [
      "a page",
      async (ctx) => (await ctx.elicitUrl("?", "https://a.example/")).action,
      { elicitation: {} },
      { elicitation: { url: {} } },
    ],
    [
      "a model",
      async (ctx) => (await ctx.sample({ messages, maxTokens: 1 })).model,
      {},
      { sampling: {} },
    ],
    [
      "a model with tools",
      async (ctx) => (await ctx.sample({ messages, maxTokens: 1, tools: [tool] })).model,
      { sampling: {} },
      { sampling: { tools: {} } },
    ],
    [
      "a model with context",
      async (ctx) =>
        (await ctx.sample({ messages, maxTokens: 1, includeContext: "thisServer" })).model,
      { sampling: {} },
      { sampling: { context: {} } },
    ],
    ["roots", async (ctx) => String((await ctx.roots()).length), {}, { roots: {} }],
  ])(
    "MRTR-15 ELIC-11 SAMP-09 SAMP-11 ROOTS-19 %s",
    async (_what, handler, clientCapabilities, requiredCapabilities) => {
      const server = asking(handler);
      expect(await refusal(server, "tools/call", CALL, { meta: { clientCapabilities } })).toEqual({
        code: -32021,
        message: "the client lacks a capability this request needs",
        data: { requiredCapabilities },
      });
    },
  );

  test("ELIC-09 a client that declares elicitation alone can show forms", async () => {
    const server = asking(async (ctx) => (await ctx.elicit("?")).action);
    const meta = { clientCapabilities: { elicitation: {} } };
    const text = await textOf(server, CALL, () => ({ action: "accept" }), { meta });
    expect(text).toBe("accept");
  });

  test("one that is awaited late ends no process", async () => {
    const server = asking(async (ctx) => {
      const early = ctx.elicit("?");
      void ctx.elicit("and this one never");
      await new Promise((resolve) => setTimeout(resolve, 20));
      return (await early).action;
    });
    expect(await refusal(server, "tools/call", CALL)).toMatchObject({ code: -32021 });
  });

  test("a handler may catch it and go another way", async () => {
    const server = asking((ctx) => ask(ctx, "?").catch(() => "without asking"));
    const result = await send(server, "tools/call", CALL);
    expect(result["content"]).toEqual([{ type: "text", text: "without asking" }]);
  });

  test("what a tool requires is refused before anything runs", async () => {
    const ran: string[] = [];
    const server = createServer(INFO).tool("ask", { requires: { elicitation: {} } }, () => {
      ran.push("ran");
      return "";
    });
    expect(await refusal(server, "tools/call", CALL)).toMatchObject({ code: -32021 });
    expect(ran).toEqual([]);
  });
});

describe("rule 12: rounds that a handler writes itself", () => {
  const request = {
    method: "elicitation/create",
    params: {
      message: "Your name?",
      requestedSchema: { type: "object", properties: { name: { type: "string" } } },
    },
  } as const;
  const byHand = (): Server =>
    createServer(INFO, { serverInfo: false, onError: () => {} }).tool("ask", {}, (_args, ctx) => {
      const answer = ctx.responses["who"];
      if (answer === undefined) {
        return inputRequired({ inputRequests: { who: request }, state: { asked: ctx.round + 1 } });
      }
      return JSON.stringify([answer, ctx.state, ctx.round]);
    });

  test("MRTR-07 MRTR-12 MRTR-13 MRTR-14 finds the answers and what it kept", async () => {
    const server = byHand();
    const result = await send(server, "tools/call", CALL, able({}));
    const { requestState } = toRound(result);
    expect(result).toEqual({
      resultType: "input_required",
      inputRequests: { who: request },
      requestState,
    });
    const text = await textOf(server, CALL, () => accept({ name: "Ann" }));
    expect(JSON.parse(text)).toEqual([accept({ name: "Ann" }), { asked: 1 }, 1]);
  });

  test("T-44 an answer that does not fit, or was not asked for, is not among them", async () => {
    const server = byHand();
    const text = await textOf(server, CALL, (_request, _key, round) =>
      accept({ name: round < 2 ? round : "Ann" }),
    );
    expect(JSON.parse(text)).toEqual([accept({ name: "Ann" }), { asked: 3 }, 3]);
    const inputResponses = { who: accept({ name: "Ann" }) };
    const early = await send(server, "tools/call", { ...CALL, inputResponses }, able({}));
    expect(early["resultType"]).toBe("input_required");
  });

  test("MRTR-13 MRTR-28 a state alone sends the client around once more", async () => {
    const server = createServer(INFO, { serverInfo: false }).tool("ask", {}, (_args, ctx) =>
      ctx.round === 0 ? inputRequired({ state: "busy" }) : `after ${JSON.stringify(ctx.state)}`,
    );
    const result = await send(server, "tools/call", CALL, able({}));
    expect(Object.keys(result)).toEqual(["resultType", "requestState"]);
    expect(await textOf(server, CALL, echo)).toBe('after "busy"');
  });

  test("MRTR-15 it cannot ask for what the client cannot do", async () => {
    expect(await refusal(byHand(), "tools/call", CALL)).toMatchObject({ code: -32021 });
  });

  test("asking as well is a fault", async () => {
    const errors: unknown[] = [];
    const server = createServer(INFO, { onError: (error) => errors.push(error) }).tool(
      "ask",
      {},
      async (_args, ctx) => {
        await ctx.elicit("Sure?", undefined, { key: "sure" });
        return inputRequired({ state: 1 });
      },
    );
    const asked = toRound(await send(server, "tools/call", CALL, able({})));
    const inputResponses = { sure: { action: "accept" } };
    const params = { ...CALL, requestState: asked.requestState, inputResponses };
    expect(await refusal(server, "tools/call", params, able({}))).toMatchObject({ code: -32603 });
    expect(messagesOf(errors)).toEqual([
      "a handler either asks or returns inputRequired(), not both",
    ]);
  });

  const BOTH = "a handler either asks or returns inputRequired(), not both";
  test.each<[string, (ctx: Context) => unknown]>([
    [
      "without waiting",
      (ctx) => {
        void ctx.elicit("Sure?");
        return inputRequired({ state: 1 });
      },
    ],
    [
      "in an earlier round",
      (ctx) => (ctx.round === 0 ? ctx.elicit("Sure?") : inputRequired({ state: 1 })),
    ],
    [
      "in a later round",
      (ctx) => (ctx.round === 0 ? inputRequired({ state: 1 }) : ctx.elicit("Sure?")),
    ],
  ])("asking %s as well", async (_when, handler) => {
    const { errors, server } = watched(async (ctx) => handler(ctx) as Promise<string>);
    const refused = converse(server, ASK, () => ({ action: "accept" }));
    await expect(refused).rejects.toMatchObject({ rpcCode: -32603 });
    expect(messagesOf(errors)).toEqual([BOTH]);
  });

  test("a step runs once on the path here as well", async () => {
    const ran: number[] = [];
    const server = createServer(INFO).tool("ask", {}, async (_args, ctx) => {
      const first = await ctx.step("first", () => {
        ran.push(ctx.round);
        return `made in round ${ctx.round}`;
      });
      return ctx.round < 2 ? inputRequired({ state: ctx.round }) : first;
    });
    expect(await textOf(server, CALL, echo)).toBe("made in round 0");
    expect(ran).toEqual([0]);
  });

  test("no pass repeats another, so progress goes out in each; no answer counts as unused", async () => {
    const { notify, received } = createInbox();
    const { events, server } = watched(() => Promise.resolve(""));
    server.tool("by-hand", {}, async (_args, ctx) => {
      await ctx.progress(ctx.round);
      const isAnswered = ctx.responses["who"] !== undefined;
      return isAnswered ? "done" : inputRequired({ inputRequests: { who: request } });
    });
    const params = { name: "by-hand", arguments: {} };
    const respond: Responder = (_request, _key, round) => accept({ name: round === 0 ? 1 : "Ann" });
    const settings = { notify, meta: { progressToken: "t" } };
    expect(await textOf(server, params, respond, settings)).toBe("done");
    expect(received.map((one) => one.params)).toEqual(
      [0, 1, 2].map((progress) => ({ progressToken: "t", progress })),
    );
    expect(events).toEqual([]);
  });

  test("it cannot ask more than 16 questions at a time", async () => {
    const errors: unknown[] = [];
    const inputRequests = Object.fromEntries(
      Array.from({ length: 17 }, (_, index) => [`q${index}`, request] as const),
    );
    const server = createServer(INFO, { onError: (error) => errors.push(error) }).tool(
      "ask",
      {},
      () => inputRequired({ inputRequests }),
    );
    await refusal(server, "tools/call", CALL, able({}));
    expect(messagesOf(errors)).toEqual(["inputRequired: more than 16 questions"]);
  });

  test("MRTR-12 what is no input request is a fault", async () => {
    const errors: unknown[] = [];
    const server = createServer(INFO, { onError: (error) => errors.push(error) }).tool(
      "ask",
      {},
      // @ts-expect-error -- no input request
      () => inputRequired({ inputRequests: { a: { method: "tools/list", params: {} } } }),
    );
    await refusal(server, "tools/call", CALL, able({}));
    expect(messagesOf(errors)).toEqual(['inputRequired: "tools/list" with {} is no input request']);
  });
});

describe("MRTR-07 prompts and resources ask as well", () => {
  const server = createServer(INFO, { serverInfo: false })
    .prompt("ask", { argsSchema: z.object({ of: z.string() }) }, async ({ of }, ctx) =>
      ask(ctx, `for ${of}`),
    )
    .resource("note://ask", {}, (ctx) => ask(ctx, "for a"))
    .resourceTemplate("note://{of}/ask", {}, ({ of }, ctx) => ask(ctx, `for ${of}`));

  test("prompts/get", async () => {
    const params = { name: "ask", arguments: { of: "b" } };
    const { result } = await converse(server, { method: "prompts/get", params }, echo);
    expect(result["messages"]).toEqual([{ role: "user", content: { type: "text", text: "b" } }]);
  });

  test.each([
    ["note://ask", "a"],
    ["note://c/ask", "c"],
  ])("resources/read of %s", async (uri, text) => {
    const { result } = await converse(server, { method: "resources/read", params: { uri } }, echo);
    expect(result["contents"]).toEqual([{ uri, text }]);
  });

  test.each([
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "server/discover",
  ])("MRTR-08 %s never does", async (method) => {
    const all = createServer(INFO)
      .tool("ask", {}, (_args, ctx) => ask(ctx, "?"))
      .prompt("ask", {}, (_args, ctx) => ask(ctx, "?"))
      .resource("note://ask", {}, (ctx) => ask(ctx, "?"))
      .resourceTemplate("note://{of}/ask", {}, (_variables, ctx) => ask(ctx, "?"));
    const answers = { requestState: "x", inputResponses: { a: { action: "accept" } } };
    const result = await send(all, method, answers, able({}));
    expect(result["resultType"]).toBe("complete");
  });

  test.each<[string, (ctx: Context) => unknown, string]>([
    ["asks", async (ctx) => [await ask(ctx, "?")], "elicit: completion/complete cannot ask"],
    [
      "writes a round",
      () => inputRequired({ state: 1 }),
      "inputRequired: completion/complete cannot ask",
    ],
  ])(
    "MRTR-08 completion/complete never does: a completer that %s fails",
    async (_what, complete, message) => {
      const errors: unknown[] = [];
      const completing = createServer(INFO, { onError: (error) => errors.push(error) }).prompt(
        "p",
        {
          argsSchema: z.object({ a: z.string() }),
          complete: { a: (_value, _others, ctx) => complete(ctx) as readonly string[] },
        },
        () => "",
      );
      const params = { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } };
      expect(await refusal(completing, "completion/complete", params, able({}))).toMatchObject({
        code: -32603,
      });
      expect(messagesOf(errors)).toEqual([message]);
    },
  );

  test("MRTR-08 MRTR-36 completion/complete leaves answers and states alone", async () => {
    const completing = createServer(INFO, { serverInfo: false }).prompt(
      "p",
      { argsSchema: z.object({ a: z.enum(["x", "y"]) }) },
      () => "",
    );
    const params = {
      ref: { type: "ref/prompt", name: "p" },
      argument: { name: "a", value: "" },
      requestState: "x",
      inputResponses: { a: { action: "accept" } },
    };
    expect(await send(completing, "completion/complete", params, able({}))).toEqual({
      resultType: "complete",
      completion: { values: ["x", "y"], total: 2, hasMore: false },
    });
  });
});

describe("sampling", () => {
  const text = (value: string) => ({ type: "text", text: value }) as const;
  const use = { type: "tool_use", id: "1", name: "t", input: {} } as const;
  const got = { type: "tool_result", toolUseId: "1", content: [text("done")] } as const;

  test("SAMP-13 SAMP-17 SAMP-20 SAMP-49 a loop over tools goes on until the model is done", async () => {
    const tools = [{ name: "t", inputSchema: { type: "object" } }] as const;
    const server = asking(async (ctx) => {
      const first = await ctx.sample({
        messages: [{ role: "user", content: text("go") }],
        maxTokens: 10,
        tools,
      });
      const last = await ctx.sample({
        messages: [
          { role: "user", content: text("go") },
          { role: first.role, content: first.content },
          { role: "user", content: [got] },
        ],
        maxTokens: 10,
        tools,
      });
      return JSON.stringify(last.content);
    });
    const answer = await textOf(server, CALL, (_request, _key, round) => ({
      role: "assistant",
      model: "m",
      ...(round === 0
        ? { content: [use], stopReason: "toolUse" }
        : { content: text("finished"), stopReason: "endTurn" }),
    }));
    expect(JSON.parse(answer)).toEqual(text("finished"));
  });

  test.each([
    [
      "SAMP-13 no messages",
      { messages: [], maxTokens: 1 },
      "messages is not a list with at least one message",
    ],
    [
      "SAMP-13 no tokens",
      { messages: [{ role: "user", content: text("a") }], maxTokens: 0 },
      "maxTokens is not a whole number above 0",
    ],
    [
      "SAMP-17 another role",
      { messages: [{ role: "system", content: text("a") }], maxTokens: 1 },
      'messages[0].role is neither "user" nor "assistant"',
    ],
    [
      "SAMP-19 results beside text",
      {
        messages: [
          { role: "assistant", content: [use] },
          { role: "user", content: [got, text("and")] },
        ],
        maxTokens: 1,
      },
      "messages[1]: tool results stand in a message of the user without anything else",
    ],
    [
      "SAMP-20 a use without its result",
      {
        messages: [
          { role: "assistant", content: [use] },
          { role: "user", content: text("and") },
        ],
        maxTokens: 1,
      },
      "messages[1]: each tool_use before it needs its tool_result there, and no other",
    ],
    [
      "SAMP-49 a use at the end",
      { messages: [{ role: "assistant", content: use }], maxTokens: 1 },
      "the last message leaves a tool_use without its tool_result",
    ],
    [
      "SAMP-21 a result of nothing",
      { messages: [{ role: "user", content: [got] }], maxTokens: 1 },
      "messages[0]: each tool_use before it needs its tool_result there, and no other",
    ],
    [
      "SAMP-27 a priority beyond 1",
      {
        messages: [{ role: "user", content: text("a") }],
        maxTokens: 1,
        modelPreferences: { costPriority: 2 },
      },
      "modelPreferences.costPriority is not a number from 0 to 1",
    ],
  ])("%s is not asked", async (_what, params, reason) => {
    const { errors, server } = watched(async (ctx) => (await ctx.sample(params as never)).model);
    await refusal(server, "tools/call", CALL, able({}));
    expect(messagesOf(errors)).toEqual([`sample: ${reason}`]);
  });

  test.each([
    ["no model", { role: "assistant", content: text("a") }],
    ["another role", { role: "system", content: text("a"), model: "m" }],
    ["no content", { role: "assistant", model: "m" }],
    ["a number to stop", { role: "assistant", content: text("a"), model: "m", stopReason: 1 }],
  ])("T-44 SAMP-45 an answer with %s is asked for again", async (_what, response) => {
    const server = asking(
      async (ctx) =>
        (await ctx.sample({ messages: [{ role: "user", content: text("a") }], maxTokens: 1 }))
          .model,
    );
    const keys: string[] = [];
    const model = await textOf(server, CALL, (_request, key) => {
      keys.push(key);
      return keys.length === 1 ? response : { role: "assistant", content: text("a"), model: "m" };
    });
    expect([keys, model]).toEqual([["sample-1", "sample-2"], "m"]);
  });
});

describe("roots", () => {
  test("ROOTS-04 ROOTS-05 are asked for once in a call", async () => {
    const server = asking(async (ctx) => {
      const [one, other] = await Promise.all([ctx.roots(), ctx.roots()]);
      return JSON.stringify([one, other.length]);
    });
    const { result, rounds } = await converse(server, ASK, () => ({
      roots: [{ uri: "file:///a", name: "A" }],
    }));
    expect(rounds.map(({ inputRequests }) => inputRequests)).toEqual([
      { "roots-1": { method: "roots/list" } },
    ]);
    const text = JSON.stringify([[{ uri: "file:///a", name: "A" }], 1]);
    expect(result["content"]).toEqual([{ type: "text", text }]);
  });

  test.each([
    ["of the web", { roots: [{ uri: "https://a.example/" }] }],
    ["without a URI", { roots: [{}] }],
    ["that are no list", { roots: {} }],
  ])("ROOTS-06 those %s are asked for again", async (_what, response) => {
    const server = asking(async (ctx) => String((await ctx.roots()).length));
    const answers = [response, { roots: [] }];
    expect(await textOf(server, CALL, () => answers.shift())).toBe("0");
  });
});

test("timeoutMs: an answer that comes too late rejects with a TimeoutError, in later rounds as well", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const server = asking(async (ctx) => {
    const slow = await ctx
      .elicit("for a", NAME, { timeoutMs: 1_000 })
      .then(({ action }) => action)
      .catch((error: unknown) => (error instanceof DOMException ? error.name : "?"));
    return `${slow} ${await ask(ctx, "for b")}`;
  });
  const text = await textOf(server, CALL, (request, key, round) => {
    if (round === 0) vi.setSystemTime(Date.now() + 1_001);
    return echo(request, key, round);
  });
  expect(text).toBe("TimeoutError b");
});

describe("what never happens", () => {
  test("MRTR-01 PAT-02 a server asks by its answers alone: nothing else goes out", async () => {
    const { notify, received } = createInbox();
    const server = asking(
      async (ctx) => `${await ask(ctx, "for a")} ${(await ctx.roots()).length}`,
    );
    const respond: Responder = (request, key, round) =>
      request.method === "roots/list" ? { roots: [] } : echo(request, key, round);
    expect(await textOf(server, CALL, respond, { notify })).toBe("a 0");
    expect(received).toEqual([]);
  });

  test("MRTR-16 a client that never comes back leaves nothing behind", async () => {
    const server = asking((ctx) => ask(ctx, "for a"));
    await send(server, "tools/call", CALL, able({}));
    vi.useFakeTimers();
    // With anything still at work it would wait for its grace.
    expect(await server.close()).toBe(undefined);
  });

  test("ELIC-39 what was answered cannot be read in what the client carries", async () => {
    const server = asking(async (ctx) => `${await ask(ctx, "for a")} ${await ask(ctx, "for b")}`);
    const { rounds } = await converse(server, ASK, () => accept({ name: "hunter2" }));
    const states = rounds.map(({ requestState }) => Buffer.from(requestState, "base64url"));
    expect(states.map((state) => state.includes("hunter2"))).toEqual([false, false]);
  });

  test("SAMP-48 T-11 an answer that does not fit is quoted neither to the client nor in a report", async () => {
    const { errors, events, server } = watched((ctx) => ask(ctx, "for a"));
    const told: string[] = [];
    const refused = converse(server, ASK, (request) => {
      told.push(JSON.stringify(request));
      return accept({ name: ["hunter2"] });
    });
    const error = await refused.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    told.push(String(error), JSON.stringify(error), JSON.stringify([errors, events]));
    expect(told.filter((text) => text.includes("hunter2"))).toEqual([]);
  });

  test("ELIC-64 who the client says its user is, is nobody", async () => {
    const server = asking(async (ctx) => {
      await ask(ctx, "for a");
      return JSON.stringify(ctx.principal ?? null);
    });
    const meta = {
      clientInfo: { name: "ann", version: "1.0.0" },
      raw: { "com.example/user": "ann" },
    };
    expect(await textOf(server, CALL, echo, { meta })).toBe("null");
  });

  test("ELIC-42 ELIC-43 ELIC-46 a page is asked for with the author's words alone: credentials are not at hand", async () => {
    const principal = { issuer: "https://issuer.example", clientId: "app", subject: "ann" };
    const server = asking(async (ctx) => {
      await ctx.elicitUrl("Connect", "https://shop.example/connect");
      return JSON.stringify(ctx.principal);
    });
    const { result, rounds } = await converse(server, ASK, () => ({ action: "accept" }), {
      principal,
    });
    expect(rounds.map(({ inputRequests }) => inputRequests)).toEqual([
      {
        "elicit-1": {
          method: "elicitation/create",
          params: { mode: "url", message: "Connect", url: "https://shop.example/connect" },
        },
      },
    ]);
    expect(result["content"]).toEqual([{ type: "text", text: JSON.stringify(principal) }]);
  });
});

describe("what a client cannot do to a server that asks", () => {
  test("a listener for events that throws is reported, and the call goes on", async () => {
    const errors: unknown[] = [];
    const server = createServer(INFO, {
      onEvent: () => {
        throw new Error("listener");
      },
      onError: (error) => errors.push(error),
    }).tool("ask", {}, (_args, ctx) => ask(ctx, "for a"));
    const inputResponses = { nobody: { action: "accept" } };
    const result = await send(server, "tools/call", { ...CALL, inputResponses }, able({}));
    expect([result["resultType"], messagesOf(errors)]).toEqual(["input_required", ["listener"]]);
  });

  test("of answers nobody asked for a few are told, in few words", async () => {
    const { events, server } = watched((ctx) => ask(ctx, "for a"));
    const many = Array.from({ length: 1_000 }, (_, index) => [`${index}${"x".repeat(1_000)}`, {}]);
    const inputResponses: JsonObject = Object.fromEntries(many);
    await send(server, "tools/call", { ...CALL, inputResponses }, able({}));
    expect(events.length).toBe(16);
    expect(Math.max(...events.map(({ key }) => key.length))).toBe(512);
  });

  test("one answer in advance is for one question", async () => {
    const server = asking(async (ctx) => {
      const first = await ask(ctx, "Delete a?", "sure");
      return `${first} ${await ask(ctx, "Delete b?", "sure")}`;
    });
    const inputResponses = { sure: accept({ name: "yes" }) };
    const result = await send(server, "tools/call", { ...CALL, inputResponses }, able({}));
    expect(Object.keys(toRound(result).inputRequests)).toEqual(["sure"]);
    expect(JSON.stringify(result["inputRequests"])).toContain("Delete b?");
  });

  test("and no answer in advance is for a later round", async () => {
    const server = asking(async (ctx) => {
      await ask(ctx, "for a");
      return ask(ctx, "for b", "later");
    });
    const asked = toRound(await send(server, "tools/call", CALL, able({})));
    const inputResponses = { ...answersOf(asked, echo), later: accept({ name: "early" }) };
    const params = { ...CALL, requestState: asked.requestState, inputResponses };
    const result = await send(server, "tools/call", params, able({}));
    expect(Object.keys(toRound(result).inputRequests)).toEqual(["later"]);
  });
});

test("a step that fails beside a question ends no process, and is told at the pause", async () => {
  const { errors, server } = watched(async (ctx) => {
    const step = ctx.step("failing", () => Promise.reject(new Error("not now")));
    await ask(ctx, "for a");
    return step;
  });
  const result = await send(server, "tools/call", CALL, able({}));
  expect([result["resultType"], messagesOf(errors)]).toEqual(["input_required", ["not now"]]);
});

test("a question that was put again keeps its reason where the answer is left out", async () => {
  const server = asking((ctx) => ask(ctx, "Name?"));
  const messages: string[] = [];
  await textOf(server, CALL, (request, _key, round) => {
    if (request.method === "elicitation/create") messages.push(request.params.message);
    return [accept({}), undefined, accept({ name: "Ann" })][round];
  });
  expect(messages[0]).toBe("Name?");
  expect(messages[1]).toMatch(/^Name\?\n\n- /);
  expect(messages[2]).toBe(messages[1]);
});

test("an answer whose branch is late in the next pass is not asked for again", async () => {
  const server = asking(async (ctx) => {
    const slow = async (): Promise<string> => {
      if (ctx.round === 1) await new Promise((resolve) => setTimeout(resolve, 30));
      return ask(ctx, "for a");
    };
    const quick = async (): Promise<string> =>
      `${await ask(ctx, "for b")} ${await ask(ctx, "for c")}`;
    return (await Promise.all([slow(), quick()])).join(" ");
  });
  const asked: string[] = [];
  const text = await textOf(server, CALL, (request, key, round) => {
    asked.push(request.method === "elicitation/create" ? request.params.message : key);
    return echo(request, key, round);
  });
  expect([text, asked]).toEqual(["a b c", ["for a", "for b", "for c"]]);
});

test.each([
  ["password", true],
  ["pwd", true],
  ["otp", true],
  ["securityCode", true],
  ["refresh token", true],
  ["bypassCode", false],
  ["passwordPolicy", false],
  ["accessTokenCount", false],
  ["zip code", false],
])("ELIC-01 a field called %s is a secret: %s", async (field, isSecret) => {
  const { errors, server } = watched(
    async (ctx) => (await ctx.elicit("?", z.object({ [field]: z.string() }))).action,
  );
  await send(server, "tools/call", CALL, able({})).catch(() => undefined);
  expect(errors.length).toBe(isSecret ? 1 : 0);
});

test("T-47 a URL with a line break is none", async () => {
  const url = "https://exa\nmple.com/a";
  const { errors, server } = watched(async (ctx) => (await ctx.elicitUrl("Go", url)).action);
  await refusal(server, "tools/call", CALL, able({}));
  expect(messagesOf(errors)).toEqual([`elicitUrl: ${JSON.stringify(url)} is not an absolute URL`]);
});

test("MRTR-08 a middleware cannot ask where nobody may", async () => {
  const errors: unknown[] = [];
  const server = createServer(INFO, { onError: (error) => errors.push(error) })
    .use(async () => ({ resultType: "input_required", requestState: "x" }))
    .tool("t", {}, () => "t");
  expect(await refusal(server, "tools/list", {}, able({}))).toMatchObject({ code: -32603 });
  expect(messagesOf(errors)).toEqual(["tools/list has no resultType input_required"]);
});
