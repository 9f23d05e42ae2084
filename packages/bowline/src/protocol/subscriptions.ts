import type { JsonObject } from "../json/value.ts";

/** Change notifications a client opts in to. @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions */
export interface SubscriptionFilter {
  readonly toolsListChanged?: boolean;
  readonly promptsListChanged?: boolean;
  readonly resourcesListChanged?: boolean;
  readonly resourceSubscriptions?: readonly string[];
}

interface Subscribed {
  /** Holds the subscription id: the JSON-RPC id of the listen request. */
  readonly _meta: JsonObject;
}

export interface SubscriptionsAcknowledgedNotification {
  readonly method: "notifications/subscriptions/acknowledged";
  /** `notifications` is the honoured part of the filter. */
  readonly params: Subscribed & { readonly notifications: SubscriptionFilter };
}

export interface ListChangedNotification {
  readonly method:
    | "notifications/tools/list_changed"
    | "notifications/prompts/list_changed"
    | "notifications/resources/list_changed";
  readonly params: Subscribed;
}

export interface ResourceUpdatedNotification {
  readonly method: "notifications/resources/updated";
  readonly params: Subscribed & { readonly uri: string };
}

export type SubscriptionNotification =
  | SubscriptionsAcknowledgedNotification
  | ListChangedNotification
  | ResourceUpdatedNotification;
