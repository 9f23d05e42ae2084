import { LimitError, TransportError } from "../../base/errors.ts";
import { MAX_PENDING_REQUESTS } from "../../base/limits.ts";
import type { Call } from "../../protocol/call.ts";
import type { CallContext, Exchange } from "../../protocol/exchange.ts";
import type { Result } from "../../protocol/result.ts";
import type { OnStdioDiagnostic } from "../diagnostic.ts";
import type { Restarts } from "./restarts.ts";
import type { RunningServer, ServerEvents } from "./running-server.ts";

export interface KeptServerOptions {
  readonly start: (events: ServerEvents) => RunningServer;
  /** Absent where the end of the server is that of the connection. */
  readonly restarts: Restarts | undefined;
  readonly onDiagnostic: OnStdioDiagnostic;
}

interface Waiter {
  go(server: RunningServer): void;
  fail(reason: unknown): void;
}

/**
 * A server that is started again by the first call after it ended, when nothing of the last process is left. The
 * calls it had in flight fail and are not sent again: they may have run.
 */
export class KeptServer {
  readonly exchange: Exchange;
  /** Settles with the reason when no call will be answered any more. */
  readonly closed: Promise<Error>;
  readonly #options: KeptServerOptions;
  readonly #waiting = new Set<Waiter>();
  #markClosed: (reason: Error) => void = () => undefined;
  #closedBy: Error | undefined;
  /** The one that runs, or ran last. */
  #server: RunningServer;
  #isRunning = true;
  #lastEnd: Error | undefined;
  /** Settles when nothing of the last process is left. */
  #gone: Promise<void> = Promise.resolve();
  #cancelStart: (() => void) | undefined;

  /** Throws what `start` throws. */
  constructor(options: KeptServerOptions) {
    this.#options = options;
    this.closed = new Promise((settle) => (this.#markClosed = settle));
    this.exchange = (call, context) => this.#send(call, context);
    this.#server = this.#start();
  }

  get pid(): number | undefined {
    return this.#server.pid;
  }

  stderr(): string {
    return this.#server.stderr();
  }

  async close(reason: Error, atOnce: boolean): Promise<void> {
    this.#endWith(reason);
    await Promise.all([this.#gone, this.#server.end(reason, atOnce)]);
  }

  #send(call: Call, context: CallContext): Promise<Result> {
    if (this.#isRunning) return this.#server.exchange(call, context);
    return this.#startedFor(context.signal).then((server) => server.exchange(call, context));
  }

  #start(): RunningServer {
    const isCurrent = (): boolean => this.#isRunning && this.#server === server;
    const server: RunningServer = this.#options.start({
      onEnd: (error) => void (isCurrent() && this.#lose(error)),
      onFatal: (error) => void (isCurrent() && this.close(error, true)),
    });
    return server;
  }

  #lose(error: TransportError): void {
    const { restarts, onDiagnostic } = this.#options;
    this.#isRunning = false;
    this.#lastEnd = error;
    this.#gone = this.#server.end(error, true);
    if (restarts === undefined) {
      this.#endWith(error);
      return;
    }
    restarts.drawDelay();
    const message = `${error.message}. The next call starts it again`;
    onDiagnostic({ kind: "server-ended", message });
  }

  #endWith(reason: Error): void {
    if (this.#closedBy !== undefined) return;
    this.#closedBy = reason;
    this.#isRunning = false;
    this.#failWaiting(reason);
    this.#markClosed(reason);
  }

  /** The server, once it is started again for a call that is given up when its signal aborts. */
  #startedFor(signal: AbortSignal): Promise<RunningServer> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      this.#assertStartable();
      const leave = (): void => {
        signal.removeEventListener("abort", onAbort);
        this.#waiting.delete(waiter);
      };
      const waiter: Waiter = {
        go: (server) => {
          leave();
          resolve(server);
        },
        fail: (reason) => {
          leave();
          reject(reason);
        },
      };
      const onAbort = (): void => {
        waiter.fail(signal.reason);
        if (this.#waiting.size === 0) this.#cancelStart?.();
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#waiting.add(waiter);
      this.#schedule();
    });
  }

  #assertStartable(): void {
    if (this.#closedBy !== undefined) throw this.#closedBy;
    const closedForMs = this.#options.restarts?.closedForMs ?? 0;
    if (closedForMs > 0) {
      throw new TransportError("the server process ended too often and is not started again yet", {
        cause: this.#lastEnd,
        hint: `the cause tells of its last end; a call after ${closedForMs} ms starts it again`,
      });
    }
    if (this.#waiting.size >= MAX_PENDING_REQUESTS) {
      const message = `${MAX_PENDING_REQUESTS} requests wait for the server to start again`;
      throw new LimitError("maxPendingRequests", MAX_PENDING_REQUESTS, message);
    }
  }

  #schedule(): void {
    const { restarts } = this.#options;
    if (this.#cancelStart !== undefined || restarts === undefined) return;
    let stop: (() => void) | undefined;
    const cancel = (): void => {
      stop?.();
      this.#cancelStart = undefined;
    };
    this.#cancelStart = cancel;
    const startInTime = async (): Promise<void> => {
      await this.#gone;
      if (this.#cancelStart !== cancel) return;
      stop = restarts.after(restarts.delayMs, () => this.#startAgain(restarts));
    };
    void startInTime();
  }

  #startAgain(restarts: Restarts): void {
    this.#cancelStart = undefined;
    restarts.started();
    try {
      this.#server = this.#start();
    } catch (error) {
      restarts.drawDelay();
      this.#failWaiting(error);
      return;
    }
    this.#isRunning = true;
    for (const waiter of this.#waiting) waiter.go(this.#server);
  }

  #failWaiting(reason: unknown): void {
    this.#cancelStart?.();
    for (const waiter of this.#waiting) waiter.fail(reason);
  }
}
