import type { SubscriptionFilter } from "../../protocol/subscriptions.ts";
import type { Subscription } from "./subscription.ts";

export type ListFlag = Exclude<keyof SubscriptionFilter, "resourceSubscriptions">;

/** The acknowledged subscriptions, by what they ask for. */
export class Audience {
  readonly #all = new Set<Subscription>();
  readonly #watching = new Map<string, Set<Subscription>>();

  add(subscription: Subscription, { resourceSubscriptions = [] }: SubscriptionFilter): void {
    this.#all.add(subscription);
    for (const uri of resourceSubscriptions) {
      const watching = this.#watching.get(uri);
      if (watching === undefined) this.#watching.set(uri, new Set([subscription]));
      else watching.add(subscription);
    }
  }

  delete(subscription: Subscription): void {
    if (!this.#all.delete(subscription)) return;
    for (const uri of subscription.filter.resourceSubscriptions ?? []) {
      const watching = this.#watching.get(uri);
      watching?.delete(subscription);
      if (watching?.size === 0) this.#watching.delete(uri);
    }
  }

  /** All of them; those that are added or deleted meanwhile may be among them or not. */
  [Symbol.iterator](): Iterator<Subscription> {
    return this.#all.values();
  }

  watching(uri: string): ReadonlySet<Subscription> | undefined {
    return this.#watching.get(uri);
  }

  /** Every URI that someone watches. */
  uris(): Iterable<string> {
    return this.#watching.keys();
  }
}
