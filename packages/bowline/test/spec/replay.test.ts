/** Random handlers, run live and by replay: the client must not be able to tell. */
import { expect, test } from "vitest";
import * as z from "zod";
import type { Context } from "../../src/server/context.ts";
import { createServer } from "../../src/server/create-server.ts";
import { createRandom } from "../random.ts";
import { textOf } from "../rounds.ts";

const PROGRAMS = 2_000;
const AT_A_TIME = 50;
const MAX_QUESTIONS = 8;
const MAX_DEPTH = 4;

/** What a handler does. Every program has a text for its result. */
type Program =
  | { readonly kind: "ask"; readonly text: string }
  | { readonly kind: "step"; readonly name: string; readonly ticks: number }
  | { readonly kind: "wait"; readonly ms: number; readonly part: Program }
  | { readonly kind: "sequence" | "parallel"; readonly parts: readonly Program[] }
  | { readonly kind: "choose"; readonly by: Program; readonly of: readonly Program[] }
  | { readonly kind: "catch"; readonly part: Program };

/** The part of a context that programs use. */
interface Asking {
  ask(text: string): Promise<string>;
  step(name: string, run: () => Promise<string>): Promise<string>;
}

function createProgram(seed: number): Program {
  const random = createRandom(seed);
  let questions = 0;
  let names = 0;
  const leaf = (): Program => {
    if (questions < MAX_QUESTIONS && random(3) > 0) {
      questions += 1;
      // Few texts, so that many are asked more than once.
      return { kind: "ask", text: `question ${random(6)}` };
    }
    names += 1;
    return { kind: "step", name: `step ${names}`, ticks: random(3) };
  };
  const several = (depth: number): readonly Program[] =>
    Array.from({ length: 2 + random(3) }, () => create(depth + 1));
  const create = (depth: number): Program => {
    if (depth === MAX_DEPTH) return leaf();
    switch (random(8)) {
      case 0:
      case 1:
        return { kind: "sequence", parts: several(depth) };
      case 2:
      case 3:
        return { kind: "parallel", parts: several(depth) };
      case 4:
        return { kind: "choose", by: create(depth + 1), of: several(depth) };
      case 5:
        return { kind: "wait", ms: random(4), part: create(depth + 1) };
      case 6:
        return { kind: "catch", part: create(depth + 1) };
      default:
        return leaf();
    }
  };
  return create(0);
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    if (ms === 0) setImmediate(resolve);
    else setTimeout(resolve, ms);
  });

const sumOf = (text: string): number =>
  Array.from(text, (letter) => letter.charCodeAt(0)).reduce(
    (sum, unit) => (sum * 31 + unit) % 65_521,
    7,
  );

async function run(program: Program, context: Asking, ran: string[]): Promise<string> {
  switch (program.kind) {
    case "ask":
      return context.ask(program.text);
    case "step":
      return context.step(program.name, async () => {
        ran.push(program.name);
        for (let tick = 0; tick < program.ticks; tick += 1) await pause(0);
        return `${program.name} done`;
      });
    case "wait":
      await pause(program.ms);
      return run(program.part, context, ran);
    case "sequence": {
      const texts: string[] = [];
      for (const part of program.parts) texts.push(await run(part, context, ran));
      return texts.join(", ");
    }
    case "parallel":
      return (await Promise.all(program.parts.map((part) => run(part, context, ran)))).join(" & ");
    case "choose": {
      const by = await run(program.by, context, ran);
      const chosen = program.of[sumOf(by) % program.of.length];
      return chosen === undefined ? by : `(${by}) ${await run(chosen, context, ran)}`;
    }
    case "catch":
      return run(program.part, context, ran).catch(() => {
        ran.push("fallback");
        return "fallback";
      });
    default:
      return "";
  }
}

const answerTo = (text: string): string => `answer ${sumOf(text)}`;

async function runLive(program: Program): Promise<{ text: string; ran: readonly string[] }> {
  const ran: string[] = [];
  const live: Asking = {
    ask: async (text) => {
      await pause(0);
      return answerTo(text);
    },
    step: (_name, work) => work(),
  };
  return { text: await run(program, live, ran), ran };
}

const FORM = z.object({ answer: z.string() });

function asking(ctx: Context): Asking {
  return {
    ask: async (text) => {
      const answer = await ctx.elicit(text, FORM);
      return answer.action === "accept" ? answer.content.answer : answer.action;
    },
    step: (name, work) => ctx.step(name, work),
  };
}

async function runReplayed(
  program: Program,
  questions: string[],
): Promise<{ text: string; ran: readonly string[] }> {
  const ran: string[] = [];
  const server = createServer({ name: "replay", version: "1.0.0" }).tool("run", {}, (_args, ctx) =>
    run(program, asking(ctx), ran),
  );
  const text = await textOf(server, { name: "run" }, (request) => {
    if (request.method !== "elicitation/create") return undefined;
    const { message } = request.params;
    questions.push(message);
    return { action: "accept", content: { answer: answerTo(message) } };
  });
  return { text, ran };
}

test(`rules 1 to 6: ${PROGRAMS} random handlers end the same replayed as live, and each step runs once`, async () => {
  const differences: unknown[] = [];
  const questions: string[] = [];
  const compare = async (seed: number): Promise<void> => {
    const program = createProgram(seed);
    const [live, replayed] = await Promise.all([runLive(program), runReplayed(program, questions)]);
    const sorted = (ran: readonly string[]): string => ran.toSorted().join();
    if (live.text === replayed.text && sorted(live.ran) === sorted(replayed.ran)) return;
    differences.push({ seed, live, replayed });
  };
  for (let first = 0; first < PROGRAMS; first += AT_A_TIME) {
    // oxlint-disable-next-line no-await-in-loop -- all at once would only wait for each other
    await Promise.all(Array.from({ length: AT_A_TIME }, (_, index) => compare(first + index)));
  }
  expect(differences).toEqual([]);
  expect(questions.length).toBeGreaterThan(PROGRAMS);
}, 120_000);
