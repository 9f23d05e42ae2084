import type { RpcError } from "../base/errors.ts";
import { RETRY_AFTER_SECONDS } from "../base/limits.ts";
import { encodeError } from "../jsonrpc/encode.ts";
import type { RequestId } from "../jsonrpc/message.ts";
import { toErrorObject } from "../protocol/answer/error-object.ts";
import { isPlainFieldValue } from "./field-value.ts";

/** Names and values in turn: the form Node takes without another copy. */
export type FlatHeaders = readonly string[];

/** A body in one piece, or in pieces to be written in one go. */
export type ReplyBody = string | Uint8Array | readonly (string | Uint8Array)[];

/** A whole answer. The faces add its length. */
export interface Reply {
  readonly status: number;
  readonly headers: FlatHeaders;
  readonly body: ReplyBody;
  /** Whether the connection is not to be used again. */
  readonly close: boolean;
}

/** Where an answer goes; each face has one. All of it does nothing once the client is gone. */
export interface Outlet {
  send(reply: Reply): void;
  /** Starts an answer that comes in pieces, with the first of them, which may be empty; false as with `write`. */
  open(status: number, headers: FlatHeaders, chunk: string): boolean;
  /** Adds to it. False: the client is behind; `drained` of the consumer follows. */
  write(chunk: string | Uint8Array): boolean;
  end(chunk: string): void;
  /** Cuts the connection. */
  destroy(): void;
  /** Bytes written that the client has not taken. */
  readonly queued: number;
  /** Says who hears of the connection from now on. */
  attach(consumer: OutletConsumer): void;
  /** Calls `flush` of the consumer once the promises settled by now have run their course. */
  defer(): void;
}

/** What an outlet tells the one who writes to it. */
export interface OutletConsumer {
  flush(): void;
  drained(): void;
  /** The client is gone: nobody waits for the answer any more. */
  disconnected(): void;
  /** The client takes nothing of what was written; the connection is about to be cut. */
  stalled(): void;
}

const SAFE_HEADERS: FlatHeaders = [
  "Cache-Control",
  "no-store",
  "X-Content-Type-Options",
  "nosniff",
];

const JSON_HEADERS: FlatHeaders = ["Content-Type", "application/json", ...SAFE_HEADERS];

export const EVENT_STREAM_HEADERS: FlatHeaders = [
  "Content-Type",
  "text/event-stream",
  "Cache-Control",
  "no-store, no-cache, no-transform",
  "X-Accel-Buffering",
  "no",
  "X-Content-Type-Options",
  "nosniff",
];

const RETRY_LATER: FlatHeaders = ["Retry-After", String(RETRY_AFTER_SECONDS)];

/** Those of a JSON answer with this status. */
export function jsonHeadersOf(status: number): FlatHeaders {
  return status === 429 || status === 503 ? [...JSON_HEADERS, ...RETRY_LATER] : JSON_HEADERS;
}

export interface RefusalOptions {
  readonly id?: RequestId | undefined;
  readonly headers?: FlatHeaders;
  readonly close?: boolean;
}

/** An answer without a body. */
export function emptyReply(status: number, headers: FlatHeaders = []): Reply {
  return { status, headers: [...SAFE_HEADERS, ...headers], body: "", close: false };
}

/** An answer whose body is a JSON-RPC error; without an id it answers no particular message. */
export function errorReply(status: number, error: RpcError, options: RefusalOptions = {}): Reply {
  const { id, headers = [], close = false } = options;
  return {
    status,
    headers: [...JSON_HEADERS, ...headers],
    body: encodeError(id, toErrorObject(error)),
    close,
  };
}

/** Turns a client away for now. */
export function busyReply(status: 429 | 503, error: RpcError, options: RefusalOptions = {}): Reply {
  const headers = [...RETRY_LATER, ...(options.headers ?? [])];
  return errorReply(status, error, { ...options, headers });
}

/** Turns a request away that shows no acceptable credentials. */
export interface Refusal {
  /** 400 to 599; mostly 401 or 403. */
  readonly status: number;
  readonly headers?: { readonly [name: string]: string };
}

/** The answer of `authorize`. Throws a `TypeError` for a header that could end early. */
export function refusalReply(refusal: Refusal): Reply {
  const { status } = refusal;
  if (!(Number.isInteger(status) && status >= 400 && status < 600)) {
    throw new TypeError(`status ${String(status)} is no refusal`);
  }
  const headers: string[] = [];
  for (const [name, value] of Object.entries(refusal.headers ?? {})) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || !isPlainFieldValue(value)) {
      throw new TypeError(`header ${JSON.stringify(name)} cannot be sent`);
    }
    headers.push(name, value);
  }
  return emptyReply(status, headers);
}
