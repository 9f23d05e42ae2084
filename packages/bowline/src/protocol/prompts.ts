import type { JsonObject } from "../json/value.ts";
import type { CacheHints } from "./caching.ts";
import type { ContentBlock, Role } from "./content.ts";
import type { Icon } from "./implementation.ts";
import type { Page } from "./pagination.ts";
import type { CompleteResult } from "./result.ts";

export interface PromptArgument {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required?: boolean;
}

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts */
export interface Prompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly PromptArgument[];
  readonly icons?: readonly Icon[];
  readonly _meta?: JsonObject;
}

export interface PromptMessage {
  readonly role: Role;
  readonly content: ContentBlock;
}

export interface ListPromptsResult extends CompleteResult, CacheHints, Page {
  readonly prompts: readonly Prompt[];
}

/** What a prompt gives. As a handler's return value, `resultType` and `_meta` may be left out. */
export interface GetPromptResult {
  readonly resultType?: "complete" | undefined;
  readonly description?: string | undefined;
  readonly messages: readonly PromptMessage[];
  readonly _meta?: JsonObject | undefined;
}
