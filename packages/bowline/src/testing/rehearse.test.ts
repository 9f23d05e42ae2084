import { afterEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { createServer } from "../server/create-server.ts";
import type { Context } from "../server/context.ts";
import { rehearse } from "./index.ts";

const INFO = { name: "test", version: "1.0.0" };
const CALL = { name: "order", arguments: {} };
const NAME = z.object({ name: z.string() });

const ordering = (handler: (ctx: Context) => Promise<string>) =>
  createServer(INFO, { serverInfo: false, onError: () => {} }).tool("order", {}, (_args, ctx) =>
    handler(ctx),
  );

const accept = () => ({ action: "accept", content: { name: "Ann" } });

let timers: NodeJS.Timeout[] = [];
afterEach(() => {
  for (const timer of timers) clearTimeout(timer);
  timers = [];
});

describe("rehearse", () => {
  test("answers what a handler asks, and gives the rounds and the result", async () => {
    const server = ordering(async (ctx) => {
      const price = await ctx.step("price", () => Math.random());
      const answer = await ctx.elicit(`Pay ${price}?`, NAME);
      const roots = await ctx.roots();
      return answer.action === "accept" ? `${answer.content.name} ${roots.length}` : "";
    });
    const seen: unknown[] = [];
    const rehearsal = await rehearse(server, "tools/call", CALL, {
      answer: ({ key, request, round }) => {
        seen.push([key, request.method, round]);
        return request.method === "roots/list" ? { roots: [] } : accept();
      },
    });
    expect(rehearsal).toEqual({
      result: { resultType: "complete", content: [{ type: "text", text: "Ann 0" }] },
      rounds: [
        {
          inputRequests: { "elicit-1": expect.objectContaining({ method: "elicitation/create" }) },
        },
        { inputRequests: { "roots-2": { method: "roots/list" } } },
      ],
      problems: [],
    });
    expect(seen).toEqual([
      ["elicit-1", "elicitation/create", 0],
      ["roots-2", "roots/list", 1],
    ]);
  });

  test("rule B tells of a question that changes from pass to pass", async () => {
    let clock = 0;
    const server = ordering(async (ctx) => {
      clock += 1;
      const fixed = ctx.elicit("Who?", NAME);
      // Settled after the second look, so that the call comes to an end.
      const changing = ctx.elicit(`It is ${Math.min(clock, 3)}, go on?`);
      return (await Promise.all([fixed, changing])).map(({ action }) => action).join();
    });
    const { problems } = await rehearse(server, "tools/call", CALL, { answer: accept });
    expect(problems[0]).toBe(
      'round 1: the question elicit-2, "It is 1, go on?", is another one when it is asked again: put what changes into ctx.step()',
    );
  });

  test("rule D tells of what is left behind at a pause", async () => {
    const server = ordering(async (ctx) => {
      timers.push(setTimeout(() => {}, 60_000));
      return (await ctx.elicit("Who?", NAME)).action;
    });
    const { problems } = await rehearse(server, "tools/call", CALL, { answer: accept });
    expect(problems).toEqual(["round 1: a timer is left behind at the pause: use ctx.defer()"]);
  });

  test("and says nothing where it is given back", async () => {
    const server = ordering(async (ctx) => {
      const timer = setTimeout(() => {}, 60_000);
      ctx.defer(() => clearTimeout(timer));
      return (await ctx.elicit("Who?", NAME)).action;
    });
    const { problems } = await rehearse(server, "tools/call", CALL, { answer: accept });
    expect(problems).toEqual([]);
  });

  test("rejects with the error a client would get", async () => {
    const server = ordering(async (ctx) => (await ctx.elicit("Who?", NAME)).action);
    await expect(
      rehearse(server, "tools/call", CALL, { clientCapabilities: {} }),
    ).rejects.toMatchObject({ rpcCode: -32021 });
    await expect(
      rehearse(server, "tools/call", CALL, { answer: () => ({ action: "perhaps" }) }),
    ).rejects.toMatchObject({ rpcCode: -32602 });
  });

  test("ends where a question is never answered", async () => {
    const server = ordering(async (ctx) => (await ctx.elicit("Who?", NAME)).action);
    await expect(rehearse(server, "tools/call", CALL)).rejects.toMatchObject({ rpcCode: -32603 });
  });

  test("prompts and resources are rehearsed as well", async () => {
    const server = createServer(INFO, { serverInfo: false })
      .prompt("p", {}, async (_args, ctx) => (await ctx.elicit("Who?", NAME)).action)
      .resource("a:1", {}, async (ctx) => (await ctx.elicit("Who?", NAME)).action);
    const prompt = await rehearse(server, "prompts/get", { name: "p" }, { answer: accept });
    expect(prompt.result["messages"]).toEqual([
      { role: "user", content: { type: "text", text: "accept" } },
    ]);
    const read = await rehearse(server, "resources/read", { uri: "a:1" }, { answer: accept });
    expect(read.result["contents"]).toEqual([{ uri: "a:1", text: "accept" }]);
  });

  test("what may be used once, or corrects an answer, breaks no rule", async () => {
    const kv = new Set<string>();
    const engine = {
      kv: { put: async (key: string) => (kv.has(key) ? undefined : (kv.add(key), "1")) },
    };
    const server = createServer(INFO, { engine, serverInfo: false }).tool(
      "order",
      { once: true },
      async (_args, ctx) => (await ctx.elicit("Who?", NAME)).action,
    );
    const answers = [{ action: "accept", content: {} }, accept()];
    const { problems, rounds } = await rehearse(server, "tools/call", CALL, {
      answer: () => answers.shift(),
    });
    expect([problems, rounds.length]).toEqual([[], 2]);
  });
});
