import type { PromptSummary } from "./session.ts";

/** The members read here of what peers print and return; the specification's names. */
export interface Named {
  readonly name: string;
}
interface Content {
  readonly type: string;
  readonly text?: string;
  readonly resource?: { readonly text?: string };
}
export interface ToolCall {
  readonly content: readonly Content[];
  readonly isError?: boolean;
}
export interface ResourceRead {
  readonly contents: readonly { readonly text?: string }[];
}
export interface PromptList {
  readonly prompts: readonly (Named & { readonly arguments?: readonly Named[] })[];
}
export interface PromptGet {
  readonly messages: readonly { readonly content: Content }[];
}

/** The text of a tool's result; throws when the tool reported an error. */
export function textOfCall(result: ToolCall): string {
  const text = result.content.map(textOf).join("\n");
  if (result.isError === true) throw new Error(`the tool reported: ${text}`);
  return text;
}

export function textOfRead(result: ResourceRead): string {
  return result.contents.map((part) => part.text ?? "").join("\n");
}

export function textOfPrompt(result: PromptGet): string {
  return result.messages.map((message) => textOf(message.content)).join("\n");
}

export function promptSummaries(result: PromptList): readonly PromptSummary[] {
  return result.prompts.map((prompt) => ({
    name: prompt.name,
    arguments: (prompt.arguments ?? []).map((argument) => argument.name),
  }));
}

/** The text of a block, or of the resource it embeds. */
function textOf(block: Content): string {
  return block.text ?? block.resource?.text ?? "";
}
