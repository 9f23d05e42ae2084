import type { FaultReport } from "../../base/fault-report.ts";
import type { JsonObject } from "../../json/value.ts";
import type { Call } from "../../protocol/call.ts";
import type { CallContext } from "../../protocol/exchange.ts";
import type { ExtensionMethod } from "../extensions/extension.ts";
import type { Rounds } from "../rounds/rounds.ts";
import type { RunningCalls } from "./running-calls.ts";

/** What extensions add. */
export interface Added {
  method(name: string): ExtensionMethod | undefined;
  /** As `server/discover` tells them; undefined without any. */
  capabilities(): { readonly [id: string]: JsonObject } | undefined;
  /** Puts the members of the declared extensions on the context of a handler. */
  addMembers(target: object, call: Call, context: CallContext): void;
}

/** What all calls of one server share. */
export interface Runtime {
  /** The `_meta` of results that bring none of their own. */
  readonly meta: JsonObject | undefined;
  readonly running: RunningCalls;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Tells the author of a fault and gives the reference a peer may see. */
  readonly report: FaultReport;
  readonly extensions: Added;
  /** The input rounds, loaded with the first call that needs them. */
  readonly rounds: () => Promise<Rounds>;
}
