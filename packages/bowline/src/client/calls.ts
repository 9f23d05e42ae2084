import type { JsonObject } from "../json/value.ts";
import type { Result } from "../protocol/result.ts";
import type { CallOptions, Client } from "./client.ts";
import { assertShape, type ResultShape } from "./result.ts";
import * as shapes from "./result.ts";
import type { Send } from "./send.ts";

export type CallMembers = Pick<
  Client,
  "discover" | "callTool" | "readResource" | "getPrompt" | "complete"
>;

/** The members of a client that make one call. */
export function callMembers(send: Send): CallMembers {
  const call = async <R>(
    method: string,
    shape: ResultShape<R>,
    params: object,
    options?: CallOptions,
  ): Promise<R & Result> =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- typed arguments have no index signature
    assertShape(await send(method, params as JsonObject, options), method, shape);
  return {
    discover: (options) => call("server/discover", shapes.DISCOVER, {}, options),
    callTool: (name, args, options) =>
      call("tools/call", shapes.TOOL_RESULT, { name, arguments: args ?? {} }, options),
    readResource: (uri, options) => call("resources/read", shapes.READ_RESOURCE, { uri }, options),
    getPrompt: (name, args, options) =>
      call("prompts/get", shapes.PROMPT, { name, arguments: args ?? {} }, options),
    complete: async (params, options) =>
      (await call("completion/complete", shapes.COMPLETION, params, options)).completion,
  };
}
