import { MAX_LISTEN_URIS, MAX_TOLD_PER_TURN } from "../../base/limits.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json/value.ts";
import type { CallContext, Principal } from "../../protocol/exchange.ts";
import { invalidParams, overloaded } from "../../protocol/errors.ts";
import { META_SUBSCRIPTION_ID } from "../../protocol/meta.ts";
import type { Result } from "../../protocol/result.ts";
import type { SubscriptionFilter } from "../../protocol/subscriptions.ts";
import type { Call } from "../../protocol/call.ts";
import { toAnswer } from "../call/fault.ts";
import type { Runtime } from "../call/runtime.ts";
import { Audience, type ListFlag } from "./audience.ts";
import { Change } from "./change.ts";
import { type ChangeHub, FanOut } from "./fan-out.ts";
import { Places, type PlaceLimits } from "./places.ts";
import { Subscription, type SubscriptionHost } from "./subscription.ts";
import type { ListKind } from "../lists/collection.ts";
import type { Registry } from "../registry.ts";
import { isUri } from "../resource.ts";

const LIST_FLAGS = [
  "toolsListChanged",
  "promptsListChanged",
  "resourcesListChanged",
] as const satisfies readonly ListFlag[];

const FLAG_OF: { readonly [K in ListKind]: ListFlag } = {
  tools: "toolsListChanged",
  prompts: "promptsListChanged",
  resources: "resourcesListChanged",
  resourceTemplates: "resourcesListChanged",
};

const CHANGE_OF: { readonly [F in ListFlag]: Change } = {
  toolsListChanged: Change.ofList("notifications/tools/list_changed"),
  promptsListChanged: Change.ofList("notifications/prompts/list_changed"),
  resourcesListChanged: Change.ofList("notifications/resources/list_changed"),
};

const LISTEN = "subscriptions/listen";

export interface SubscriptionsOptions extends PlaceLimits {
  readonly registry: Registry;
  readonly runtime: Runtime;
  readonly hub: ChangeHub | undefined;
  /** What replicas of this server have in common, and no other server. */
  readonly topic: string;
}

/** The open `subscriptions/listen` requests of one server. Loaded with the first of them. */
export class Subscriptions implements SubscriptionHost {
  readonly #registry: Registry;
  readonly #runtime: Runtime;
  readonly #fanOut: FanOut | undefined;
  readonly #places: Places;
  readonly #audience = new Audience();
  /** Those with something to send. */
  #due: Subscription[] = [];
  #isEnded = false;

  constructor(options: SubscriptionsOptions) {
    const { hub, registry, runtime, topic } = options;
    this.#registry = registry;
    this.#runtime = runtime;
    this.#places = new Places(options);
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
   */
  readonly listen = (call: Call, transport: CallContext): Promise<Result> => {
    return new Promise((resolve, reject) => {
      const wanted = decodeFilter(call.params["notifications"]);
      this.#places.take(transport.principal);
      // No closures of this function: they would hold the call for as long as the stream is open.
      const subscription = new Subscription(transport, this, { resolve, reject });
      subscription.watch();
      void this.#open(subscription, wanted);
    });
  };

  due(subscription: Subscription): void {
    // Changes that are made together are told together.
    if (this.#due.push(subscription) === 1) queueMicrotask(this.#send);
  }

  leave(subscription: Subscription): void {
    this.#audience.delete(subscription);
    this.#places.giveBack(subscription.transport.principal);
    if (this.#places.areEmpty) this.#fanOut?.close();
  }

  report(error: unknown): void {
    this.#runtime.report(error, LISTEN, { dropped: true });
  }

  resultOf(id: CallContext["id"]): Result {
    const meta: JsonObject = { [META_SUBSCRIPTION_ID]: id, ...this.#runtime.meta };
    return { resultType: "complete", _meta: meta };
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
    for (const subscription of this.#audience) subscription.end();
  }

  async #open(subscription: Subscription, wanted: SubscriptionFilter): Promise<void> {
    try {
      const filter = await this.#honoured(wanted, subscription.transport);
      if (this.#fanOut !== undefined) await this.#fanOut.open();
      if (this.#isEnded) throw overloaded("the server is closing");
      if (subscription.isOver) return;
      this.#audience.add(subscription, filter);
      await subscription.acknowledge(filter);
      if (Object.keys(filter).length === 0) subscription.end();
    } catch (error) {
      if (!subscription.isOver) subscription.fail(toAnswer(error, this.#runtime, LISTEN));
    }
  }

  /** So many in one turn of the loop, so that others have theirs. */
  readonly #send = (): void => {
    const now = this.#due.slice(0, MAX_TOLD_PER_TURN);
    this.#due = this.#due.slice(MAX_TOLD_PER_TURN);
    if (this.#due.length > 0) setTimeout(this.#send, 0);
    for (const subscription of now) subscription.send();
  };

  #tellOfList(kind: ListKind): void {
    const flag = FLAG_OF[kind];
    for (const subscription of this.#audience) {
      if (subscription.filter[flag] === true) subscription.queue(CHANGE_OF[flag]);
    }
  }

  #tellOfResource(uri: string): void {
    const watching = this.#audience.watching(uri);
    if (watching === undefined) return;
    const change = Change.ofResource(uri);
    const visible = this.#visibility(uri);
    for (const subscription of watching) {
      void visible(subscription.transport.principal).then((isVisible) => {
        if (isVisible) subscription.queue(change);
        return isVisible;
      });
    }
  }

  /** State, not history: what was missed may be anything that was asked for. */
  #tellOfEverything(): void {
    for (const uri of this.#audience.uris()) this.#tellOfResource(uri);
    for (const list of ["tools", "prompts", "resources"] as const) this.#tellOfList(list);
  }

  /** Whether a principal sees a resource, found out once for each. Where that fails, it does not. */
  #visibility(uri: string): (principal: Principal | undefined) => Promise<boolean> {
    const known = new Map<Principal | undefined, Promise<boolean>>();
    const look = async (principal: Principal | undefined): Promise<boolean> => {
      try {
        return (await this.#registry.finder.find(uri, principal)) !== undefined;
      } catch (error) {
        this.report(error);
        return false;
      }
    };
    return (principal) => {
      const isVisible = known.get(principal) ?? look(principal);
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
