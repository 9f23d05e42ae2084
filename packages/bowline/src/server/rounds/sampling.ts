import { isJsonObject, type JsonObject } from "../../json/value.ts";
import type { ClientCapabilities } from "../../protocol/capabilities.ts";
import type { CreateMessageParams } from "../../protocol/deprecated/sampling.ts";
import type { Check } from "../../schema/compile.ts";
import { assertBlock } from "../results/blocks.ts";
import type { AskOptions, Question } from "./question.ts";

/** Asks the client's model. Throws a `TypeError` that names what the specification does not allow. */
export function sampleQuestion(params: CreateMessageParams, options: AskOptions): Question {
  assertParams(params);
  const request = { method: "sampling/createMessage", params } as const;
  return {
    kind: "sample",
    request,
    options,
    requires: { sampling: requiredOf(params) },
    check: checkResult,
    again: () => request,
  };
}

type Required = NonNullable<ClientCapabilities["sampling"]>;

function requiredOf({ tools, toolChoice, includeContext = "none" }: CreateMessageParams): Required {
  return {
    ...(tools === undefined && toolChoice === undefined ? {} : { tools: {} }),
    ...(includeContext === "none" ? {} : { context: {} }),
  };
}

const wrong = (what: string): TypeError => new TypeError(`sample: ${what}`);

function assertParams(params: unknown): asserts params is CreateMessageParams {
  if (!isJsonObject(params)) throw wrong("the parameters are not an object");
  const { messages, maxTokens } = params;
  if (!Number.isSafeInteger(maxTokens) || Number(maxTokens) < 1) {
    throw wrong("maxTokens is not a whole number above 0");
  }
  if (!Array.isArray(messages) || messages.length === 0) {
    throw wrong("messages is not a list with at least one message");
  }
  messages.forEach((message, index) => assertMessage(message, `messages[${index}]`));
  assertToolsAnswered(messages);
  for (const [name, value] of Object.entries(params["modelPreferences"] ?? {})) {
    if (name === "hints") continue;
    if (value === undefined || (typeof value === "number" && value >= 0 && value <= 1)) continue;
    throw wrong(`modelPreferences.${name} is not a number from 0 to 1`);
  }
}

function assertMessage(message: unknown, where: string): void {
  if (!isJsonObject(message)) throw wrong(`${where} is not a message`);
  const { role, content } = message;
  if (role !== "user" && role !== "assistant") {
    throw wrong(`${where}.role is neither "user" nor "assistant"`);
  }
  const blocks = blocksOf(content);
  blocks.forEach((block, index) =>
    assertSamplingBlock(block, `sample: ${where}.content[${index}]`),
  );
}

const blocksOf = (content: unknown): readonly unknown[] =>
  Array.isArray(content) ? content : [content];

function assertSamplingBlock(block: unknown, where: string): void {
  assertBlock(block, where);
  if (!isJsonObject(block)) return;
  const { type } = block;
  if (type === "tool_use") {
    const { id, name, input } = block;
    if (typeof id === "string" && typeof name === "string" && isJsonObject(input)) return;
    throw new TypeError(`${where} needs id, name and input`);
  }
  if (type === "tool_result") {
    const { toolUseId, content } = block;
    if (typeof toolUseId !== "string" || !Array.isArray(content)) {
      throw new TypeError(`${where} needs toolUseId and content`);
    }
    content.forEach((inner, index) => assertBlock(inner, `${where}.content[${index}]`));
  }
}

/** Every wish for a tool is answered by the very next message, which holds nothing else. */
function assertToolsAnswered(messages: readonly unknown[]): void {
  let wanted: readonly string[] = [];
  messages.forEach((message, index) => {
    const where = `messages[${index}]`;
    const { role, content }: JsonObject = isJsonObject(message) ? message : {};
    const blocks = blocksOf(content).filter(isJsonObject);
    const results = idsOf(blocks, "tool_result", "toolUseId");
    if (results.length > 0 && (results.length < blocks.length || role !== "user")) {
      throw wrong(`${where}: tool results stand in a message of the user without anything else`);
    }
    if (wanted.length !== results.length || !wanted.every((id) => results.includes(id))) {
      throw wrong(`${where}: each tool_use before it needs its tool_result there, and no other`);
    }
    wanted = role === "assistant" ? idsOf(blocks, "tool_use", "id") : [];
  });
  if (wanted.length > 0) throw wrong("the last message leaves a tool_use without its tool_result");
}

function idsOf(blocks: readonly JsonObject[], type: string, member: string): readonly string[] {
  return blocks
    .filter((block) => block["type"] === type)
    .map((block) => block[member])
    .filter((id) => typeof id === "string");
}

function checkResult(response: unknown): Check {
  try {
    assertMessage(response, "the answer");
  } catch (error) {
    return { ok: false, issues: [{ path: "", message: String(error) }] };
  }
  const { model, stopReason }: JsonObject = isJsonObject(response) ? response : {};
  if (typeof model !== "string") {
    return { ok: false, issues: [{ path: "/model", message: "must be a string" }] };
  }
  if (stopReason !== undefined && typeof stopReason !== "string") {
    return { ok: false, issues: [{ path: "/stopReason", message: "must be a string" }] };
  }
  return { ok: true, value: response };
}
