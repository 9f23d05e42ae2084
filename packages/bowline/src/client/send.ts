import type { JsonObject } from "../json/value.ts";
import type { ServerNotification } from "../protocol/notifications.ts";
import type { CallContext } from "../protocol/exchange.ts";
import type { Result } from "../protocol/result.ts";
import type { CallOptions } from "./client.ts";

/** What the layers of a client know of a request and its caller does not. */
export interface Extras extends Pick<CallContext, "headerParameters"> {
  /** Result types the layer takes besides `"complete"`; the request is refused any other. */
  readonly resultTypes?: readonly string[] | undefined;
  /** Takes all notifications of this request, with its id, in place of the callbacks of its caller. */
  readonly onNotification?:
    | ((notification: ServerNotification, id: CallContext["id"]) => void)
    | undefined;
}

/**
 * Sends one request and settles with its result. What a client does besides, such as caching and answering questions,
 * are layers: each makes a `Send` of another.
 */
export type Send = (
  method: string,
  params: JsonObject,
  options?: CallOptions,
  extras?: Extras,
) => Promise<Result>;
