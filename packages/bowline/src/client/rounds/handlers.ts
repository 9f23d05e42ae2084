import type { MaybePromise } from "../../base/maybe-promise.ts";
import type { ClientCapabilities } from "../../protocol/capabilities.ts";
import type { Root } from "../../protocol/deprecated/roots.ts";
import type {
  CreateMessageParams,
  CreateMessageResult,
} from "../../protocol/deprecated/sampling.ts";
import type {
  ElicitFormParams,
  ElicitResult,
  ElicitUrlParams,
} from "../../protocol/input/elicitation.ts";

/** What a question belongs to. */
export interface InputContext {
  /** Aborted when nobody waits for the answer any more: the call was cancelled, or another question failed. */
  readonly signal: AbortSignal;
  /** Of the call that the server works on, such as `"tools/call"`. */
  readonly method: string;
  /** The tool or prompt, or the URI of the resource. */
  readonly name: string;
  /** Under which the server asks. */
  readonly key: string;
  /** 0 for the first time the server asks during this call. */
  readonly round: number;
}

/**
 * Who answers when a server asks while it works on a call. What there is a handler for is declared as a capability.
 *
 * What a handler throws fails the call. Show the user which server asks: by the name you know it under, not by what it
 * says of itself.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
 */
export interface InputHandlers {
  /**
   * Has the user fill in a form. Fields left out get their defaults; the rest is checked as it was asked before it is
   * sent. Texts are the server's: show them as plain text.
   */
  readonly onElicit?:
    | ((request: ElicitFormParams, context: InputContext) => MaybePromise<ElicitResult>)
    | undefined;
  /**
   * Asks the user to open a page: https, or http on this machine. Show the whole URL and wait for consent before anything
   * is sent to it.
   */
  readonly onElicitUrl?:
    | ((request: ElicitUrlParams, context: InputContext) => MaybePromise<ElicitResult>)
    | undefined;
  /** Asks the model. */
  readonly onSample?:
    | ((request: CreateMessageParams, context: InputContext) => MaybePromise<CreateMessageResult>)
    | undefined;
  /** Folders and files the server may know of, as canonical `file://` URIs. */
  readonly roots?:
    | readonly Root[]
    | ((context: InputContext) => MaybePromise<readonly Root[]>)
    | undefined;
}

export interface RoundsOptions {
  readonly handlers: InputHandlers;
  /** As sent with every request. */
  readonly capabilities: ClientCapabilities;
  /** Aborted when the client is closed. */
  readonly closed: AbortSignal;
}

/** What the handlers can do, and what is said besides. */
export function capabilitiesOf(
  { onElicit, onElicitUrl, onSample, roots }: InputHandlers,
  said: ClientCapabilities = {},
): ClientCapabilities {
  const elicitation = {
    ...(onElicit === undefined ? {} : { form: {} }),
    ...(onElicitUrl === undefined ? {} : { url: {} }),
  };
  return {
    ...said,
    ...(onElicit === undefined && onElicitUrl === undefined
      ? {}
      : { elicitation: { ...elicitation, ...said.elicitation } }),
    ...(onSample === undefined ? {} : { sampling: { ...said.sampling } }),
    ...(roots === undefined ? {} : { roots: { ...said.roots } }),
  };
}
