import { afterEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import type { JsonObject } from "../../json/value.ts";
import type { Exchange } from "../../protocol/exchange.ts";
import type { Result } from "../../protocol/result.ts";
import { createServer } from "../../server/create-server.ts";
import { createClient } from "../create-client.ts";
import type { ClientOptions } from "../options.ts";

const INFO = { name: "test", version: "1.0.0" };
const DONE: Result = { resultType: "complete", content: [] };
const FORM = {
  type: "object",
  properties: {
    city: { type: "string", minLength: 2 },
    days: { type: "integer", default: 3 },
  },
  required: ["city"],
};
const accept = (content: object = {}) => ({ action: "accept", content }) as never;

const asking = (inputRequests: object, requestState?: string): Result => ({
  resultType: "input_required",
  inputRequests,
  ...(requestState === undefined ? {} : { requestState }),
});
const form = (requestedSchema: object = FORM, more: object = {}) => ({
  method: "elicitation/create",
  params: { message: "Where?", requestedSchema, ...more },
});

/** A server that gives these results one after the other; the last one goes on. */
function scripted(...results: readonly Result[]) {
  const sent: { readonly id: unknown; readonly params: JsonObject; readonly meta: unknown }[] = [];
  const exchange: Exchange = async ({ params, meta }, { id }) => {
    sent.push({ id, params, meta: meta.raw });
    return results[Math.min(sent.length, results.length) - 1] ?? DONE;
  };
  return { exchange, sent };
}

const reasonOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "no error",
    (reason: unknown) => reason,
  );

async function failure(asked: object, options: ClientOptions): Promise<unknown> {
  const { exchange } = scripted(asking({ q: asked }), DONE);
  return reasonOf(createClient(exchange, options).callTool("a"));
}

afterEach(() => void vi.useRealTimers());

