import type { Call } from "../../protocol/call.ts";
import type { CallContext } from "../../protocol/exchange.ts";
import type { Result } from "../../protocol/result.ts";

/** Answers the requests of one method; what it throws is answered as an error. */
export type MethodHandler = (call: Call, context: CallContext) => Result | Promise<Result>;
