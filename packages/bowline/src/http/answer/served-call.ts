import { LimitError, RpcError, TransportError } from "../../base/errors.ts";
import { MAX_LISTEN_QUEUE_BYTES, type HttpServerLimits } from "../../base/limits.ts";
import { encodeError, encodeResult, RESULT_TAIL, resultHead } from "../../jsonrpc/encode.ts";
import { METHOD_NOT_FOUND } from "../../jsonrpc/error-code.ts";
import type { RequestId } from "../../jsonrpc/message.ts";
import type { Call } from "../../protocol/call.ts";
import { EncodedNotification } from "../../protocol/answer/encoded-notification.ts";
import { toErrorObject } from "../../protocol/answer/error-object.ts";
import { internalError, overloaded } from "../../protocol/errors.ts";
import {
  TAKEN,
  type Abortable,
  type CallContext,
  type Exchange,
  type LightContext,
  type Principal,
} from "../../protocol/exchange.ts";
import type { ServerNotification } from "../../protocol/notifications.ts";
import { META_SUBSCRIPTION_ID } from "../../protocol/meta.ts";
import { encodingOf, type Result } from "../../protocol/result.ts";
import { SUPPORTED_VERSIONS } from "../../protocol/versioning.ts";
import type { Admission, Slot } from "./admission.ts";
import { EventStream } from "./event-stream.ts";
import type { Acceptable } from "../request/media-type.ts";
import {
  busyReply,
  jsonHeadersOf,
  type Outlet,
  type OutletConsumer,
  type Reply,
  type ReplyBody,
} from "../respond.ts";
import { statusOfCallError } from "../status.ts";
import type { Ticker } from "./ticker.ts";

/** What the calls of one endpoint share. */
export interface CallEnvironment {
  readonly exchange: Exchange;
  readonly admission: Admission;
  readonly limits: HttpServerLimits;
  readonly keepAliveMs: number;
  /** Those at work. */
  readonly calls: Set<ServedCall>;
  /** Tells the operator of a fault; gives the reference the peer is told. */
  report(error: unknown, method: string): string;
}

/** Where one call comes from and goes to. */
export interface CallSite {
  readonly outlet: Outlet;
  readonly ticker: Ticker;
  readonly acceptable: Acceptable;
  readonly slot: Slot;
  readonly principal: Principal | undefined;
}

/**
 * One call at work: its context, and the answer in the making. What most handlers never look at is
 * made when first read.
 */
export class ServedCall implements CallContext, LightContext, OutletConsumer {
  readonly id: RequestId;
  readonly principal: Principal | undefined;
  readonly #method: string;
  readonly #environment: CallEnvironment;
  readonly #site: CallSite;
  /** Answered, or nobody waits any more. */
  #isOver = false;
  #isCancelled = false;
  #reason: Error | undefined;
  #controller: AbortController | undefined;
  #listener: Abortable | undefined;
  #notify: CallContext["notify"] | undefined;
  #stream: EventStream | undefined;

