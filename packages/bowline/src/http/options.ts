import type { OnError } from "../base/fault-report.ts";
import type { Known } from "../base/known-members.ts";
import type { MaybePromise } from "../base/maybe-promise.ts";
import type { Principal } from "../protocol/exchange.ts";
import type { Refusal } from "./respond.ts";
import type { RequestHead } from "./request/head.ts";
import type { ReceivedRequest } from "./request/received-request.ts";
import type { HttpLimitOptions } from "./limits.ts";
import type { OriginOptions } from "./request/origin.ts";
import type { Every } from "./answer/ticker.ts";

/** What both faces of an HTTP server can be told. */
export interface EndpointOptions extends OriginOptions {
  /** Path of the endpoint, also served with a slash after it; default `/mcp`. */
  readonly path?: string | undefined;
  /** Verifies credentials before the body is read. A failure that is no refusal answers 500. */
  readonly authorize?: Authorize | undefined;
  /** Answers what is not of this revision; without it such requests are refused. */
  readonly fallback?: Fallback | undefined;
  readonly limits?: HttpLimitOptions | undefined;
  /** Silence on an event stream after which a comment is sent; default 15 seconds. */
  readonly keepAliveMs?: number | undefined;
  /** How long `close()` lets calls at work finish before it aborts them; default 5 seconds. */
  readonly closeGraceMs?: number | undefined;
  /**
   * Hears of faults of the transport and of a bare exchange, with the reference the peer got. Default:
   * the console. Faults of a server's handlers reach the `onError` of `createServer`.
   */
  readonly onError?: OnError | undefined;
  /** Makes the references of internal errors; default: random UUIDs. */
  readonly createRef?: (() => string) | undefined;
  /** The clock behind keep-alive comments and slow peers; default `setInterval`. */
  readonly every?: Every | undefined;
}

export const ENDPOINT_OPTIONS: Known<EndpointOptions> = {
  path: "string",
  authorize: "function",
  fallback: "function",
  limits: "object",
  keepAliveMs: "number",
  closeGraceMs: "number",
  onError: "function",
  createRef: "function",
  every: "function",
  allowedHosts: "object",
  allowedOrigins: "object",
  cors: "object",
};

/** Says who asks, or turns the request away. */
export type Authorize = (head: RequestHead) => MaybePromise<Authorization>;

export type Authorization = { readonly principal: Principal } | { readonly refusal: Refusal };

/**
 * Answers a request that is not of this revision, or calls `decline`. Rejects with what is answered as an
 * internal error.
 */
export type Fallback = (request: ReceivedRequest, decline: () => void) => Promise<void>;
