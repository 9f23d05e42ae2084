import type { Fallback, FallbackReply } from "../options.ts";
import { toRequestHead } from "../request/head.ts";
import type { ReceivedRequest } from "../request/received-request.ts";
import type { Outlet, OutletConsumer } from "../respond.ts";

/**
 * Answers a request by the fallback, and calls `decline` if it has nothing to do with it. Rejects with
 * what the fallback rejects with.
 */
export async function answerByFallback(
  fallback: Fallback,
  request: ReceivedRequest,
  decline: () => void,
): Promise<void> {
  const { body, principal, outlet } = request;
  const head = toRequestHead(request.head);
  const relay = new Relay(outlet);
  outlet.attach(relay);
  const reply = await fallback({ head, body, principal, signal: relay.signal });
  if (relay.signal.aborted) return;
  if (reply === undefined) decline();
  else await relay.send(reply);
}

/** Carries a reply over that comes in pieces. */
class Relay implements OutletConsumer {
  readonly #outlet: Outlet;
  readonly #controller = new AbortController();
  #proceed: (() => void) | undefined;

  constructor(outlet: Outlet) {
    this.#outlet = outlet;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  flush(): void {
    // Every piece is written as it comes.
  }

  drained(): void {
    this.#proceed?.();
  }

  disconnected(): void {
    this.#controller.abort(new DOMException("the client is gone", "AbortError"));
    this.#proceed?.();
  }

  stalled(): void {
    this.disconnected();
  }

  async send({ status, headers, body }: FallbackReply): Promise<void> {
    if (!(body instanceof ReadableStream)) {
      this.#outlet.send({ status, headers, body, close: false });
      return;
    }
    const reader = body.getReader();
    this.#outlet.open(status, headers);
    this.signal.addEventListener("abort", () => {
      reader.cancel(this.signal.reason).catch(() => undefined);
    });
    for (;;) {
      const { done, value } = await reader.read();
      if (this.signal.aborted) return;
      if (done) break;
      if (!this.#outlet.write(value)) await this.#untilDrained();
    }
    this.#outlet.end("");
  }

  #untilDrained(): Promise<void> {
    return new Promise((resolve) => {
      this.#proceed = resolve;
    });
  }
}
