import type { Call } from "../protocol/call.ts";
import type { CallContext } from "../protocol/exchange.ts";
import type { Result } from "../protocol/result.ts";

/** The rest of the way to the answer: the next middleware, or the server itself. */
export type Next = (call: Call, context: CallContext) => Promise<Result>;

/**
 * Wraps every method of a server, discovery and subscriptions included. Call `next` at most once, with the same or
 * another call; what it throws is the error that would be answered.
 */
export type Middleware = (call: Call, context: CallContext, next: Next) => Promise<Result>;

/** One exchange out of several layers; the first of them is outermost. */
export function composeMiddleware(layers: readonly Middleware[], innermost: Next): Next {
  return layers.reduceRight<Next>(
    (next, layer) => (call, context) => layer(call, context, next),
    innermost,
  );
}
