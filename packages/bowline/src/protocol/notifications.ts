import type { JsonObject } from "../json/value.ts";
import type { LoggingMessageNotification } from "./deprecated/logging.ts";
import type { ProgressNotification } from "./progress.ts";
import type { SubscriptionNotification } from "./subscriptions.ts";

/** Sent by a client on stdio, by a server only to end a subscription. */
export interface CancelledNotification {
  readonly method: "notifications/cancelled";
  readonly params: {
    readonly requestId: string | number;
    readonly reason?: string;
    readonly _meta?: JsonObject;
  };
}

/** A notification of the specification, or of an extension. */
export type ServerNotification =
  | ProgressNotification
  | LoggingMessageNotification
  | SubscriptionNotification
  | ExtensionNotification;

export interface ExtensionNotification {
  readonly method: string;
  readonly params?: object;
}
