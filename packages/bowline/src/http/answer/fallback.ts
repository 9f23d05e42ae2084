import type { Principal } from "../../protocol/exchange.ts";
import type { Fallback } from "../options.ts";
import { toRequestHead, type RequestHead } from "../request/head.ts";
import type { FlatHeaders, Outlet, OutletConsumer } from "../respond.ts";

export interface FallbackRequest {
  readonly head: RequestHead;
  /** Empty for methods other than POST. */
  readonly body: Uint8Array;
  readonly principal: Principal | undefined;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
}

export interface FallbackReply {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: FlatHeaders;
  readonly body: string | Uint8Array | ReadableStream<Uint8Array>;
}

/** The door to older revisions: `serve` answers a request, or gives undefined where it has nothing to do with it. */
export function createFallback(
  serve: (request: FallbackRequest) => Promise<FallbackReply | undefined>,
): Fallback {
  return async ({ head, body, principal, outlet }, decline) => {
    const relay = new Relay(outlet);
    outlet.attach(relay);
    const reply = await serve({
      head: toRequestHead(head),
      body,
      principal,
      signal: relay.signal,
    });
    if (relay.signal.aborted) return;
    if (reply === undefined) decline();
    else await relay.send(reply);
  };
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
    this.#outlet.open(status, headers, "");
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
