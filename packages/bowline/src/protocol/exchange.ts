import { kindOf } from "../base/known-members.ts";
import type { RequestId } from "../jsonrpc/message.ts";
import type { HeaderParameter } from "./header-parameters.ts";
import type { Call } from "./call.ts";
import type { Result } from "./result.ts";
import type { ServerNotification } from "./notifications.ts";

/**
 * Answers one call with exactly one result, or rejects with an `McpError`. A server is one, a client
 * is given one, middleware wraps one, a gateway maps one to another.
 */
export type Exchange = (call: Call, context: CallContext) => Promise<Result>;

/** Who asks, from verified credentials only: never from `clientInfo`, `_meta` or arguments. */
export interface Principal {
  readonly issuer: string;
  readonly clientId: string;
  readonly subject: string;
  readonly scopes?: readonly string[];
}

/** One text for each principal, the empty one for callers without credentials. */
export function principalKey(principal: Principal | undefined): string {
  if (principal === undefined) return "";
  return JSON.stringify([principal.issuer, principal.clientId, principal.subject]);
}

/** What belongs to one call besides its content. */
export interface CallContext {
  /** Names the call among the active ones of its connection; a subscription is known by it. */
  readonly id: RequestId;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Sends a notification that belongs to this call; settles when the transport took it. */
  readonly notify: (notification: ServerNotification) => Promise<void>;
  readonly principal?: Principal | undefined;
  /** Set by a client that knows the tool: the arguments a transport with headers has to mirror. */
  readonly headerParameters?: readonly HeaderParameter[] | undefined;
}

/** What `notify` gives where the transport took it at once: whoever tells thousands need not wait for it. */
export const TAKEN: Promise<void> = Promise.resolve();

/** Hears that nobody waits for an answer any more. */
export interface Abortable {
  abort(reason: unknown): void;
}

/** A context that tells of its end without an `AbortSignal`, which takes most of a kilobyte. */
export interface LightContext {
  /** False for a second listener, which has to use the signal. */
  onAbort(listener: Abortable): boolean;
}

/** Calls `abort` once when nobody waits any more, at once if that is so. Gives what makes it forget the listener. */
export function whenAborted(
  context: CallContext & Partial<LightContext>,
  listener: Abortable,
): () => void {
  if (context.onAbort?.(listener) === true) return forgetNothing;
  const { signal } = context;
  if (signal.aborted) {
    listener.abort(signal.reason);
    return forgetNothing;
  }
  const onAbort = (): void => listener.abort(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  return () => signal.removeEventListener("abort", onAbort);
}

const forgetNothing = (): void => {};

/** What the two ends of a transport take: a bare exchange, or anything that carries one. */
export type ExchangeSource = Exchange | ExchangeHolder;

export interface ExchangeHolder {
  readonly exchange: Exchange;
  /** Arguments of a tool that HTTP clients mirror in `Mcp-Param-*` headers. */
  readonly headerParameters?: (toolName: string) => readonly HeaderParameter[];
  /** Whether calls need their context's `headerParameters`: the transport has headers. */
  readonly mirrorsArguments?: boolean;
  /** Whether it refuses subscriptions beyond a number itself; otherwise a transport bounds them like calls. */
  readonly boundsSubscriptions?: boolean;
}

/** Throws a `TypeError` that starts with the name of the `caller` for what is neither. */
export function toExchangeHolder(source: ExchangeSource, caller: string): ExchangeHolder {
  if (typeof source === "function") return { exchange: source };
  // JavaScript may give anything.
  const given: Partial<ExchangeHolder> | null | undefined = source;
  if (typeof given?.exchange === "function") return source;
  throw new TypeError(
    `${caller}: the first argument must be a server or an exchange, not ${kindOf(source)}`,
  );
}
