import type { Call } from "../../protocol/call.ts";
import type { CallContext } from "../../protocol/exchange.ts";
import type { Result } from "../../protocol/result.ts";
import { toAnswer } from "../call/fault.ts";
import type { ListKind } from "../lists/collection.ts";
import type { Subscriptions, SubscriptionsOptions } from "./subscriptions.ts";

/**
 * The way to the subscriptions of one server. Their room is loaded with the first of them, or with the first change
 * that other replicas have to hear of.
 */
export class Listening {
  readonly #options: SubscriptionsOptions;
  readonly #first: Pick<Subscriptions, "listen"> = {
    listen: (call, context) =>
      this.#load().then(
        (room) => room.listen(call, context),
        (error: unknown) => {
          throw toAnswer(error, this.#options.runtime, call.method);
        },
      ),
  };
  #loading: Promise<Subscriptions> | undefined;
  #loaded: Subscriptions | undefined;
  #isClosed = false;

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
  }

  /** Answers `subscriptions/listen`, or rejects with an `RpcError` or the reason of an abort. */
  readonly listen = (call: Call, context: CallContext): Promise<Result> =>
    // What is loaded is called straight: every promise on the way is held for as long as the stream is open.
    (this.#loaded ?? this.#first).listen(call, context);

  listChanged(list: ListKind): void {
    this.#tell((subscriptions) => subscriptions.listChanged(list));
  }

  resourceUpdated(uri: string): void {
    this.#tell((subscriptions) => subscriptions.resourceUpdated(uri));
  }

  /** Ends all subscriptions with their final results, and lets none in any more. */
  close(): void {
    this.#isClosed = true;
    this.#loaded?.endAll();
  }

  #tell(tell: (subscriptions: Subscriptions) => void): void {
    if (this.#loaded !== undefined) tell(this.#loaded);
    else if (this.#options.hub !== undefined) void this.#load().then(tell);
  }

  #load(): Promise<Subscriptions> {
    return (this.#loading ??= import("./subscriptions.ts").then(({ Subscriptions }) => {
      this.#loaded = new Subscriptions(this.#options);
      if (this.#isClosed) this.#loaded.endAll();
      return this.#loaded;
    }));
  }
}