  constructor(id: RequestId, method: string, environment: CallEnvironment, site: CallSite) {
    this.id = id;
    this.principal = site.principal;
    this.#method = method;
    this.#environment = environment;
    this.#site = site;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  get notify(): CallContext["notify"] {
    return (this.#notify ??= (notification) => this.#send(notification));
  }

  onAbort(listener: Abortable): boolean {
    if (this.#listener !== undefined) return false;
    this.#listener = listener;
    if (this.#reason !== undefined) listener.abort(this.#reason);
    return true;
  }

  get isListening(): boolean {
    return this.#site.slot.kind === "listen";
  }

  start(call: Call): void {
    const { exchange, calls } = this.#environment;
    calls.add(this);
    this.#site.outlet.attach(this);
    try {
      exchange(call, this).then(
        (result) => this.#answer(result),
        (error: unknown) => this.#fail(error),
      );
    } catch (error) {
      // An exchange that throws instead of rejecting is answered all the same.
      this.#fail(error);
    }
  }

  flush(): void {
    this.#stream?.flush();
  }

  drained(): void {
    this.#stream?.drained();
  }

  disconnected(): void {
    // Connections also close after the answer, and errors are dear to make.
    if (!this.#isOver) this.cancel(new DOMException("the client is gone", "AbortError"));
  }

  stalled(): void {
    this.#environment.admission.countSlow();
    this.cancel(new TransportError("the client takes nothing of its answer"));
  }

  /** Nobody waits for the answer: aborts the handler, which may go on, and writes nothing more. */
  cancel(reason: Error): void {
    if (this.#isOver) return;
    this.#isCancelled = true;
    this.#leave();
    this.#environment.admission.detach(this.#site.slot);
    this.#stream?.close();
    this.#site.outlet.destroy();
    this.#abort(reason);
  }

  /** Asks the handler to come to an end; its answer is still sent. */
  wind(reason: Error): void {
    if (!this.#isOver) this.#abort(reason);
  }

  #abort(reason: Error): void {
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#listener?.abort(reason);
  }

  #leave(): void {
    this.#isOver = true;
    this.#environment.calls.delete(this);
    this.#environment.admission.leave(this.#site.slot);
  }

  /** Whether somebody waits for the answer that is here now. */
  #finish(): boolean {
    if (this.#isCancelled) this.#environment.admission.reattach(this.#site.slot);
    else this.#leave();
    return !this.#isCancelled;
  }

  #send(notification: ServerNotification): Promise<void> {
    // After the answer, or for a client that takes no stream: nothing to send it on.
    if (this.#isOver || !this.#site.acceptable.eventStream) return TAKEN;
    const stream = this.#streamed();
    const taken = stream.send(EncodedNotification.textOf(notification));
    const max = this.#environment.limits.maxStreamBacklogBytes;
    if (taken !== TAKEN && stream.backlog > max) {
      this.#environment.admission.countSlow();
      this.cancel(new LimitError("maxStreamBacklogBytes", max, "the client does not keep up"));
    }
    return taken;
  }

  #answer(result: Result): void {
    if (!this.#finish()) return;
    let text: string;
    try {
      const encoding = encodingOf(asResult(result));
      if (encoding !== undefined && !this.#isStreamed) {
        this.#sendJson(200, [resultHead(this.id), encoding.bytes, RESULT_TAIL]);
        return;
      }
      text = encodeResult(this.id, result, encoding?.text);
    } catch (error) {
      this.#sendFailure(error);
      return;
    }
    if (this.#isStreamed) this.#streamed().finish(text);
    else this.#sendJson(200, text);
  }

  #fail(error: unknown): void {
    if (this.#finish()) this.#sendFailure(error);
  }

  #sendFailure(error: unknown): void {
    const isOpen = this.#stream?.isOpen === true;
    if (this.#reason !== undefined && error === this.#reason) {
      // The handler came to its end because this server is closing: an orderly end of a subscription.
      if (isOpen) this.#streamed().finish(encodeResult(this.id, endOfSubscription(this.id)));
      else this.#site.outlet.send(closingReply(this.id));
      return;
    }
    const [status, text] = this.#encodeFailure(error);
    if (isOpen || (status === 200 && this.#isStreamed)) {
      this.#streamed().finish(text);
      return;
    }
    this.#stream?.close();
    this.#sendJson(status, text);
  }

  #encodeFailure(error: unknown): readonly [status: number, text: string] {
    if (error instanceof RpcError) {
      const named = this.#nameVersions(error);
      try {
        return [statusOfCallError(named.rpcCode), encodeError(this.id, toErrorObject(named))];
      } catch (cause) {
        // The handler's `data` has no JSON form.
        return this.#encodeFailure(new TypeError("unsendable error", { cause }));
      }
    }
    const ref = this.#environment.report(error, this.#method);
    return [200, encodeError(this.id, toErrorObject(internalError(ref, error)))];
  }

  /** A client of an older revision can only show the error its handshake met with. */
  #nameVersions(error: RpcError): RpcError {
    if (this.#method !== "initialize" || error.rpcCode !== METHOD_NOT_FOUND) return error;
    return new RpcError(METHOD_NOT_FOUND, error.message, {
      data: { supported: SUPPORTED_VERSIONS },
      cause: error,
    });
  }

  #sendJson(status: number, body: ReplyBody): void {
    this.#site.outlet.send({ status, headers: jsonHeadersOf(status), body, close: false });
  }

  get #isStreamed(): boolean {
    return this.#stream !== undefined || !this.#site.acceptable.json;
  }

  /** Never more than the backlog that ends a stream. */
  get #maxQueueBytes(): number {
    const { maxStreamBacklogBytes, maxStreamQueueBytes } = this.#environment.limits;
    const max = Math.min(maxStreamBacklogBytes, maxStreamQueueBytes);
    return this.isListening ? Math.min(max, MAX_LISTEN_QUEUE_BYTES) : max;
  }

  #streamed(): EventStream {
    return (this.#stream ??= new EventStream({
      outlet: this.#site.outlet,
      ticker: this.#site.ticker,
      maxQueueBytes: this.#maxQueueBytes,
      keepAliveMs: this.#environment.keepAliveMs,
    }));
  }
}

/** Exchanges written in JavaScript may give anything. */
function asResult(result: Result | null | undefined): Result {
  if (typeof result === "object" && result !== null) return result;
  throw new TypeError("the exchange gave no result");
}

/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions */
function endOfSubscription(id: RequestId): Result {
  return { resultType: "complete", _meta: { [META_SUBSCRIPTION_ID]: id } };
}

function closingReply(id: RequestId): Reply {
  return busyReply(503, overloaded("the server is shutting down"), { id, close: true });
}
