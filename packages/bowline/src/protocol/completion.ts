import type { CompleteResult } from "./result.ts";

export interface PromptReference {
  readonly type: "ref/prompt";
  readonly name: string;
  readonly title?: string;
}

export interface ResourceTemplateReference {
  readonly type: "ref/resource";
  /** A URI or a URI template. */
  readonly uri: string;
}

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion */
export interface CompleteParams {
  readonly ref: PromptReference | ResourceTemplateReference;
  readonly argument: { readonly name: string; readonly value: string };
  readonly context?: { readonly arguments?: { readonly [name: string]: string } };
}

export interface Completion {
  /** At most 100, best match first. */
  readonly values: readonly string[];
  readonly total?: number;
  readonly hasMore?: boolean;
}

export interface CompletionResult extends CompleteResult {
  readonly completion: Completion;
}
