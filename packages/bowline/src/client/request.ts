import { DecodeError, TransportError } from "../base/errors.ts";
import { assertOptions, type Known } from "../base/known-members.ts";
import { isJsonObject } from "../json/value.ts";
import type { ClientCapabilities } from "../protocol/capabilities.ts";
import type { LoggingLevel, LoggingMessageNotification } from "../protocol/deprecated/logging.ts";
import {
  TAKEN,
  type Abortable,
  type CallContext,
  type Exchange,
  type LightContext,
} from "../protocol/exchange.ts";
import type { Implementation } from "../protocol/implementation.ts";
import {
  META_CLIENT_CAPABILITIES,
  META_CLIENT_INFO,
  META_LOG_LEVEL,
  META_PROTOCOL_VERSION,
  type Meta,
} from "../protocol/meta.ts";
import type { ServerNotification } from "../protocol/notifications.ts";
import type { ProgressNotification } from "../protocol/progress.ts";
import type { Result } from "../protocol/result.ts";
import { PROTOCOL_VERSION } from "../protocol/versioning.ts";
import type { CallOptions } from "./client.ts";
import { startDeadline, type Deadline } from "./deadline.ts";
import type { Extras, Send } from "./send.ts";

/** Who asks, and how long an answer may take unless a call says otherwise. */
export interface RequesterOptions {
  readonly info: Implementation;
  readonly capabilities: ClientCapabilities;
  readonly timeoutMs: number;
  readonly maxTotalTimeoutMs: number;
}

export interface Requester {
  /** Makes one trip. */
  readonly send: Send;
  /** Fails what is under way and everything after it. */
  close(): void;
}

export const CALL_OPTIONS: Known<CallOptions> = {
  signal: "object",
  timeoutMs: "number",
  maxTotalTimeoutMs: "number",
  onProgress: "function",
  onLog: "function",
  logLevel: "string",
  meta: "object",
  cache: "string",
  retries: "number",
};

/** The client was closed. */
export const closedError = (): TransportError =>
  new TransportError("the client is closed", { code: "ERR_MCP_TRANSPORT_CLOSED" });

/** Gives every request its id, its `_meta`, its deadline and its own notifications. */
export function createRequester(exchange: Exchange, settings: RequesterOptions): Requester {
  const active = new Set<Deadline>();
  let lastId = 0;
  let isClosed = false;

  const send: Send = async (method, params, options = {}, extras = {}) => {
    assertOptions(method, options, CALL_OPTIONS);
    if (isClosed) throw closedError();
    const deadline = startDeadline({
      signal: options.signal,
      timeoutMs: options.timeoutMs ?? settings.timeoutMs,
      maxTotalTimeoutMs: options.maxTotalTimeoutMs ?? settings.maxTotalTimeoutMs,
    });
    active.add(deadline);
    lastId += 1;
    const id = lastId;
    const { onNotification } = extras;
    const listener =
      onNotification === undefined
        ? createListener(id, options, deadline)
        : { receive: (told: ServerNotification) => onNotification(told, id), end: () => {} };
    const context = new Trip(id, deadline, listener, extras);
    try {
      const call = { method, params, meta: createMeta(id, settings, options) };
      return assertResultType(
        await deadline.wait(exchange(call, context)),
        method,
        extras.resultTypes,
      );
    } finally {
      listener.end();
      deadline.end();
      active.delete(deadline);
    }
  };

  return {
    send,
    close: () => {
      isClosed = true;
      for (const deadline of active) deadline.abort(closedError());
    },
  };
}

/** The context of one trip; its members that cost are made when they are read. */
class Trip implements CallContext, LightContext {
  readonly id: number;
  readonly headerParameters: Extras["headerParameters"];
  readonly #deadline: Deadline;
  readonly #listener: NotificationListener;

  constructor(id: number, deadline: Deadline, listener: NotificationListener, extras: Extras) {
    this.id = id;
    this.headerParameters = extras.headerParameters;
    this.#deadline = deadline;
    this.#listener = listener;
  }

  get signal(): AbortSignal {
    return this.#deadline.signal;
  }

  onAbort(listener: Abortable): boolean {
    return this.#deadline.onAbort(listener);
  }

  get notify(): CallContext["notify"] {
    return (notification) => this.#receive(notification);
  }

  #receive(notification: ServerNotification): Promise<void> {
    try {
      this.#listener.receive(notification);
    } catch (error) {
      // A callback of the caller threw: that is the caller's outcome, not the server's.
      this.#deadline.abort(error);
    }
    return TAKEN;
  }
}

function createMeta(id: number, settings: RequesterOptions, options: CallOptions): Meta {
  const progressToken = options.onProgress === undefined ? undefined : id;
  const logLevel: LoggingLevel | undefined =
    options.onLog === undefined ? options.logLevel : (options.logLevel ?? "info");
  return {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: settings.capabilities,
    clientInfo: settings.info,
    logLevel,
    progressToken,
    traceparent: undefined,
    tracestate: undefined,
    baggage: undefined,
    raw: {
      ...options.meta,
      [META_PROTOCOL_VERSION]: PROTOCOL_VERSION,
      [META_CLIENT_INFO]: settings.info,
      [META_CLIENT_CAPABILITIES]: settings.capabilities,
      ...(progressToken === undefined ? {} : { progressToken }),
      ...(logLevel === undefined ? {} : { [META_LOG_LEVEL]: logLevel }),
    },
  };
}

interface NotificationListener {
  receive(notification: ServerNotification): void;
  end(): void;
}

/**
 * Hands the notifications of one call to its callbacks. Progress that does not grow, or that names a
 * token of another call, is dropped; nothing is handed on once the call is over.
 */
function createListener(
  token: number,
  options: CallOptions,
  deadline: Deadline,
): NotificationListener {
  let highest = Number.NEGATIVE_INFINITY;
  let ended = false;
  return {
    receive: (notification) => {
      if (ended) return;
      if (isProgress(notification)) {
        const { progress, progressToken } = notification.params;
        if (progressToken !== token || !(progress > highest)) return;
        highest = progress;
        deadline.extend();
        options.onProgress?.(notification.params);
      } else if (isLogMessage(notification)) {
        options.onLog?.(notification.params);
      }
    },
    end: () => {
      ended = true;
    },
  };
}

function isProgress(notification: ServerNotification): notification is ProgressNotification {
  return (
    notification.method === "notifications/progress" &&
    isJsonObject(notification.params) &&
    typeof notification.params["progress"] === "number"
  );
}

function isLogMessage(
  notification: ServerNotification,
): notification is LoggingMessageNotification {
  return (
    notification.method === "notifications/message" &&
    isJsonObject(notification.params) &&
    typeof notification.params["level"] === "string"
  );
}

/** RPC-16 to RPC-18: an absent `resultType` means complete; anything not asked for is refused. */
function assertResultType(result: Result, method: string, others: readonly string[] = []): Result {
  const type: unknown = result.resultType;
  if (type === undefined || type === "complete") return result;
  if (typeof type === "string" && others.includes(type)) return result;
  throw new DecodeError(
    `the answer to ${method} has resultType ${JSON.stringify(type)}, which this client did not ask for`,
    {
      path: "/resultType",
      expected: ["complete", ...others].map((name) => `"${name}"`).join(" or "),
    },
  );
}
