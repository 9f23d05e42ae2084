import { MAX_RELISTEN_WAIT_MS, MIN_RELISTEN_WAIT_MS } from "../../base/limits.ts";
import { waitFor } from "../../base/timer.ts";
import { isJsonObject, type JsonObject } from "../../json/value.ts";
import { META_SUBSCRIPTION_ID } from "../../protocol/meta.ts";
import type { ServerNotification } from "../../protocol/notifications.ts";
import type { SubscriptionFilter, SubscriptionNotification } from "../../protocol/subscriptions.ts";
import { waitWithin, type DeadlineOptions } from "../deadline.ts";
import { isOutage } from "../outage.ts";
import type { Send } from "../send.ts";
import type { Change, Listening, ListenOptions } from "./change.ts";
import { ChangeSet } from "./change-set.ts";

export interface ListenSettings {
  readonly send: Send;
  /** Hears of every change before the consumer does. */
  readonly changed: (notification: SubscriptionNotification) => void;
  /** Aborted when the client is closed. */
  readonly closed: AbortSignal;
  readonly timeoutMs: number;
  readonly random: () => number;
}

const FOREVER = {
  timeoutMs: Number.POSITIVE_INFINITY,
  maxTotalTimeoutMs: Number.POSITIVE_INFINITY,
};
const LISTS = {
  "notifications/tools/list_changed": "toolsListChanged",
  "notifications/prompts/list_changed": "promptsListChanged",
  "notifications/resources/list_changed": "resourcesListChanged",
} as const;
const METHODS = {
  toolsListChanged: "notifications/tools/list_changed",
  promptsListChanged: "notifications/prompts/list_changed",
  resourcesListChanged: "notifications/resources/list_changed",
} as const;
const isList = (method: string): method is keyof typeof LISTS => Object.hasOwn(LISTS, method);

/** Opens a subscription; settles once the server has accepted it. */
export async function listen(
  filter: SubscriptionFilter,
  options: ListenOptions,
  settings: ListenSettings,
): Promise<Listening> {
  const subscription = new Subscription(filter, options, settings);
  await subscription.open();
  return subscription;
}

class Subscription implements Listening {
  readonly #wanted: SubscriptionFilter;
  readonly #options: ListenOptions;
  readonly #settings: ListenSettings;
  readonly #changes = new ChangeSet();
  readonly #controller = new AbortController();
  #filter: SubscriptionFilter | undefined;
  /** Of the stream that is open now. */
  #isAcknowledged = false;
  #failures = 0;
  #end: { readonly error?: unknown } | undefined;
  #wake: (() => void) | undefined;
  #accept: (() => void) | undefined;

  constructor(filter: SubscriptionFilter, options: ListenOptions, settings: ListenSettings) {
    this.#wanted = filter;
    this.#options = options;
    this.#settings = settings;
  }

  get filter(): SubscriptionFilter {
    return this.#filter ?? {};
  }

