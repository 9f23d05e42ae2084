import { mirroredArgument } from "../protocol/header-parameters.ts";
import type { Call } from "../protocol/call.ts";
import type { ClientCapabilities } from "../protocol/capabilities.ts";
import type { LoggingLevel } from "../protocol/deprecated/logging.ts";
import type { CallContext, Principal } from "../protocol/exchange.ts";
import type { HeaderParameter } from "../protocol/header-parameters.ts";
import type { Implementation } from "../protocol/implementation.ts";
import type { Meta } from "../protocol/meta.ts";
import type { ServerNotification } from "../protocol/notifications.ts";
import {
  assertLogMessage,
  createLogger,
  type LogData,
  LogReporter,
  type Logger,
} from "./call/logger.ts";
import type { Outlet } from "./call/outlet.ts";
import { assertProgress, ProgressReporter } from "./call/progress.ts";
import type { Runtime } from "./call/runtime.ts";

/** What one request says of the client that sent it. */
export interface ClientOfCall {
  /** Unverified: for display, logs and debugging only. */
  readonly info: Implementation | undefined;
  readonly capabilities: ClientCapabilities;
}

/**
 * What belongs to one call. Members can be taken out: `({ city }, { progress, log }) => …`.
 *
 * Once the call is over, or nobody waits for it any more, `progress` and `log` do nothing.
 */
export interface Context {
  /** Aborts when nobody waits for the answer, when the handler runs for too long, and when the server closes. */
  readonly signal: AbortSignal;
  /** Who asks, from verified credentials; undefined without authorization. */
  readonly principal: Principal | undefined;
  readonly client: ClientOfCall;
  /** The request's `_meta`: the trace context, and under `raw` the keys of others. */
  readonly meta: Meta;
  readonly call: Call;
  /** How often the client has answered questions of this call: 0 on the first pass. */
  readonly round: number;
  /**
   * Tells the client how far the work is, if it wants to know. Values must grow: others are reported to
   * `onError` and not sent. Fast ones are held back, the latest replacing the one before, so that not
   * every value arrives but the last one does. Throws a `TypeError` for a value that is not finite.
   */
  readonly progress: (progress: number, total?: number, message?: string) => Promise<void>;
  /** Tells the client what happens, if it asked for messages of that level. Keep secrets out. */
  readonly log: Logger;
  /**
   * The argument that clients mirror in the header `Mcp-Param-<name>`, as text, whatever the transport;
   * undefined where it was not sent or the tool has no such parameter.
   */
  readonly header: (name: string) => string | undefined;
}

const NONE: readonly HeaderParameter[] = [];

/** The context of one call. Everything that costs something is made when it is first read. */
export class HandlerContext implements Context, Outlet {
  readonly call: Call;
  readonly round: number;
  /** What was called: `tool "x"`. */
  subject: string | undefined = undefined;
  readonly #runtime: Runtime;
  readonly #transport: CallContext;
  readonly #headers: readonly HeaderParameter[];
  #isOver = false;
  #ended: { readonly reason: unknown } | undefined = undefined;
  #controller: AbortController | undefined = undefined;
  #onAbort: (() => void) | undefined = undefined;
  #client: ClientOfCall | undefined = undefined;
  #progress: Context["progress"] | undefined = undefined;
  #progressReporter: ProgressReporter | undefined = undefined;
  #log: Logger | undefined = undefined;
  #logReporter: LogReporter | undefined = undefined;
  #header: Context["header"] | undefined = undefined;

  constructor(
    runtime: Runtime,
    call: Call,
    transport: CallContext,
    headers: readonly HeaderParameter[] = NONE,
  ) {
    this.call = call;
    this.round = 0;
    this.#runtime = runtime;
    this.#transport = transport;
    this.#headers = headers;
  }

  get meta(): Meta {
    return this.call.meta;
  }

  get principal(): Principal | undefined {
    return this.#transport.principal;
  }

