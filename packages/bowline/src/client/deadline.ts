import { TimeoutError } from "../base/errors.ts";
import { unrefTimer } from "../base/timer.ts";
import type { Abortable, LightContext } from "../protocol/exchange.ts";

/** Bounds on the wait for one answer. */
export interface DeadlineOptions {
  /** The caller's own signal. */
  readonly signal?: AbortSignal | undefined;
  /** Longest silence, in milliseconds; every progress notification starts it again. */
  readonly timeoutMs: number;
  /** Longest wait in all, in milliseconds, whatever the progress. */
  readonly maxTotalTimeoutMs: number;
}

/**
 * The wait for one answer: joins the caller's signal with both timeouts. A timeout aborts with a `TimeoutError` that
 * names the limit, so that it is never taken for the caller's abort or for an error of the peer.
 *
 * `end` must be called once the wait is over. The signal is made when it is first read, because it costs as much as
 * the rest of a call; a transport that listens by `onAbort` needs none.
 */
export interface Deadline extends LightContext {
  readonly signal: AbortSignal;
  /** The answer, unless the wait ends before. */
  wait<T>(answer: Promise<T>): Promise<T>;
  /** Gives up for a reason of its own. */
  abort(reason: unknown): void;
  /** A sign of life arrived. */
  extend(): void;
  end(): void;
}

/** Throws the reason of the caller's signal where it has aborted already. */
export function startDeadline(options: DeadlineOptions): Deadline {
  options.signal?.throwIfAborted();
  return new StartedDeadline(options);
}

class StartedDeadline implements Deadline {
  readonly #options: DeadlineOptions;
  readonly #startedMs = performance.now();
  /** Fires first without progress; the other is started by the first sign of life. */
  #idle: Timer | undefined;
  #total: Timer | undefined;
  /** The reason, once there is one. */
  #end: { readonly reason: unknown } | undefined;
  #controller: AbortController | undefined;
  #listener: Abortable | undefined;
  #reject: ((reason: unknown) => void) | undefined;
  readonly #cancel: (() => void) | undefined;

  constructor(options: DeadlineOptions) {
    this.#options = options;
    const { signal, timeoutMs, maxTotalTimeoutMs } = options;
    const isTotal = maxTotalTimeoutMs < timeoutMs;
    this.#idle = isTotal ? this.#start("maxTotalTimeoutMs") : this.#start("timeoutMs");
    if (signal === undefined) return;
    this.#cancel = () => this.abort(signal.reason);
    signal.addEventListener("abort", this.#cancel, { once: true });
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#end !== undefined) this.#controller.abort(this.#end.reason);
    }
    return this.#controller.signal;
  }

  onAbort(listener: Abortable): boolean {
    if (this.#listener !== undefined) return false;
    this.#listener = listener;
    if (this.#end !== undefined) listener.abort(this.#end.reason);
    return true;
  }

  wait<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      answer.then(resolve, reject);
      if (this.#end !== undefined) reject(this.#end.reason);
    });
  }

  abort(reason: unknown): void {
    if (this.#end !== undefined) return;
    this.#end = { reason };
    this.#reject?.(reason);
    this.#listener?.abort(reason);
    this.#controller?.abort(reason);
  }

  extend(): void {
    if (this.#end !== undefined) return;
    const { timeoutMs, maxTotalTimeoutMs } = this.#options;
    if (maxTotalTimeoutMs < timeoutMs) return;
    clearTimeout(this.#idle);
    this.#idle = this.#start("timeoutMs");
    const waitedMs = performance.now() - this.#startedMs;
    this.#total ??= this.#start("maxTotalTimeoutMs", maxTotalTimeoutMs - waitedMs);
  }

  end(): void {
    clearTimeout(this.#idle);
    clearTimeout(this.#total);
    if (this.#cancel !== undefined) {
      this.#options.signal?.removeEventListener("abort", this.#cancel);
    }
  }

  #start(
    name: "timeoutMs" | "maxTotalTimeoutMs",
    ms: number = this.#options[name],
  ): Timer | undefined {
    return startTimer(() => this.abort(new TimeoutError(name, this.#options[name])), ms);
  }
}

/** Waits no longer than the options say; what is waited for goes on. */
export async function waitWithin<T>(options: DeadlineOptions, promise: Promise<T>): Promise<T> {
  const deadline = startDeadline(options);
  try {
    return await deadline.wait(promise);
  } finally {
    deadline.end();
  }
}

type Timer = ReturnType<typeof setTimeout>;

/** What platforms take for a timer; with more they fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

/** None where there is no limit: `Infinity`. */
function startTimer(run: () => void, ms: number): Timer | undefined {
  if (ms === Number.POSITIVE_INFINITY) return undefined;
  const timer = setTimeout(run, Math.min(ms, MAX_TIMER_MS));
  unrefTimer(timer);
  return timer;
}