  async open(): Promise<void> {
    const accepted = new Promise<void>((resolve) => (this.#accept = resolve));
    const running = this.#run();
    const timeoutMs = this.#options.timeoutMs ?? this.#settings.timeoutMs;
    const limits: DeadlineOptions = {
      signal: this.#options.signal,
      timeoutMs,
      maxTotalTimeoutMs: timeoutMs,
    };
    try {
      await waitWithin(limits, Promise.race([accepted, running]));
    } catch (error) {
      this.#finish({ error });
    }
    if (this.#end !== undefined) throw this.#end.error ?? this.#controller.signal.reason;
  }

  async next(): Promise<IteratorResult<Change, undefined>> {
    for (;;) {
      const change = this.#changes.take();
      if (change !== undefined) return { done: false, value: change };
      if (this.#end !== undefined) {
        const { error } = this.#end;
        this.#end = {};
        // oxlint-disable-next-line typescript/only-throw-error -- the reason of a signal may be anything
        if (error !== undefined) throw error;
        return { done: true, value: undefined };
      }
      if (this.#wake !== undefined) throw new TypeError("a subscription has one consumer");
      // oxlint-disable-next-line no-await-in-loop -- woken when there is something to look at
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  async return(): Promise<IteratorResult<Change, undefined>> {
    await this.close();
    return { done: true, value: undefined };
  }

  async close(): Promise<void> {
    this.#finish({});
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** One stream after the other, until the subscription is over. Never rejects. */
  async #run(): Promise<void> {
    const { signal } = this.#options;
    const { closed } = this.#settings;
    const signals = [this.#controller.signal, closed, ...(signal === undefined ? [] : [signal])];
    const onAbort = (): void => this.#finish({ error: signals.find((one) => one.aborted)?.reason });
    for (const one of signals.slice(1)) one.addEventListener("abort", onAbort, { once: true });
    if (signals.some((one) => one.aborted)) onAbort();
    try {
      while (this.#end === undefined) {
        // oxlint-disable-next-line no-await-in-loop -- one stream at a time
        await this.#stream();
        if (this.#end !== undefined) break;
        // oxlint-disable-next-line no-await-in-loop -- see above
        await waitFor(this.#waitMs(), signals).catch(onAbort);
      }
    } finally {
      for (const one of signals) one.removeEventListener("abort", onAbort);
    }
  }

  async #stream(): Promise<void> {
    this.#isAcknowledged = false;
    const { signal } = this.#controller;
    const onNotification = (notification: ServerNotification, id: unknown): void =>
      this.#receive(notification, id);
    const params = { notifications: { ...this.#wanted } };
    try {
      await this.#settings.send(
        "subscriptions/listen",
        params,
        { signal, ...FOREVER },
        { onNotification },
      );
    } catch (error) {
      // What never was open is not tried again: its caller waits, and is told.
      if (this.#filter === undefined || !isOutage(error)) this.#finish({ error });
    }
  }

  /** Full jitter: whoever lost a server together does not come back together. */
  #waitMs(): number {
    const most = Math.min(MIN_RELISTEN_WAIT_MS * 2 ** this.#failures, MAX_RELISTEN_WAIT_MS);
    this.#failures += 1;
    return this.#settings.random() * most;
  }

  #receive(notification: ServerNotification, id: unknown): void {
    const given: unknown = notification.params;
    const params: JsonObject = isJsonObject(given) ? given : {};
    const meta = isJsonObject(params["_meta"]) ? params["_meta"] : {};
    if (this.#end !== undefined || meta[META_SUBSCRIPTION_ID] !== id) return;
    if (notification.method === "notifications/subscriptions/acknowledged") {
      this.#acknowledge(params["notifications"]);
      return;
    }
    const change = this.#isAcknowledged
      ? this.#changeOf(notification.method, params["uri"])
      : undefined;
    if (change === undefined) return;
    this.#report(change);
    this.#tell(change);
  }

  #acknowledge(accepted: unknown): void {
    if (this.#isAcknowledged || !isJsonObject(accepted)) return;
    const isAgain = this.#filter !== undefined;
    this.#isAcknowledged = true;
    this.#failures = 0;
    this.#filter = accepted;
    this.#accept?.();
    if (isAgain) this.#miss();
  }

  /** What was told meanwhile is not known: all of it may have changed. */
  #miss(): void {
    for (const kind of Object.values(LISTS))
      if (this.#wanted[kind] === true) this.#report({ kind });
    for (const uri of this.#wanted.resourceSubscriptions ?? []) {
      this.#report({ kind: "resourceUpdated", uri });
    }
    this.#tell({ kind: "missed" });
  }

  #report(change: Exclude<Change, { readonly kind: "missed" }>): void {
    const base = { _meta: {} };
    this.#settings.changed(
      change.kind === "resourceUpdated"
        ? { method: "notifications/resources/updated", params: { ...base, uri: change.uri } }
        : { method: METHODS[change.kind], params: base },
    );
  }

  /** Nothing for what was not asked for. A resource below one that was is told too. */
  #changeOf(
    method: string,
    uri: unknown,
  ): Exclude<Change, { readonly kind: "missed" }> | undefined {
    if (isList(method))
      return this.#wanted[LISTS[method]] === true ? { kind: LISTS[method] } : undefined;
    if (method !== "notifications/resources/updated" || typeof uri !== "string") return undefined;
    const isAsked =
      this.#wanted.resourceSubscriptions?.some((asked) => uri.startsWith(asked)) === true;
    return isAsked ? { kind: "resourceUpdated", uri } : undefined;
  }

  #tell(change: Change): void {
    this.#changes.add(change);
    this.#stir();
  }

  #finish(end: { readonly error?: unknown }): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#controller.abort(
      end.error ?? new DOMException("the subscription is closed", "AbortError"),
    );
    this.#stir();
  }

  #stir(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}
