import type { FaultReport } from "../../base/fault-report.ts";
import type { JsonObject } from "../../json/value.ts";
import type { Extensions } from "../extensions.ts";
import type { Rounds } from "../rounds/rounds.ts";
import type { RunningCalls } from "./running-calls.ts";

/** What all calls of one server share. */
export interface Runtime {
  /** The `_meta` of results that bring none of their own. */
  readonly meta: JsonObject | undefined;
  readonly running: RunningCalls;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Tells the author of a fault and gives the reference a peer may see. */
  readonly report: FaultReport;
  readonly extensions: Extensions;
  /** The input rounds, loaded with the first call that needs them. */
  readonly rounds: () => Promise<Rounds>;
}
