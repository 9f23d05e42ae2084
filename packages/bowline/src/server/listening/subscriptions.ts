import type { RpcError } from "../../base/errors.ts";
import { MAX_LISTEN_URIS } from "../../base/limits.ts";
import type { MaybePromise } from "../../base/maybe-promise.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json/value.ts";
import type { CallContext, Principal } from "../../protocol/exchange.ts";
import { invalidParams, overloaded } from "../../protocol/errors.ts";
import { META_SUBSCRIPTION_ID } from "../../protocol/meta.ts";
import type { Result } from "../../protocol/result.ts";
import type { ListChangedNotification, SubscriptionFilter } from "../../protocol/subscriptions.ts";
import type { Call } from "../../protocol/call.ts";
import { toAnswer } from "../call/fault.ts";
import { isPromiseLike } from "../call/run.ts";
import type { Runtime } from "../call/runtime.ts";
import { type Settlers, Subscription, type SubscriptionOwner } from "./subscription.ts";
import { type ChangeHub, FanOut } from "./fan-out.ts";
import type { ListKind } from "../lists/collection.ts";
import type { Registry } from "../registry.ts";
import { isUri } from "../resource.ts";

const LIST_FLAGS = ["toolsListChanged", "promptsListChanged", "resourcesListChanged"] as const;
type ListFlag = (typeof LIST_FLAGS)[number];

const FLAG_OF: { readonly [K in ListKind]: ListFlag } = {
  tools: "toolsListChanged",
  prompts: "promptsListChanged",
  resources: "resourcesListChanged",
  resourceTemplates: "resourcesListChanged",
};

const METHOD_OF: { readonly [F in ListFlag]: ListChangedNotification["method"] } = {
  toolsListChanged: "notifications/tools/list_changed",
  promptsListChanged: "notifications/prompts/list_changed",
  resourcesListChanged: "notifications/resources/list_changed",
};

const LISTEN = "subscriptions/listen";

export interface SubscriptionsOptions {
  readonly registry: Registry;
  readonly runtime: Runtime;
  readonly hub: ChangeHub | undefined;
  readonly maxStreams: number;
  /** What replicas of this server have in common, and no other server. */
  readonly topic: string;
}

/** The open `subscriptions/listen` requests of one server. Loaded with the first of them. */
export class Subscriptions implements SubscriptionOwner {
  readonly #registry: Registry;
  readonly #runtime: Runtime;
  readonly #fanOut: FanOut | undefined;
  readonly #open = new Set<Subscription>();
  readonly #maxStreams: number;
  /** Those that have something to send. */
  #due = new Set<Subscription>();
  #starting = 0;
  #isEnded = false;

  constructor({ hub, maxStreams, registry, runtime, topic }: SubscriptionsOptions) {
    this.#maxStreams = maxStreams;
    this.#registry = registry;
    this.#runtime = runtime;
    this.#fanOut =
      hub &&
      new FanOut({
        hub,
        topic,
        report: (error) => this.report(error),
        onChange: (change) => {
          if ("list" in change) this.#tellOfList(change.list);
          else this.#tellOfResource(change.uri);
        },
        onGap: () => this.#tellOfEverything(),
      });
  }

