import type { CallContext } from "../../protocol/exchange.ts";
import { META_SUBSCRIPTION_ID } from "../../protocol/meta.ts";
import type { Result } from "../../protocol/result.ts";
import type {
  ListChangedNotification,
  ResourceUpdatedNotification,
  SubscriptionFilter,
  SubscriptionNotification,
} from "../../protocol/subscriptions.ts";

/** What happened, without the subscription it is told to. */
export type News =
  | { readonly method: ListChangedNotification["method"] }
  | { readonly method: ResourceUpdatedNotification["method"]; readonly uri: string };

/** What a subscription needs of the others. */
export interface SubscriptionOwner {
  /** Calls `send` of it, soon and together with all that have something to send. */
  schedule(subscription: Subscription): void;
  /** It holds its place no longer. */
  leave(subscription: Subscription): void;
  finalResult(id: CallContext["id"]): Result;
  report(error: unknown): void;
}

/** How the answer to the listen request is given. */
export interface Settlers {
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * One open subscription. What is waiting to be sent is a set, so that a client that reads slowly gets each kind of news
 * once, however often it happened, and costs no memory. There may be thousands that wait: what they do not need yet
 * is not made.
 */
export class Subscription {
  readonly filter: SubscriptionFilter;
  readonly transport: CallContext;
  readonly #owner: SubscriptionOwner;
  readonly #settlers: Settlers;
  readonly #uris: ReadonlySet<string> | undefined;
  #waiting: Map<string, SubscriptionNotification> | undefined = undefined;
  #isSending = true;
  #isEnded = false;

  constructor(
    filter: SubscriptionFilter,
    transport: CallContext,
    owner: SubscriptionOwner,
    settlers: Settlers,
  ) {
    this.filter = filter;
    this.transport = transport;
    this.#owner = owner;
    this.#settlers = settlers;
    this.#uris = filter.resourceSubscriptions && new Set(filter.resourceSubscriptions);
  }

  watches(uri: string): boolean {
    return this.#uris?.has(uri) ?? false;
  }

  /** Tells the client what is honoured; news come after that. Rejects where it cannot be told. */
  async acknowledge(): Promise<void> {
    const { notify, signal } = this.transport;
    signal.throwIfAborted();
    signal.addEventListener("abort", this, { once: true });
    await notify({
      method: "notifications/subscriptions/acknowledged",
      params: { ...this.#params, notifications: this.filter },
    });
    this.#isSending = false;
    if (this.#waiting !== undefined) this.#owner.schedule(this);
  }

  /** The client is gone: its signal has aborted. */
  handleEvent(): void {
    this.fail(this.transport.signal.reason);
  }

  /** Sends news as soon as those before are taken; the same news twice is sent once. */
  queue(news: News): void {
    if (this.#isEnded) return;
    const { method } = news;
    this.#waiting ??= new Map();
    if (method === "notifications/resources/updated") {
      const { uri } = news;
      this.#waiting.set(`${method} ${uri}`, { method, params: { ...this.#params, uri } });
    } else this.#waiting.set(method, { method, params: this.#params });
    if (!this.#isSending) this.#owner.schedule(this);
  }

  async send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      for (const [key, notification] of this.#waiting ?? []) {
        this.#waiting?.delete(key);
        await this.transport.notify(notification);
        if (this.#isEnded) break;
      }
      this.#waiting = undefined;
    } catch (error) {
      if (!this.#isEnded && !this.transport.signal.aborted) this.#owner.report(error);
    } finally {
      this.#isSending = false;
    }
  }

  /** Ends it from the side of the server, with its result. */
  end(): void {
    if (this.#close()) this.#settlers.resolve(this.#owner.finalResult(this.transport.id));
  }

  fail(reason: unknown): void {
    if (this.#close()) this.#settlers.reject(reason);
  }

  #close(): boolean {
    if (this.#isEnded) return false;
    this.#isEnded = true;
    this.#waiting = undefined;
    this.transport.signal.removeEventListener("abort", this);
    this.#owner.leave(this);
    return true;
  }

  get #params(): { readonly _meta: { readonly [META_SUBSCRIPTION_ID]: string | number } } {
    return { _meta: { [META_SUBSCRIPTION_ID]: this.transport.id } };
  }
}
