import { McpError, RpcError } from "../../base/errors.ts";
import { isSendableCode } from "../../protocol/answer/error-object.ts";
import { internalError } from "../../protocol/errors.ts";
import type { HandlerContext } from "../context.ts";
import type { Runtime } from "./runtime.ts";

/**
 * What a call is rejected with. An `RpcError` that was thrown on purpose is the answer; anything else is
 * reported, and the peer sees nothing of it but a reference.
 */
export function toAnswer(
  error: unknown,
  runtime: Runtime,
  method: string,
  subject?: string,
): RpcError {
  // Errors of other peers are theirs.
  if (RpcError.is(error) && error.origin === "local" && isSendableCode(error.rpcCode)) return error;
  const about = subject === undefined ? {} : { subject };
  return internalError(runtime.report(error, method, about), error);
}

/**
 * The same for a handler. Where nobody waits for its answer any more the signal's reason is kept, and an
 * abort that the handler passed on is no fault.
 */
export function toHandlerAnswer(
  error: unknown,
  runtime: Runtime,
  context: HandlerContext,
): unknown {
  const { call, subject } = context;
  if (!context.isAbandoned) return toAnswer(error, runtime, call.method, subject);
  const { reason } = context.signal;
  if (error !== reason && !isAbort(error)) context.report(error);
  return reason;
}

function isAbort(error: unknown): boolean {
  return McpError.is(error) || (error instanceof Error && error.name === "AbortError");
}
