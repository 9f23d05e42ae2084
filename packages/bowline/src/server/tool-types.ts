import type { MaybePromise } from "../base/maybe-promise.ts";
import type { JsonObject } from "../json/value.ts";
import type { ClientCapabilities } from "../protocol/capabilities.ts";
import type { ContentBlock } from "../protocol/content.ts";
import type { Principal } from "../protocol/exchange.ts";
import type { Icon } from "../protocol/implementation.ts";
import type { CallToolResult, ToolAnnotations } from "../protocol/tools.ts";
import type { InputOf, OutputOf, Schema } from "../schema/schema.ts";
import type { Context } from "./context.ts";
import type { InputRequired } from "./rounds/manual.ts";

/** Who sees a tool, prompt or resource. Where given, lists that hold it are private to the caller. */
export interface Visibility {
  /** Shown and callable only where the principal's scopes include all of these. */
  readonly scopes?: readonly string[] | undefined;
  /** Shown and callable only where this returns `true`. Called for every list and call: keep it quick. */
  readonly visible?: ((principal: Principal | undefined) => boolean) | undefined;
}

/** What is listed of a tool, and what is checked around its handler. */
export interface ToolConfig<
  I extends Schema | undefined = Schema | undefined,
  O extends Schema | undefined = Schema | undefined,
> extends Visibility {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Checks the arguments. Without it the tool takes none. */
  readonly inputSchema?: I;
  /** Checks what the handler returns, which becomes the result's `structuredContent`. */
  readonly outputSchema?: O;
  readonly annotations?: ToolAnnotations | undefined;
  readonly icons?: readonly Icon[] | undefined;
  readonly _meta?: JsonObject | undefined;
  /** What the client must be able to do; a call without it is refused before the handler runs. */
  readonly requires?: ClientCapabilities | undefined;
  /** Refuses a request state that came before. The server needs the option `engine`. */
  readonly once?: boolean | undefined;
}

/** What a client sends to a tool with the input schema `I`. */
export type SentTo<I> = [I] extends [undefined] ? {} : AsArguments<InputOf<I>>;

/** What a handler gets for the input schema `I`. */
export type ArgumentsOf<I> = [I] extends [undefined] ? {} : AsArguments<OutputOf<I>>;

/** What a client gets from a tool with the output schema `O`. */
export type GotFrom<O> = [O] extends [undefined] ? undefined : OutputOf<O>;

/** What a handler returns for the output schema `O`. */
export type ReturnOf<O> = [O] extends [undefined] ? undefined : InputOf<O>;

/** Written out, so that the declarations others emit for their servers need no name for it. */
type AsArguments<A> = unknown extends A ? { readonly [name: string]: unknown } : A;

/** What a handler without `outputSchema` returns: text, blocks, or a whole result. */
export type ToolReply = string | ContentBlock | readonly ContentBlock[] | CallToolResult;

/** A whole result that carries the value of the `outputSchema`. */
export interface StructuredResult<R> extends Omit<CallToolResult, "structuredContent"> {
  readonly structuredContent: R;
}

/** A whole result that tells the model of a failure. */
export interface ErrorResult extends CallToolResult {
  readonly isError: true;
}

/** What the handler of a tool may return, `R` being the value of its `outputSchema`, if it has one. */
export type ToolReturn<R> =
  | ([R] extends [undefined] ? ToolReply : R | StructuredResult<R>)
  | ErrorResult
  | InputRequired
  | (Literals & Unknowable<R>);

/**
 * Keeps literals in a handler's body from widening while `R` is still being inferred: without such a
 * context `() => ({ unit: "C" })` is a `{ unit: string }`. Matches nothing once `R` is known.
 */
type Literals =
  | ""
  | 0
  | true
  | null
  | undefined
  | (string & {})
  | (number & {})
  | readonly []
  | readonly [Literals, ...Literals[]]
  | { readonly [key: string]: Literals };

declare const NEVER: unique symbol;
type Unknowable<R> = R extends typeof NEVER ? unknown : never;

/** The handler of a tool. */
export type ToolHandler<I, O, C = unknown> = (
  args: ArgumentsOf<I>,
  ctx: Context & C,
) => MaybePromise<ToolReturn<ReturnOf<O>>>;
