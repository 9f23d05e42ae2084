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