  get client(): ClientOfCall {
    const { clientInfo: info, clientCapabilities: capabilities } = this.call.meta;
    return (this.#client ??= { info, capabilities });
  }

  get signal(): AbortSignal {
    return (this.#controller ??= this.#createController()).signal;
  }

  get progress(): Context["progress"] {
    return (this.#progress ??= (progress, total, message) =>
      this.#reportProgress(progress, total, message));
  }

  get log(): Logger {
    return (this.#log ??= createLogger((level, data, logger) =>
      this.#reportLog(level, data, logger),
    ));
  }

  get header(): Context["header"] {
    return (this.#header ??= (name) => this.#readHeader(name));
  }

  /** The transport waits for nothing more of this call, or it was ended by the server. */
  get isAbandoned(): boolean {
    return this.#ended !== undefined || this.#transport.signal.aborted;
  }

  /** Ends the call from this side: the signal aborts with `reason`, and nothing more is sent. */
  end(reason: unknown): void {
    this.#ended ??= { reason };
    this.#controller?.abort(reason);
  }

  /** Sends what was held back, then closes the call; a promise only if there is something to wait for. */
  finish(): Promise<void> | undefined {
    const progress = this.#progressReporter?.flush();
    const log = this.#logReporter?.flush();
    this.#isOver = true;
    if (this.#onAbort !== undefined) {
      this.#transport.signal.removeEventListener("abort", this.#onAbort);
      this.#onAbort = undefined;
    }
    if (progress === undefined) return log;
    return log === undefined ? progress : progress.then(() => log);
  }

  send(notification: ServerNotification): Promise<void> {
    if (this.#isOver || this.isAbandoned) return Promise.resolve();
    try {
      return this.#transport
        .notify(notification)
        .then(undefined, (error: unknown) => this.#failedToSend(error));
    } catch (error) {
      this.#failedToSend(error);
      return Promise.resolve();
    }
  }

  /** Tells the author of a fault that nobody waits for any more. */
  report(error: unknown): void {
    this.#runtime.report(error, this.call.method, { subject: this.subject });
  }

  drop(error: unknown): void {
    this.#runtime.report(error, this.call.method, { subject: this.subject, dropped: true });
  }

  now(): number {
    return this.#runtime.now();
  }

  #failedToSend(error: unknown): void {
    // A client that left is no fault; its handler learns of it from the signal.
    if (!this.isAbandoned) this.drop(error);
  }

  #createController(): AbortController {
    const controller = new AbortController();
    const { signal } = this.#transport;
    if (this.#ended !== undefined) controller.abort(this.#ended.reason);
    else if (signal.aborted) controller.abort(signal.reason);
    else if (!this.#isOver) {
      this.#onAbort = () => controller.abort(signal.reason);
      signal.addEventListener("abort", this.#onAbort, { once: true });
    }
    return controller;
  }

  #reportProgress(progress: number, total?: number, message?: string): Promise<void> {
    assertProgress(progress, total, message);
    const { progressToken } = this.call.meta;
    if (progressToken === undefined || this.#isOver) return Promise.resolve();
    this.#progressReporter ??= new ProgressReporter(progressToken, this);
    return this.#progressReporter.report(progress, total, message);
  }

  #reportLog(level: LoggingLevel, data: LogData, logger?: string): Promise<void> {
    const { logLevel } = this.call.meta;
    if (logLevel === undefined || this.#isOver) return Promise.resolve();
    assertLogMessage(data, logger);
    this.#logReporter ??= new LogReporter(logLevel, this);
    return this.#logReporter.report(level, data, logger);
  }

  #readHeader(name: string): string | undefined {
    const wanted = name.toLowerCase();
    const parameter = this.#headers.find((candidate) => candidate.name.toLowerCase() === wanted);
    if (parameter === undefined) return undefined;
    const value = mirroredArgument(parameter, this.call.params["arguments"]);
    return value === undefined || typeof value === "object" ? undefined : String(value);
  }
}