describe("input rounds", () => {
  test("MRTR-26 ELIC-15 a handler that asks is answered, round for round, for tools, prompts and resources", async () => {
    const server = createServer(INFO, { serverInfo: false })
      .tool("forecast", {}, async (_args, ctx) => {
        const where = await ctx.elicit("Where?", z.object({ city: z.string() }));
        const sure = await ctx.elicit("Sure?");
        const city = where.action === "accept" ? where.content.city : "";
        return `${city} ${sure.action}`;
      })
      .prompt("p", {}, async (_args, ctx) => (await ctx.roots()).map(({ uri }) => uri).join())
      .resource("a:1", {}, async (ctx) => {
        const { content } = await ctx.sample({
          messages: [{ role: "user", content: { type: "text", text: "Say hi" } }],
          maxTokens: 5,
        });
        return JSON.stringify(content);
      });
    const seen: unknown[] = [];
    const client = createClient(server, {
      onElicit: ({ message }, { key, round, method, name }) => {
        seen.push([message, key, round, method, name]);
        return message === "Where?" ? accept({ city: "Oslo" }) : { action: "decline" };
      },
      onSample: () => ({ role: "assistant", content: { type: "text", text: "hi" }, model: "m" }),
      roots: [{ uri: "file:///home/ann" }],
    });
    expect(await client.callTool("forecast")).toMatchObject({
      content: [{ text: "Oslo decline" }],
    });
    expect(seen).toEqual([
      ["Where?", "elicit-1", 0, "tools/call", "forecast"],
      ["Sure?", "elicit-2", 1, "tools/call", "forecast"],
    ]);
    const prompt = await client.getPrompt("p");
    expect(prompt.messages[0]?.content).toEqual({ type: "text", text: "file:///home/ann" });
    const { contents } = await client.readResource("a:1");
    expect(contents[0]).toMatchObject({ text: '{"type":"text","text":"hi"}' });
  });

  test("MRTR-02 MRTR-29 MRTR-31 MRTR-32 a retry has a new id, the same _meta, and the state to the letter or none", async () => {
    const state = ' {"a":1}\u00e9\\u0041=';
    const { exchange, sent } = scripted(asking({ q: form() }, state), asking({ r: form() }), DONE);
    const client = createClient(exchange, { onElicit: () => accept({ city: "Oslo" }) });
    await client.callTool("a", { x: 1 });
    const answer = { action: "accept", content: { city: "Oslo", days: 3 } };
    expect(sent.map(({ params }) => params)).toEqual([
      { name: "a", arguments: { x: 1 } },
      { name: "a", arguments: { x: 1 }, inputResponses: { q: answer }, requestState: state },
      { name: "a", arguments: { x: 1 }, inputResponses: { r: answer } },
    ]);
    expect(new Set(sent.map(({ id }) => id)).size).toBe(3);
    expect(new Set(sent.map(({ meta }) => JSON.stringify(meta))).size).toBe(1);
  });

  test("MRTR-29 an empty state is a state", async () => {
    const { exchange, sent } = scripted(asking({ q: form() }, ""), DONE);
    await createClient(exchange, { onElicit: () => ({ action: "cancel" }) }).callTool("a");
    expect(sent[1]?.params["requestState"]).toBe("");
    expect(sent[1]?.params["inputResponses"]).toEqual({ q: { action: "cancel" } });
  });

  test("MRTR-33 questions of calls that run side by side stay with their calls", async () => {
    const exchange: Exchange = async ({ params }) => {
      const { requestState, inputResponses } = params;
      const { name = "" } = params as { readonly name?: string };
      if (requestState === undefined) return asking({ [`${name}-q`]: form() }, `${name}-state`);
      return {
        ...DONE,
        content: [{ type: "text", text: JSON.stringify([name, requestState, inputResponses]) }],
      };
    };
    const client = createClient(exchange, {
      onElicit: async (_request, { name }) => accept({ city: `City ${name}` }),
    });
    const results = await Promise.all(["a", "b", "c"].map((name) => client.callTool(name)));
    expect(results.map(({ content }) => content)).toEqual(
      ["a", "b", "c"].map((name) => {
        const answers = {
          [`${name}-q`]: { action: "accept", content: { days: 3, city: `City ${name}` } },
        };
        return [{ type: "text", text: JSON.stringify([name, `${name}-state`, answers]) }];
      }),
    );
  });

  test("ELIC-08 SAMP-07 ROOTS-03 what there is a handler for is declared with every request", async () => {
    const { exchange, sent } = scripted(DONE);
    const handlers = { onElicitUrl: () => accept(), onSample: () => accept(), roots: [] };
    const capabilities = { sampling: { tools: {} }, experimental: { x: {} } };
    await createClient(exchange, { ...handlers, capabilities }).callTool("a");
    expect(sent[0]?.meta).toMatchObject({
      "io.modelcontextprotocol/clientCapabilities": {
        elicitation: { url: {} },
        sampling: { tools: {} },
        roots: {},
        experimental: { x: {} },
      },
    });
  });

  test.each<readonly [what: string, asked: object, options: ClientOptions, message: string]>([
    ["a kind nobody knows", { method: "x/\u001b" }, {}, 'sends "x/\u{FFFD}", which is no question'],
    ["what is no request", [], {}, 'sends "", which is no question'],
    ["a form, undeclared", form(), {}, "asks for elicitation.form, which"],
    [
      "a form of a client for URLs",
      form(),
      { onElicitUrl: () => accept() },
      "asks for elicitation.form",
    ],
    [
      "a URL of a client for forms",
      {
        method: "elicitation/create",
        params: { mode: "url", message: "", url: "https://a.example/" },
      },
      { onElicit: () => accept() },
      "asks for elicitation.url",
    ],
    ["another mode", form(FORM, { mode: "voice" }), { onElicit: () => accept() }, "in a mode that"],
    [
      "a nested form",
      form({ type: "object", properties: { a: { type: "object" } } }),
      { onElicit: () => accept() },
      "cannot be shown",
    ],
    [
      "no form",
      { method: "elicitation/create", params: { message: "" } },
      { onElicit: () => accept() },
      "without a requestedSchema",
    ],
    [
      "sampling, undeclared",
      { method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } },
      {},
      "asks for sampling,",
    ],
    [
      "SAMP-10 tools, undeclared",
      { method: "sampling/createMessage", params: { messages: [], maxTokens: 1, tools: [] } },
      { onSample: () => accept() },
      "asks for sampling.tools",
    ],
    [
      "T-48 foreign context",
      {
        method: "sampling/createMessage",
        params: { messages: [], maxTokens: 1, includeContext: "allServers" },
      },
      { onSample: () => accept() },
      "asks for sampling.context",
    ],
    [
      "SAMP-17 a message of nobody",
      {
        method: "sampling/createMessage",
        params: { messages: [{ role: "system", content: {} }], maxTokens: 1 },
      },
      { onSample: () => accept() },
      "no role or no content",
    ],
    ["roots, undeclared", { method: "roots/list" }, {}, "asks for roots, which"],
  ])("refuses to answer %s", async (_what, asked, options, message) => {
    expect(await failure(asked, options)).toMatchObject({
      name: "DecodeError",
      stage: "decode",
      path: "/inputRequests/q",
      message: expect.stringContaining(message),
    });
  });

  test.each([
    "javascript:alert(1)",
    "file:///etc/passwd",
    "http://a.example/",
    "https://a@b.example/",
    "//x",
    "https:",
  ])("T-47 ELIC-58 never lets a user be asked to open %s", async (url) => {
    const onElicitUrl = vi.fn<() => never>(() => accept());
    const asked = { method: "elicitation/create", params: { mode: "url", message: "Pay", url } };
    expect(await failure(asked, { onElicitUrl })).toMatchObject({ name: "DecodeError" });
    expect(onElicitUrl).not.toHaveBeenCalled();
  });

  test("ELIC-59 the whole URL reaches the handler, and only the choice goes back", async () => {
    const url = "https://pay.example/x?y=%20#z";
    const asked = { method: "elicitation/create", params: { mode: "url", message: "Pay", url } };
    const { exchange, sent } = scripted(asking({ q: asked }), DONE);
    const onElicitUrl = vi.fn<() => never>(() => accept({ secret: 1 }));
    await createClient(exchange, { onElicitUrl }).callTool("a");
    expect(onElicitUrl).toHaveBeenCalledWith(
      { mode: "url", message: "Pay", url },
      expect.objectContaining({ key: "q" }),
    );
    expect(sent[1]?.params["inputResponses"]).toEqual({ q: { action: "accept" } });
  });

  test("T-44 an answer that does not fit what was asked is not sent", async () => {
    const outcomes = [{ city: "O" }, {}, { city: "Oslo", days: 1.5 }].map((content) =>
      failure(form(), { onElicit: () => accept(content) }),
    );
    expect((await Promise.all(outcomes)).map(String)).toEqual([
      expect.stringContaining("onElicit: the answer does not fit what was asked: /city"),
      expect.stringContaining('(root) must have the property "city"'),
      expect.stringContaining("/days must be integer"),
    ]);
    const wrong = await failure(form(), { onElicit: () => "yes" as never });
    expect(String(wrong)).toContain('action must be "accept", "decline" or "cancel"');
  });

  test("T-63 a regular expression of the server is not run on the user's answer", async () => {
    const evil = { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } };
    const { exchange, sent } = scripted(asking({ q: form(evil) }), DONE);
    const seen: unknown[] = [];
    const onElicit = (request: unknown) => {
      seen.push(request);
      return accept({ a: `${"a".repeat(50)}!` });
    };
    await createClient(exchange, { onElicit }).callTool("a");
    expect(sent).toHaveLength(2);
    expect(seen).toMatchObject([{ requestedSchema: { properties: { a: { type: "string" } } } }]);
    expect(JSON.stringify(seen)).not.toContain("pattern");
  });

  test.each(["http://a.example/", "file:///a/../etc", "/etc", "file:relative"])(
    "ROOTS-06 ROOTS-10 %s is no root",
    async (uri) => {
      const outcome = await failure({ method: "roots/list" }, { roots: () => [{ uri }] });
      expect(String(outcome)).toContain("is not a canonical file:// URI");
    },
  );

  test("T-45 BR-069 ends after ten rounds, each with a new id", async () => {
    const { exchange, sent } = scripted(asking({ q: form() }, "s"));
    const client = createClient(exchange, { onElicit: () => accept({ city: "Oslo" }) });
    expect(await reasonOf(client.callTool("a"))).toMatchObject({
      name: "LimitError",
      limit: "maxRounds",
      max: 10,
    });
    expect(new Set(sent.map(({ id }) => id)).size).toBe(11);
  });

  test("T-45 takes at most sixteen questions a round", async () => {
    const keys = Array.from({ length: 17 }, (_, index) => [`q${index}`, form()]);
    const { exchange } = scripted(asking(Object.fromEntries(keys)));
    const onElicit = vi.fn<() => never>(() => accept({ city: "Oslo" }));
    const outcome = await reasonOf(createClient(exchange, { onElicit }).callTool("a"));
    expect(outcome).toMatchObject({ name: "LimitError", limit: "maxQuestions", max: 16 });
    expect(onElicit).not.toHaveBeenCalled();
  });

  test("T-45 comes back later each time where it is asked for nothing but to come back", async () => {
    vi.useFakeTimers();
    const { exchange, sent } = scripted({ resultType: "input_required", requestState: "s" });
    const outcome = reasonOf(createClient(exchange).callTool("a"));
    const counts: number[] = [];
    for (const ms of [249, 1, 499, 1, 999, 1]) {
      await vi.advanceTimersByTimeAsync(ms);
      counts.push(sent.length);
    }
    expect(counts).toEqual([1, 2, 2, 3, 3, 4]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await outcome).toMatchObject({ name: "LimitError", limit: "maxRounds" });
    expect(sent[1]?.params).toEqual({ name: "a", arguments: {}, requestState: "s" });
  });

  test("a result that asks for nothing and has no state is refused", async () => {
    const { exchange } = scripted({ resultType: "input_required" });
    expect(await reasonOf(createClient(exchange).callTool("a"))).toMatchObject({
      name: "DecodeError",
    });
  });

  test("CANC-01 an abort, and closing the client, end the wait for an answer and tell the handler", async () => {
    const controller = new AbortController();
    const signals: AbortSignal[] = [];
    const { exchange } = scripted(asking({ q: form() }));
    let asked: (() => void) | undefined;
    const client = createClient(exchange, {
      onElicit: (_request, { signal }) => {
        signals.push(signal);
        asked?.();
        return new Promise(() => {});
      },
    });
    const begin = async (signal?: AbortSignal) => {
      const reached = new Promise<void>((resolve) => (asked = resolve));
      const outcome = reasonOf(client.callTool("a", {}, { signal }));
      await reached;
      return { outcome };
    };
    const first = await begin(controller.signal);
    const second = await begin();
    controller.abort("enough");
    expect(await first.outcome).toBe("enough");
    await client.close();
    expect(await second.outcome).toMatchObject({ code: "ERR_MCP_TRANSPORT_CLOSED" });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  test("what a handler throws fails the call, and ends the other questions", async () => {
    const { exchange, sent } = scripted(asking({ q: form(), r: { method: "roots/list" } }));
    const fault = new Error("the window is gone");
    let signal: AbortSignal | undefined;
    const client = createClient(exchange, {
      onElicit: (_request, context) => {
        ({ signal } = context);
        return new Promise(() => {});
      },
      roots: () => {
        throw fault;
      },
    });
    expect(await reasonOf(client.callTool("a"))).toBe(fault);
    expect(signal?.reason).toBe(fault);
    expect(sent).toHaveLength(1);
  });

  test("a capability that is declared without a handler says which is missing", async () => {
    const outcome = await failure({ method: "roots/list" }, { capabilities: { roots: {} } });
    expect(String(outcome)).toContain("roots is missing: give it to the client");
  });
});
