import { EncodedNotification } from "../../protocol/answer/encoded-notification.ts";
import type { CallContext } from "../../protocol/exchange.ts";
import { META_SUBSCRIPTION_ID } from "../../protocol/meta.ts";
import type {
  ListChangedNotification,
  ResourceUpdatedNotification,
} from "../../protocol/subscriptions.ts";

type ChangeMethod = ListChangedNotification["method"] | ResourceUpdatedNotification["method"];

/** Something that happened. Its text is made once, with a gap for the subscription it is told to. */
export class Change {
  /** The same for the same news. */
  readonly key: string;
  readonly #method: ChangeMethod;
  readonly #uri: string | undefined;
  readonly #head: string;
  readonly #tail: string;

  private constructor(method: ChangeMethod, uri?: string) {
    this.key = uri ?? method;
    this.#method = method;
    this.#uri = uri;
    this.#head = `{"jsonrpc":"2.0","method":"${method}","params":{"_meta":{"${META_SUBSCRIPTION_ID}":`;
    this.#tail = uri === undefined ? "}}}" : `},"uri":${JSON.stringify(uri)}}}`;
  }

  static ofList(method: ListChangedNotification["method"]): Change {
    return new Change(method);
  }

  static ofResource(uri: string): Change {
    return new Change("notifications/resources/updated", uri);
  }

  /** As one subscription is told of it. */
  toldTo(id: CallContext["id"]): EncodedNotification {
    const text = this.#head + (typeof id === "number" ? id : JSON.stringify(id)) + this.#tail;
    const meta = { [META_SUBSCRIPTION_ID]: id };
    const uri = this.#uri;
    const params = uri === undefined ? { _meta: meta } : { _meta: meta, uri };
    return new EncodedNotification(this.#method, params, text);
  }
}
