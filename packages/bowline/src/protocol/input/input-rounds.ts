import type { JsonObject } from "../../json/value.ts";
import type { CreateMessageParams, CreateMessageResult } from "../deprecated/sampling.ts";
import type { ListRootsResult } from "../deprecated/roots.ts";
import type { ElicitFormParams, ElicitResult, ElicitUrlParams } from "./elicitation.ts";
import type { Result } from "../result.ts";

/**
 * What a server may ask for while it works on a call: the request it would send, without `jsonrpc` and `id`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
export type InputRequest =
  | { readonly method: "elicitation/create"; readonly params: ElicitFormParams | ElicitUrlParams }
  | { readonly method: "sampling/createMessage"; readonly params: CreateMessageParams }
  | { readonly method: "roots/list"; readonly params?: { readonly _meta?: JsonObject } };

/** By a key of the server's choice. */
export interface InputRequests {
  readonly [key: string]: InputRequest;
}

export type InputResponse = ElicitResult | CreateMessageResult | ListRootsResult;

/** The answers, under the keys of the questions. */
export interface InputResponses {
  readonly [key: string]: InputResponse;
}

/** The answer to a call that cannot be finished before the client has given more. */
export interface InputRequiredResult extends Result {
  readonly resultType: "input_required";
  readonly inputRequests?: InputRequests;
  /** Comes back as it is with the answers. */
  readonly requestState?: string;
}
