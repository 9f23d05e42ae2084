import { DEFERRED_MS } from "../../base/limits.ts";
import type { MaybePromise } from "../../base/maybe-promise.ts";

/** Runs what a handler put off, the last one first, one after the other. What fails or takes too long is reported. */
export async function runDeferred(
  deferred: readonly (() => MaybePromise<void>)[],
  report: (error: unknown) => void,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), DEFERRED_MS);
  });
  const run = async (): Promise<void> => {
    for (const cleanup of deferred.toReversed()) {
      try {
        await cleanup();
      } catch (error) {
        report(error);
      }
    }
  };
  const outcome = await Promise.race([run(), late]);
  clearTimeout(timer);
  if (outcome === "late")
    report(new Error(`deferred functions take longer than ${DEFERRED_MS} ms`));
}
