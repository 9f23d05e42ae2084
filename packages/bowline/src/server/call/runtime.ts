import type { JsonObject } from "../../json/value.ts";
import type { FaultDetail } from "../options.ts";
import type { RunningCalls } from "./running-calls.ts";

/** What all calls of one server share. */
export interface Runtime {
  /** The `_meta` of results that bring none of their own. */
  readonly meta: JsonObject | undefined;
  readonly running: RunningCalls;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Tells the author of a fault and gives the reference a peer may see. */
  readonly report: (error: unknown, method: string) => string;
}

/** Reports to `onError`; to the console without one, or where it throws itself. */
export function createReport(
  onError: ((error: unknown, detail: FaultDetail) => void) | undefined,
): Runtime["report"] {
  return (error, method) => {
    const detail: FaultDetail = { ref: crypto.randomUUID(), method };
    try {
      if (onError === undefined) logFault(error, detail);
      else onError(error, detail);
    } catch (failure) {
      logFault(failure, detail);
      logFault(error, detail);
    }
    return detail.ref;
  };
}

function logFault(error: unknown, { ref, method }: FaultDetail): void {
  // oxlint-disable-next-line no-console -- a fault nobody listens for must be seen somewhere
  console.error(`bowline: ${method} failed, reference ${ref}`, error);
}
