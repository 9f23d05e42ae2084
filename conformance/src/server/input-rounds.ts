import type { Server } from "bowline";
import * as z from "zod";

const NAME = z.object({ name: z.string().describe("Your name") });
const COLOR = z.object({ color: z.string().describe("Your favorite color") });
const CONFIRMATION = z.object({ ok: z.boolean().describe("Go on?") });

const greeting = {
  messages: [{ role: "user", content: { type: "text", text: "Write a greeting." } }],
  maxTokens: 100,
} as const;
const question = {
  messages: [{ role: "user", content: { type: "text", text: "What is the capital of France?" } }],
  maxTokens: 100,
} as const;

/** Tools that ask the client one thing before they answer. */
export function addAskingTools(server: Server): void {
  server
    .tool(
      "test_input_required_result_elicitation",
      { description: "Asks for a name" },
      async (_args, ctx) => {
        const answer = await ctx.elicit("What is your name?", NAME, { key: "user_name" });
        return answer.action === "accept" ? `Hello, ${answer.content.name}!` : "No name was given.";
      },
    )
    .tool(
      "test_input_required_result_sampling",
      { description: "Asks the client's model" },
      async (_args, ctx) => {
        const { model } = await ctx.sample(question, { key: "capital_question" });
        return `The model ${model} answered.`;
      },
    )
    .tool(
      "test_input_required_result_list_roots",
      { description: "Asks for the client's folders" },
      async (_args, ctx) => `The client has ${(await ctx.roots()).length} roots.`,
    )
    .tool(
      "test_input_required_result_request_state",
      { description: "Asks for a confirmation" },
      async (_args, ctx) => {
        const { action } = await ctx.elicit("Go on?", CONFIRMATION, { key: "confirm" });
        return `state-ok: ${action}`;
      },
    );
}

/** Tools that ask several things, or only what the client can be asked. */
export function addMoreAskingTools(server: Server): void {
  server
    .tool(
      "test_input_required_result_multiple_inputs",
      { description: "Asks three things at once" },
      async (_args, ctx) => {
        const [name, { model }, roots] = await Promise.all([
          ctx.elicit("What is your name?", NAME, { key: "user_name" }),
          ctx.sample(greeting, { key: "greeting" }),
          ctx.roots(),
        ]);
        return `${name.action}, ${model}, ${roots.length} roots`;
      },
    )
    .tool(
      "test_input_required_result_multi_round",
      { description: "Asks twice, one after the other" },
      async (_args, ctx) => {
        const first = await ctx.elicit("Step 1: your name?", NAME, { key: "step1" });
        const second = await ctx.elicit("Step 2: your favorite color?", COLOR, { key: "step2" });
        return `${first.action}, ${second.action}`;
      },
    )
    .tool(
      "test_input_required_result_tampered_state",
      { description: "Keeps its state sealed" },
      async (_args, ctx) => {
        const { action } = await ctx.elicit("Go on?", CONFIRMATION, { key: "confirm" });
        return `confirmed: ${action}`;
      },
    )
    .tool(
      "test_input_required_result_capabilities",
      { description: "Asks only what the client can do" },
      async (_args, ctx) => {
        if (ctx.client.capabilities.elicitation !== undefined) {
          return (await ctx.elicit("What is your name?", NAME)).action;
        }
        return `The model ${(await ctx.sample(question)).model} answered.`;
      },
    );
}

/** A prompt that asks the client before it is made. */
export function addAskingPrompt(server: Server): void {
  server.prompt(
    "test_input_required_result_prompt",
    { description: "Asks what it is about" },
    async (_args, ctx) => {
      const schema = z.object({ context: z.string().describe("What is it about?") });
      const answer = await ctx.elicit("What is it about?", schema, { key: "user_context" });
      return answer.action === "accept" ? `Think about ${answer.content.context}.` : "Think.";
    },
  );
}
