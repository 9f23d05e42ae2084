import { isHeaderMismatch } from "../../protocol/errors.ts";
import type { Send } from "../send.ts";
import type { ToolCatalogue } from "./catalogue.ts";

/**
 * Calls a tool with the arguments its definition marks, where the transport mirrors them. A server that
 * finds marks missing or outdated ran nothing: the tools are listed again, and the call is sent once more.
 */
export function withMirroring(
  send: Send,
  catalogue: ToolCatalogue,
  listAgain: (signal: AbortSignal | undefined) => Promise<unknown>,
): Send {
  return async (method, params, options, extras) => {
    const { name } = params;
    if (method !== "tools/call" || typeof name !== "string") {
      return send(method, params, options, extras);
    }
    const call = (): ReturnType<Send> =>
      send(method, params, options, { ...extras, headerParameters: catalogue.parametersOf(name) });
    try {
      return await call();
    } catch (error) {
      if (!isHeaderMismatch(error)) throw error;
      await listAgain(options?.signal);
      return call();
    }
  };
}
