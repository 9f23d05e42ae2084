import type { RequestId } from "../jsonrpc/message.ts";
import type { CallContext } from "../protocol/exchange.ts";
import type { ServerNotification } from "../protocol/notifications.ts";

/** Sends a notification that belongs to a call. */
export type NotifyCall = (call: ServedCall, notification: ServerNotification) => Promise<void>;

/**
 * One call in flight at a server. Most handlers never look at the signal, so it is made when first
 * read; `notify` may be taken off the context and called alone.
 */
export class ServedCall implements CallContext {
  readonly id: RequestId;
  readonly method: string;
  readonly #send: NotifyCall;
  #isOpen = true;
  #reason: unknown;
  #controller: AbortController | undefined;
  #notify: CallContext["notify"] | undefined;

  constructor(id: RequestId, method: string, send: NotifyCall) {
    this.id = id;
    this.method = method;
    this.#send = send;
  }

  /** Neither answered nor cancelled. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  get notify(): CallContext["notify"] {
    return (this.#notify ??= (notification) => this.#send(this, notification));
  }

  close(): void {
    this.#isOpen = false;
  }

  abort(reason: Error): void {
    this.#isOpen = false;
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}
