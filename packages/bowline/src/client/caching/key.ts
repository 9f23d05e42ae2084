import type { JsonObject } from "../../json/value.ts";
import type { SubscriptionNotification } from "../../protocol/subscriptions.ts";

/** The methods whose results say how long they may be used again, and the parameters that tell their results apart. */
const CACHED: ReadonlyMap<string, string> = new Map([
  ["server/discover", ""],
  ["tools/list", "cursor"],
  ["prompts/list", "cursor"],
  ["resources/list", "cursor"],
  ["resources/templates/list", "cursor"],
  ["resources/read", "uri"],
]);

/** What a change makes outdated all at once: a whole list, or one resource. */
export type Subject = string;

/** A request whose result may be kept. */
export interface Cached {
  readonly key: string;
  readonly subject: Subject;
}

/**
 * How a request is known in the cache of one authorization context. Undefined where its result must not be kept: the
 * method has no caching hints, or the request carries more than tells its result apart, such as the answers of a round.
 */
export function cachedRequest(
  partition: string,
  method: string,
  params: JsonObject,
): Cached | undefined {
  const member = CACHED.get(method);
  if (member === undefined) return undefined;
  const names = Object.keys(params).filter((name) => params[name] !== undefined);
  const value = names.length === 0 ? null : params[member];
  if (names.length > 1 || (value !== null && typeof value !== "string")) return undefined;
  return {
    key: JSON.stringify([partition, method, value]),
    subject: member === "uri" ? `${method} ${value}` : method,
  };
}

/** The page of a list that starts at a cursor; without one, the first. */
export function pageKey(partition: string, method: string, cursor: string | null): string {
  return JSON.stringify([partition, method, cursor]);
}

const CHANGED_LISTS: ReadonlyMap<string, readonly string[]> = new Map([
  ["notifications/tools/list_changed", ["tools/list"]],
  ["notifications/prompts/list_changed", ["prompts/list"]],
  ["notifications/resources/list_changed", ["resources/list", "resources/templates/list"]],
]);

/** The lists that a notification says have changed. */
export function changedLists(notification: SubscriptionNotification): readonly string[] {
  return CHANGED_LISTS.get(notification.method) ?? [];
}
