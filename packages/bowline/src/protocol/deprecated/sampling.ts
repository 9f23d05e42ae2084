import type { JsonObject, JsonValue } from "../../json/value.ts";
import type { AudioContent, ContentBlock, ImageContent, Role, TextContent } from "../content.ts";
import type { Tool } from "../tools.ts";

/** A model's wish to use one of the tools of the same request. */
export interface ToolUseContent {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly _meta?: JsonObject;
}

/** What came of such a wish. */
export interface ToolResultContent {
  readonly type: "tool_result";
  readonly toolUseId: string;
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: JsonValue;
  readonly isError?: boolean;
  readonly _meta?: JsonObject;
}

export type SamplingContent =
  | TextContent
  | ImageContent
  | AudioContent
  | ToolUseContent
  | ToolResultContent;

export interface SamplingMessage {
  readonly role: Role;
  readonly content: SamplingContent | readonly SamplingContent[];
  readonly _meta?: JsonObject;
}

export interface ModelPreferences {
  /** Parts of model names, the most wanted first. */
  readonly hints?: readonly { readonly name?: string }[];
  /** 0 to 1, like the other two. */
  readonly costPriority?: number;
  readonly speedPriority?: number;
  readonly intelligencePriority?: number;
}

/** Asks the client's model. @see https://modelcontextprotocol.io/specification/2026-07-28/client/sampling */
export interface CreateMessageParams {
  readonly messages: readonly SamplingMessage[];
  readonly maxTokens: number;
  readonly systemPrompt?: string;
  readonly modelPreferences?: ModelPreferences;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  readonly metadata?: JsonObject;
  /** For this request alone; needs the client's `sampling.tools`. */
  readonly tools?: readonly Tool[];
  readonly toolChoice?: { readonly mode?: "auto" | "required" | "none" };
  /** Other than `"none"` it is deprecated, and needs the client's `sampling.context`. */
  readonly includeContext?: "none" | "thisServer" | "allServers";
}

export interface CreateMessageResult {
  readonly role: Role;
  readonly content: SamplingContent | readonly SamplingContent[];
  readonly model: string;
  /** `endTurn`, `stopSequence`, `maxTokens`, `toolUse`, or one of the provider's own. */
  readonly stopReason?: string;
  readonly _meta?: JsonObject;
}
