import type { CallContext } from "../../protocol/exchange.ts";
import { META_SUBSCRIPTION_ID } from "../../protocol/meta.ts";
import type {
  ListChangedNotification,
  ResourceUpdatedNotification,
  SubscriptionFilter,
  SubscriptionNotification,
} from "../../protocol/subscriptions.ts";

/** What happened, without the subscription it is told to. */
export type Change =
  | { readonly method: ListChangedNotification["method"] }
  | { readonly method: ResourceUpdatedNotification["method"]; readonly uri: string };

/**
 * One open subscription. What is waiting to be sent is a set, so that a client that reads slowly gets
 * each kind of news once, however often it happened, and costs no memory.
 */
export class Subscription {
  readonly filter: SubscriptionFilter;
  readonly #uris: ReadonlySet<string> | undefined;
  readonly transport: CallContext;
  readonly #report: (error: unknown) => void;
  readonly #waiting = new Map<string, SubscriptionNotification>();
  #isSending = false;
  #isEnded = false;
  #settle: (() => void) | undefined;

  constructor(
    filter: SubscriptionFilter,
    transport: CallContext,
    report: (error: unknown) => void,
  ) {
    this.filter = filter;
    this.#uris = filter.resourceSubscriptions && new Set(filter.resourceSubscriptions);
    this.transport = transport;
    this.#report = report;
  }

  watches(uri: string): boolean {
    return this.#uris?.has(uri) ?? false;
  }

  /** Acknowledges, and resolves once the server ends it. Rejects with the signal's reason when the client does. */
  async run(): Promise<void> {
    const { signal } = this.transport;
    signal.throwIfAborted();
    this.#isSending = true;
    await this.transport.notify({
      method: "notifications/subscriptions/acknowledged",
      params: { ...this.#params, notifications: this.filter },
    });
    this.#isSending = false;
    void this.#send();
    await new Promise<void>((resolve, reject) => {
      if (this.#isEnded) return resolve();
      if (signal.aborted) return reject(signal.reason);
      const cancel = (): void => {
        this.#isEnded = true;
        reject(signal.reason);
      };
      signal.addEventListener("abort", cancel, { once: true });
      this.#settle = () => {
        signal.removeEventListener("abort", cancel);
        resolve();
      };
    });
  }

  /** Sends a notification as soon as the one before is taken; the same news twice is sent once. */
  queue(change: Change): void {
    if (this.#isEnded) return;
    const { method } = change;
    const isUpdate = method === "notifications/resources/updated";
    this.#waiting.set(
      isUpdate ? `${method} ${change.uri}` : method,
      isUpdate
        ? { method, params: { ...this.#params, uri: change.uri } }
        : { method, params: this.#params },
    );
    // Changes that are made together are told together.
    queueMicrotask(() => void this.#send());
  }

  /** Ends it from the side of the server. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#waiting.clear();
    this.#settle?.();
  }

  get #params(): { readonly _meta: { readonly [META_SUBSCRIPTION_ID]: string | number } } {
    return { _meta: { [META_SUBSCRIPTION_ID]: this.transport.id } };
  }

  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      for (const [key, notification] of this.#waiting) {
        this.#waiting.delete(key);
        await this.transport.notify(notification);
        if (this.#isEnded) break;
      }
    } catch (error) {
      if (!this.#isEnded && !this.transport.signal.aborted) this.#report(error);
    } finally {
      this.#isSending = false;
    }
  }
}
