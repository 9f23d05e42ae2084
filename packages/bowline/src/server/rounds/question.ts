import type { MaybePromise } from "../../base/maybe-promise.ts";
import type { ClientCapabilities } from "../../protocol/capabilities.ts";
import type { InputRequest } from "../../protocol/input/input-rounds.ts";
import type { Check } from "../../schema/compile.ts";
import type { Issue } from "../../schema/issues.ts";

/** How one question is put. */
export interface AskOptions {
  /**
   * The question's name on the wire, for hosts and tests; default `elicit-1`, `sample-2`, … A client that knows
   * the name may answer with the first request, before it is asked; the answer is checked like any other.
   */
  readonly key?: string | undefined;
  /** How often it is put in all while the answers do not match; default 3. */
  readonly attempts?: number | undefined;
  /** Rejects with a `TimeoutError` where the answer comes later than this many milliseconds after it was first put. */
  readonly timeoutMs?: number | undefined;
}

/** A question of a handler, ready to be put. */
export interface Question {
  /** Starts the keys that are made up for it. */
  readonly kind: "elicit" | "sample" | "roots";
  readonly request: InputRequest;
  readonly options: AskOptions;
  /** What the client has to be able to do. */
  readonly requires: ClientCapabilities;
  /** Checks what a client answered; the value is what the handler gets. */
  check(response: unknown): MaybePromise<Check>;
  /** The question put once more, with what was wrong. */
  again(issues: readonly Issue[]): InputRequest;
}
