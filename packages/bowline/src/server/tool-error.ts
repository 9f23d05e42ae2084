import { McpError } from "../base/errors.ts";
import type { ContentBlock } from "../protocol/content.ts";

export interface ToolErrorOptions extends ErrorOptions {
  /** Sent in place of the message. */
  readonly content?: readonly ContentBlock[] | undefined;
}

/**
 * A failure the model should read and may correct. Thrown by the handler of a tool it becomes a result
 * with `isError: true` that holds the message, or `content`; everything else of the error stays here.
 */
export class ToolError extends McpError {
  static override readonly kind: string = "ToolError";
  declare readonly code: "ERR_MCP_TOOL";
  readonly content: readonly ContentBlock[];

  constructor(message: string, options: ToolErrorOptions = {}) {
    super(message, options);
    this.code = "ERR_MCP_TOOL";
    this.content = options.content ?? [{ type: "text", text: message }];
  }
}
