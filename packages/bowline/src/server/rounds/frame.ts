import type { Call } from "../../protocol/call.ts";
import type { Principal } from "../../protocol/exchange.ts";
import type { Result } from "../../protocol/result.ts";

/** What a conversation needs of the one call that it is part of. */
export interface Frame {
  readonly call: Call;
  readonly principal: Principal | undefined;
  readonly signal: AbortSignal;
  /** The step whose function is being entered at this moment: it cannot ask. */
  enteredStep: string | undefined;
  /** From here on the pass does more than repeat an earlier one: progress and logs go out. */
  unmute(): void;
  /** The pass is over. The handler stays where it waits, and this is the answer. */
  pause(outcome: Promise<Result>): void;
  report(error: unknown): void;
}
