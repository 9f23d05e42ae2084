import { MAX_LISTEN_STREAMS, MAX_LISTEN_URIS } from "../base/limits.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/value.ts";
import type { CallContext } from "../protocol/exchange.ts";
import { invalidParams, overloaded } from "../protocol/errors.ts";
import { META_SUBSCRIPTION_ID } from "../protocol/meta.ts";
import type { Result } from "../protocol/result.ts";
import type { ListChangedNotification, SubscriptionFilter } from "../protocol/subscriptions.ts";
import type { MethodHandler } from "./call/method.ts";
import type { Runtime } from "./call/runtime.ts";
import { Subscription } from "./call/subscription.ts";
import type { ListKind } from "./lists/collection.ts";
import type { Registry } from "./registry.ts";
import { isUri } from "./resource.ts";

const LIST_FLAGS = ["toolsListChanged", "promptsListChanged", "resourcesListChanged"] as const;
type ListFlag = (typeof LIST_FLAGS)[number];

const LISTEN = "subscriptions/listen";
const UPDATED = "notifications/resources/updated";

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

/** The open `subscriptions/listen` requests of one server. */
export class Subscriptions {
  readonly #registry: Registry;
  readonly #runtime: Runtime;
  readonly #open = new Set<Subscription>();
  #isClosed = false;

  constructor(registry: Registry, runtime: Runtime) {
    this.#registry = registry;
    this.#runtime = runtime;
  }

  /**
   * Answers `subscriptions/listen`: acknowledges, then stays pending until the client or the server ends
   * it. With nothing to tell it ends at once, so that it holds no place.
   */
  readonly listen: MethodHandler = (call, transport) => {
    const wanted = decodeFilter(call.params["notifications"]);
    const uris = this.#readable(wanted, transport);
    return uris instanceof Promise
      ? uris.then((later) => this.#start(wanted, later, transport))
      : this.#start(wanted, uris, transport);
  };

  /** Tells everyone who listens for changes of this list. */
  listChanged(kind: ListKind): void {
    const flag = FLAG_OF[kind];
    for (const subscription of this.#open) {
      if (subscription.filter[flag] === true) subscription.queue({ method: METHOD_OF[flag] });
    }
  }

  /** Tells everyone who watches this resource and may still see it. */
  resourceUpdated(uri: string): void {
    for (const subscription of this.#open) {
      const isWatched = subscription.filter.resourceSubscriptions?.includes(uri) ?? false;
      if (!isWatched) continue;
      const { principal } = subscription.transport;
      const found = this.#registry.finder.find(uri, principal);
      const tell = (entry: unknown): void => {
        if (entry !== undefined) subscription.queue({ method: UPDATED, uri });
      };
      if (found instanceof Promise) found.then(tell, (error: unknown) => this.#report(error));
      else tell(found);
    }
  }

  /** Ends all of them with their final results, and starts no other. */
  endAll(): void {
    this.#isClosed = true;
    for (const subscription of this.#open) subscription.end();
  }

  #start(
    wanted: SubscriptionFilter,
    uris: readonly string[],
    transport: CallContext,
  ): Promise<Result> {
    if (this.#isClosed) throw overloaded("the server is closing");
    if (this.#open.size >= MAX_LISTEN_STREAMS) throw overloaded("too many subscriptions");
    const filter = {
      ...this.#flags(wanted),
      ...(uris.length > 0 ? { resourceSubscriptions: uris } : {}),
    };
    const subscription = new Subscription(filter, transport, (error) => this.#report(error));
    if (Object.keys(filter).length === 0) subscription.end();
    this.#open.add(subscription);
    return subscription
      .run()
      .then(() => this.#finalResult(transport.id))
      .finally(() => this.#open.delete(subscription));
  }

  #flags(wanted: SubscriptionFilter): SubscriptionFilter {
    const { tools, prompts, readable } = this.#registry;
    const offers = {
      toolsListChanged: tools,
      promptsListChanged: prompts,
      resourcesListChanged: readable,
    };
    const flags = LIST_FLAGS.filter((flag) => wanted[flag] === true && offers[flag].wasOffered);
    return Object.fromEntries(flags.map((flag) => [flag, true]));
  }

  /** Those of the wanted URIs that something visible to the caller answers for. */
  #readable(
    { resourceSubscriptions: uris = [] }: SubscriptionFilter,
    { principal }: CallContext,
  ): readonly string[] | Promise<readonly string[]> {
    const found = uris.map((uri) => this.#registry.finder.find(uri, principal));
    const pick = (entries: readonly unknown[]): readonly string[] =>
      uris.filter((_uri, index) => entries[index] !== undefined);
    return found.some((entry) => entry instanceof Promise)
      ? Promise.all(found.map((entry) => Promise.resolve(entry))).then(pick)
      : pick(found);
  }

  #report(error: unknown): void {
    this.#runtime.report(error, LISTEN, { dropped: true });
  }

  #finalResult(id: CallContext["id"]): Result {
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
