/**
 * Lets the process end while this timer waits, where the platform can say so (Node, Bun, Deno);
 * elsewhere timers hold nothing up anyway.
 */
export function unrefTimer(timer: unknown): void {
  if (isUnrefable(timer)) timer.unref();
}

function isUnrefable(timer: unknown): timer is { unref(): void } {
  return typeof timer === "object" && timer !== null && "unref" in timer;
}

/** Settles after a time; rejects with the reason of the first signal that aborts. Lets the process end meanwhile. */
export function waitFor(ms: number, signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener("abort", onAbort);
    };
    const onAbort = (): void => {
      end();
      reject(signals.find((signal) => signal.aborted)?.reason);
    };
    const timer = setTimeout(() => {
      end();
      resolve();
    }, ms);
    unrefTimer(timer);
    for (const signal of signals) signal.addEventListener("abort", onAbort, { once: true });
    if (signals.some((signal) => signal.aborted)) onAbort();
  });
}