  /**
   * Answers `subscriptions/listen`: acknowledges, then stays pending until the client or the server ends
   * it. With nothing to tell it ends at once, so that it holds no place.
   *
   * The promise is the only thing that is kept of the request: thousands of them wait for days.
   */
  listen({ params }: Call, transport: CallContext): Promise<Result> {
    const { notifications } = params;
    return new Promise((resolve, reject) => {
      this.#start(notifications, transport, { resolve, reject }).catch((error: unknown) => {
        reject(transport.signal.aborted ? transport.signal.reason : this.#toAnswer(error));
      });
    });
  }

  async #start(
    notifications: JsonValue | undefined,
    transport: CallContext,
    settlers: Settlers,
  ): Promise<void> {
    const wanted = decodeFilter(notifications);
    if (this.#open.size + this.#starting >= this.#maxStreams) {
      throw overloaded("too many subscriptions");
    }
    this.#starting += 1;
    let filter: SubscriptionFilter;
    try {
      filter = await this.#honoured(wanted, transport);
      if (this.#fanOut !== undefined) await this.#fanOut.open();
      if (this.#isEnded) throw overloaded("the server is closing");
    } finally {
      this.#starting -= 1;
    }
    const subscription = new Subscription(filter, transport, this, settlers);
    this.#open.add(subscription);
    try {
      await subscription.acknowledge();
    } catch (error) {
      subscription.fail(transport.signal.aborted ? transport.signal.reason : this.#toAnswer(error));
    }
    if (Object.keys(filter).length === 0) subscription.end();
  }

  #toAnswer(error: unknown): RpcError {
    return toAnswer(error, this.#runtime, LISTEN);
  }

  leave(subscription: Subscription): void {
    this.#open.delete(subscription);
    if (this.#open.size === 0) this.#fanOut?.close();
  }

  report(error: unknown): void {
    this.#runtime.report(error, LISTEN, { dropped: true });
  }

  /** Changes that are made together are told together, and to all in one go. */
  schedule(subscription: Subscription): void {
    this.#due.add(subscription);
    if (this.#due.size > 1) return;
    queueMicrotask(() => {
      const due = this.#due;
      this.#due = new Set();
      for (const each of due) void each.send();
    });
  }

  /** Tells everyone who listens for changes of this list, here and on other replicas. */
  listChanged(list: ListKind): void {
    this.#tellOfList(list);
    this.#fanOut?.publish({ list });
  }

  /** Tells everyone who watches this resource and may still see it, here and on other replicas. */
  resourceUpdated(uri: string): void {
    this.#tellOfResource(uri);
    this.#fanOut?.publish({ uri });
  }

  /** Ends all of them with their final results, and those that still come. */
  endAll(): void {
    this.#isEnded = true;
    for (const subscription of this.#open) subscription.end();
  }

  #tellOfList(kind: ListKind): void {
    const flag = FLAG_OF[kind];
    for (const subscription of this.#open) {
      if (subscription.filter[flag] === true) subscription.queue({ method: METHOD_OF[flag] });
    }
  }

  #tellOfResource(uri: string): void {
    const visible = this.#visibility(uri);
    for (const subscription of this.#open) {
      if (!subscription.watches(uri)) continue;
      const isVisible = visible(subscription.transport.principal);
      const tell = (isSeen: boolean): void => {
        if (isSeen) subscription.queue({ method: "notifications/resources/updated", uri });
      };
      if (isPromiseLike(isVisible)) void isVisible.then(tell);
      else tell(isVisible);
    }
  }

  /** State, not history: what was missed may be anything that was asked for. */
  #tellOfEverything(): void {
    for (const { filter } of this.#open) {
      for (const uri of filter.resourceSubscriptions ?? []) this.#tellOfResource(uri);
    }
    for (const list of ["tools", "prompts", "resources"] as const) this.#tellOfList(list);
  }

  /** Whether a principal sees a resource, found out once for each. */
  #visibility(uri: string): (principal: Principal | undefined) => MaybePromise<boolean> {
    const known = new Map<Principal | undefined, MaybePromise<boolean>>();
    return (principal) => {
      const isKnown = known.get(principal);
      if (isKnown !== undefined) return isKnown;
      const found = this.#registry.finder.find(uri, principal);
      const isVisible = isPromiseLike(found)
        ? Promise.resolve(found).then((later) => later !== undefined)
        : found !== undefined;
      known.set(principal, isVisible);
      return isVisible;
    };
  }

  async #honoured(
    wanted: SubscriptionFilter,
    { principal }: CallContext,
  ): Promise<SubscriptionFilter> {
    const { tools, prompts, readable } = this.#registry;
    const offers = {
      toolsListChanged: tools,
      promptsListChanged: prompts,
      resourcesListChanged: readable,
    };
    const flags = LIST_FLAGS.filter((flag) => wanted[flag] === true && offers[flag].wasOffered);
    const wantedUris = wanted.resourceSubscriptions ?? [];
    const found = await Promise.all(
      wantedUris.map(async (uri) => this.#registry.finder.find(uri, principal)),
    );
    const uris = wantedUris.filter((_uri, index) => found[index] !== undefined);
    return {
      ...Object.fromEntries(flags.map((flag) => [flag, true])),
      ...(uris.length > 0 ? { resourceSubscriptions: uris } : {}),
    };
  }

  finalResult(id: CallContext["id"]): Result {
    const meta: JsonObject = { [META_SUBSCRIPTION_ID]: id, ...this.#runtime.meta };
    return { resultType: "complete", _meta: meta };
  }
}

function decodeFilter(value: JsonValue | undefined): SubscriptionFilter {
  if (!isJsonObject(value)) throw invalidParams("params.notifications is not an object");
  for (const flag of LIST_FLAGS) {
    if (value[flag] !== undefined && typeof value[flag] !== "boolean") {
      throw invalidParams(`params.notifications.${flag} is not a boolean`);
    }
  }
  const uris = value["resourceSubscriptions"] ?? [];
  if (!Array.isArray(uris) || !uris.every((uri) => typeof uri === "string" && isUri(uri))) {
    throw invalidParams("params.notifications.resourceSubscriptions is not a list of URIs");
  }
  if (uris.length > MAX_LISTEN_URIS) {
    throw invalidParams(
      `params.notifications.resourceSubscriptions has more than ${MAX_LISTEN_URIS} URIs`,
    );
  }
  return value;
}
