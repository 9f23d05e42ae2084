import type { MaybePromise } from "../base/maybe-promise.ts";
import type { JsonObject } from "../json/value.ts";
import type { Completion } from "../protocol/completion.ts";
import type { Icon } from "../protocol/implementation.ts";
import type { GetPromptResult, PromptMessage } from "../protocol/prompts.ts";
import type { StringArguments } from "../schema/registered.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import type { StandardSchema } from "../schema/schema.ts";
import type { InputRequired } from "./rounds/manual.ts";
import type { Context } from "./context.ts";
import type { SentTo, Visibility } from "./tool-types.ts";

/** A plain JSON Schema for the arguments of a prompt: an object of strings. */
export interface ArgsJsonSchema extends JsonSchema {
  readonly type: "object";
  readonly properties?:
    | { readonly [name: string]: JsonSchema & { readonly type?: "string" | undefined } }
    | undefined;
}

/** The schema of a prompt's arguments. What a client sends is always strings. */
export type ArgsSchema = StandardSchema<StringArguments, unknown> | ArgsJsonSchema;

/**
 * Suggests values for one argument or template variable: all of them, or the best 100 with `total`.
 *
 * `value` is what was typed so far, `others` what is known of the other arguments.
 */
export type Completer = (
  value: string,
  others: { readonly [name: string]: string },
  ctx: Context,
) => MaybePromise<readonly string[] | Completion>;

export type Completers<N extends string> = { readonly [X in N]?: Completer | undefined };

/** What is listed of a prompt. */
export interface PromptConfig<
  A extends ArgsSchema | undefined = ArgsSchema | undefined,
> extends Visibility {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Checks the arguments. Without it the prompt takes none. */
  readonly argsSchema?: A;
  /** Completion, by argument. */
  readonly complete?: Completers<keyof SentTo<NoInfer<A>> & string> | undefined;
  readonly icons?: readonly Icon[] | undefined;
  readonly _meta?: JsonObject | undefined;
}

/** What the handler of a prompt returns: the text of one user message, messages, or a whole result. */
export type PromptReturn =
  | string
  | PromptMessage
  | readonly PromptMessage[]
  | GetPromptResult
  | InputRequired;
