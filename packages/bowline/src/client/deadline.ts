import { TimeoutError } from "../base/errors.ts";
import { unrefTimer } from "../base/timer.ts";

/** Bounds on the wait for one answer. */
export interface DeadlineOptions {
  /** The caller's own signal. */
  readonly signal?: AbortSignal | undefined;
  /** Longest silence, in milliseconds; every progress notification starts it again. */
  readonly timeoutMs: number;
  /** Longest wait in all, in milliseconds, whatever the progress. */
  readonly maxTotalTimeoutMs: number;
}

/** The wait for one answer. `end` must be called once it is over. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Rejects with the signal's reason when it aborts; never resolves. */
  readonly aborted: Promise<never>;
  /** Gives up for a reason of its own. */
  abort(reason: unknown): void;
  /** A sign of life arrived. */
  extend(): void;
  end(): void;
}

/**
 * Joins the caller's signal with both timeouts. A timeout aborts with a `TimeoutError` that names the
 * limit, so that it is never taken for the caller's abort or for an error of the peer.
 */
export function startDeadline(options: DeadlineOptions): Deadline {
  const { signal, timeoutMs, maxTotalTimeoutMs } = options;
  signal?.throwIfAborted();
  const controller = new AbortController();
  const expire = (name: string, ms: number): void => {
    controller.abort(new TimeoutError(name, ms));
  };
  const startIdle = (): Timer => startTimer(() => expire("timeoutMs", timeoutMs), timeoutMs);
  const cancel = (): void => controller.abort(signal?.reason);

  let idle = startIdle();
  const total = startTimer(() => expire("maxTotalTimeoutMs", maxTotalTimeoutMs), maxTotalTimeoutMs);
  signal?.addEventListener("abort", cancel, { once: true });

  const aborted = new Promise<never>((_, reject) => {
    controller.signal.addEventListener("abort", () => reject(controller.signal.reason), {
      once: true,
    });
  });
  // The answer may win the race: then nobody is left to handle a late abort.
  aborted.catch(() => undefined);

  return {
    signal: controller.signal,
    aborted,
    abort: (reason) => controller.abort(reason),
    extend: () => {
      if (controller.signal.aborted) return;
      clearTimeout(idle);
      idle = startIdle();
    },
    end: () => {
      clearTimeout(idle);
      clearTimeout(total);
      signal?.removeEventListener("abort", cancel);
    },
  };
}

/** Waits no longer than the options say; what is waited for goes on. */
export async function waitWithin<T>(options: DeadlineOptions, promise: Promise<T>): Promise<T> {
  const deadline = startDeadline(options);
  try {
    return await Promise.race([promise, deadline.aborted]);
  } finally {
    deadline.end();
  }
}

type Timer = ReturnType<typeof setTimeout>;

function startTimer(run: () => void, ms: number): Timer {
  const timer = setTimeout(run, ms);
  unrefTimer(timer);
  return timer;
}
