import type { JsonObject, JsonValue } from "../json/value.ts";
import type { CacheHints } from "./caching.ts";
import type { ContentBlock } from "./content.ts";
import type { Icon } from "./implementation.ts";
import type { Page } from "./pagination.ts";
import type { CompleteResult } from "./result.ts";

/** Hints for people; not to be trusted for decisions unless the server is trusted. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools */
export interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonObject & { readonly type: "object" };
  readonly outputSchema?: JsonObject;
  readonly annotations?: ToolAnnotations;
  readonly icons?: readonly Icon[];
  readonly _meta?: JsonObject;
}

export interface ListToolsResult extends CompleteResult, CacheHints, Page {
  readonly tools: readonly Tool[];
}

export interface CallToolParams {
  readonly name: string;
  readonly arguments?: JsonObject;
}

/** What a tool call gives. As a handler's return value, `resultType` and `_meta` may be left out. */
export interface CallToolResult {
  readonly resultType?: "complete" | undefined;
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: JsonValue | undefined;
  readonly isError?: boolean | undefined;
  readonly _meta?: JsonObject | undefined;
}
