import type { MaybePromise } from "../base/maybe-promise.ts";
import type { ToolTypes } from "../schema/registered.ts";
import type { Schema } from "../schema/schema.ts";
import type { Context } from "./context.ts";
import type {
  ArgumentsOf,
  GotFrom,
  ReturnOf,
  SentTo,
  ToolConfig,
  ToolReturn,
} from "./tool-types.ts";

/** A tool in a value, for `server.add()`. */
export interface ToolDefinition<N extends string = string, V extends ToolTypes = ToolTypes> {
  readonly name: N;
  readonly config: ToolConfig;
  handler(args: unknown, ctx: Context): unknown;
  /** For the compiler only; never set. */
  readonly "~types"?: V;
}

/** The types of several definitions, by name. */
export type ToolsOf<D extends ToolDefinition> = {
  readonly [X in D as X["name"]]: X extends ToolDefinition<string, infer V> ? V : never;
};

/**
 * A tool that is registered later, with `server.add()`: one file for each tool, and a large server
 * compiles faster than by chained calls of `.tool()`. Nothing is checked before it is added.
 *
 * @example
 * export const now = defineTool("now", { description: "Current time" }, () => new Date().toISOString());
 * createServer(info).add(now);
 */
export function defineTool<
  const N extends string,
  const I extends Schema | undefined = undefined,
  const O extends Schema | undefined = undefined,
>(
  name: N,
  config: ToolConfig<I, O>,
  handler: (args: ArgumentsOf<I>, ctx: Context) => MaybePromise<ToolReturn<ReturnOf<NoInfer<O>>>>,
): ToolDefinition<N, ToolTypes<SentTo<I>, GotFrom<O>>> {
  return { name, config, handler };
}
