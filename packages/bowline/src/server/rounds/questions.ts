import type { MaybePromise } from "../../base/maybe-promise.ts";
import type {
  CreateMessageParams,
  CreateMessageResult,
} from "../../protocol/deprecated/sampling.ts";
import type { Root } from "../../protocol/deprecated/roots.ts";
import type { FormCache } from "../../schema/form/form-cache.ts";
import type { FormSchema } from "../../schema/form/form-schema.ts";
import type { OutputOf } from "../../schema/schema.ts";
import type { Conversation } from "./conversation.ts";
import { formQuestion, urlQuestion } from "./elicitation.ts";
import type { AskOptions } from "./question.ts";
import { rootsQuestion } from "./roots.ts";
import { sampleQuestion } from "./sampling.ts";
import type { StepContext } from "./steps.ts";

/** What a user did with a form: filled it in, refused, or closed it without a choice. */
export type Answer<T> =
  | { readonly action: "accept"; readonly content: T }
  | { readonly action: "decline" }
  | { readonly action: "cancel" };

/** The same for a question without fields. */
export interface Consent {
  readonly action: "accept" | "decline" | "cancel";
}

/**
 * What a handler can ask the client for while it works.
 *
 * A question ends the pass: the handler is run again from the top once the client has answered, and then the same question
 * has its answer. So what stands before a question runs once in every round, unless it is a `step`. All of them
 * reject with `-32021` where the client did not declare what they need.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
export interface Questions {
  /** Asks the user. With a schema it is a form, and what was filled in has been checked against it. */
  elicit(message: string, schema?: undefined, options?: AskOptions): Promise<Consent>;
  elicit<const S extends FormSchema>(
    message: string,
    schema: S,
    options?: AskOptions,
  ): Promise<Answer<OutputOf<S>>>;
  /**
   * Asks the user to open a page of yours, for secrets and payments. `accept` says that the page may be opened, not that
   * anything was done there.
   */
  elicitUrl(message: string, url: string | URL, options?: AskOptions): Promise<Consent>;
  /** Asks the client's model. Deprecated in the specification: better to call a model yourself. */
  sample(params: CreateMessageParams, options?: AskOptions): Promise<CreateMessageResult>;
  /** The folders the client works in; asked once per call. Deprecated in the specification: better to take arguments. */
  roots(): Promise<readonly Root[]>;
  /**
   * Runs a function once on the path a client follows; later passes get what it returned, which has to be plain JSON.
   * Its name is used once in a pass. What it rejects with is not kept.
   */
  step<R>(name: string, run: (step: StepContext) => MaybePromise<R>): Promise<R>;
}

/** The questions of one pass. */
export class PassQuestions {
  readonly #conversation: Conversation;
  readonly #forms: FormCache;
  #roots: Promise<unknown> | undefined;

  constructor(conversation: Conversation, forms: FormCache) {
    this.#conversation = conversation;
    this.#forms = forms;
  }

  elicit(message: string, schema?: FormSchema, options: AskOptions = {}): Promise<unknown> {
    return this.#conversation.ask(formQuestion(message, schema, options, this.#forms));
  }

  elicitUrl(message: string, url: string | URL, options: AskOptions = {}): Promise<unknown> {
    return this.#conversation.ask(urlQuestion(message, url, options));
  }

  sample(params: CreateMessageParams, options: AskOptions = {}): Promise<unknown> {
    return this.#conversation.ask(sampleQuestion(params, options));
  }

  roots(): Promise<unknown> {
    return (this.#roots ??= this.#conversation.ask(rootsQuestion()));
  }

  step(name: string, run: (step: StepContext) => MaybePromise<unknown>): Promise<unknown> {
    return this.#conversation.step(name, run);
  }
}
