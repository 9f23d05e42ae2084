import type { FaultReport } from "../base/fault-report.ts";
import { LimitError, RpcError } from "../base/errors.ts";
import { MAX_LISTEN_QUEUE_BYTES, MAX_QUOTED_CHARS, type JsonLimits } from "../base/limits.ts";
import { decodeClientMessage, isRequest } from "../jsonrpc/decode.ts";
import { encodeError, encodeNotification, encodeResult } from "../jsonrpc/encode.ts";
import { LIMIT_REACHED, OVERLOADED } from "../jsonrpc/error-code.ts";
import type { JsonRpcNotification, JsonRpcRequest, RequestId } from "../jsonrpc/message.ts";
import { MessageRefusal } from "../jsonrpc/refusal.ts";
import { decodeCall, type Call } from "../protocol/call.ts";
import { EncodedNotification } from "../protocol/answer/encoded-notification.ts";
import { toErrorObject } from "../protocol/answer/error-object.ts";
import { internalError, invalidRequest } from "../protocol/errors.ts";
import type { Exchange } from "../protocol/exchange.ts";
import { encodingOf, type Result } from "../protocol/result.ts";
import { assertServed, refuseHandshake } from "../protocol/versioning.ts";
import { isRequestId } from "./request-id.ts";
import { ServedCall, type NotifyCall } from "./served-call.ts";

const CANCELLED = "notifications/cancelled";
const LISTEN = "subscriptions/listen";

export interface ServerPeerOptions {
  readonly exchange: Exchange;
  /** Takes one message, without a newline. */
  readonly send: (line: string) => void;
  /** Settles when the transport takes more notifications: at once, unless so many characters wait. */
  readonly ready: (maxLength?: number) => Promise<void>;
  readonly byteLength: (text: string) => number;
  readonly json: JsonLimits;
  readonly maxRequestBytes: number;
  readonly maxResponseBytes: number;
  readonly maxInFlight: number;
  readonly report: FaultReport;
  /** A line that is no acceptable message was answered with this error. */
  readonly onRefused: (refusal: RpcError) => void;
}

/**
 * The server end of a line-based connection, whatever carries the lines: decodes, dispatches, answers,
 * and knows which calls are in flight. Never throws.
 */
export class ServerPeer {
  readonly #options: ServerPeerOptions;
  readonly #open = new Map<RequestId, ServedCall>();
  /** Handlers at work, those of cancelled calls included. */
  #running = 0;
  #whenAnswered: (() => void) | undefined;

  constructor(options: ServerPeerOptions) {
    this.#options = options;
  }

  accept(line: Uint8Array): void {
    try {
      const message = decodeClientMessage(line, this.#options.json);
      if (isRequest(message)) this.#dispatch(message);
      else this.#receive(message);
    } catch (error) {
      if (error instanceof MessageRefusal) this.#refuse(error.id, error);
      else this.#options.send(this.#encodeFailure(undefined, "", error));
    }
  }

  /** Answers a line over the limit, of which nothing was kept. */
  refuseOversized(): void {
    const max = this.#options.maxRequestBytes;
    this.#refuse(
      undefined,
      new RpcError(LIMIT_REACHED, `a message of more than ${max} bytes is not accepted`),
    );
  }

  /** Ends the subscriptions, which nobody reads any more; settles when the other calls are answered. */
  finish(reason: Error): Promise<void> {
    for (const call of this.#open.values()) {
      if (call.method === LISTEN) this.#abort(call, reason);
    }
    if (this.#open.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenAnswered = resolve;
    });
  }

  /** Aborts every call; none of them is answered. */
  abort(reason: Error): void {
    for (const call of this.#open.values()) this.#abort(call, reason);
  }

  #dispatch(request: JsonRpcRequest): void {
    const { id, method } = request;
    let call: Call;
    try {
      call = this.#admit(request);
    } catch (error) {
      this.#options.send(this.#encodeFailure(id, method, error));
      return;
    }
    const served = new ServedCall(id, method, this.#notify);
    this.#open.set(id, served);
    this.#running += 1;
    this.#exchange(call, served).then(
      (result) => this.#settle(served, () => this.#encodeAnswer(served, result)),
      (error: unknown) => this.#settle(served, () => this.#encodeFailure(id, method, error)),
    );
  }

  /** Throws the error that answers a request no handler is to see. */
  #admit(request: JsonRpcRequest): Call {
    if (this.#open.has(request.id)) {
      throw invalidRequest(`id ${JSON.stringify(request.id)} is in flight already`);
    }
    if (request.method === "initialize") throw refuseHandshake(request.params);
    const call = decodeCall(request);
    assertServed(call.meta.protocolVersion);
    const { maxInFlight } = this.#options;
    if (this.#running >= maxInFlight) {
      throw new RpcError(OVERLOADED, `${maxInFlight} requests are in flight: try again later`);
    }
    return call;
  }

  /** An exchange that throws instead of rejecting is answered all the same. */
  #exchange(call: Call, served: ServedCall): Promise<Result> {
    try {
      return Promise.resolve(this.#options.exchange(call, served));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #settle(served: ServedCall, answer: () => string): void {
    this.#running -= 1;
    if (!served.isOpen) return;
    this.#close(served);
    this.#options.send(answer());
    this.#afterClose();
  }

  #receive(notification: JsonRpcNotification): void {
    if (notification.method !== CANCELLED) return;
    const { requestId, reason } = notification.params ?? {};
    const served = isRequestId(requestId) ? this.#open.get(requestId) : undefined;
    if (served === undefined) return;
    const why = typeof reason === "string" ? `: ${reason.slice(0, MAX_QUOTED_CHARS)}` : "";
    this.#abort(served, new DOMException(`cancelled by the client${why}`, "AbortError"));
  }

  #abort(served: ServedCall, reason: Error): void {
    this.#close(served);
    served.abort(reason);
    this.#afterClose();
  }

  #close(served: ServedCall): void {
    served.close();
    this.#open.delete(served.id);
  }

  #afterClose(): void {
    if (this.#open.size === 0) this.#whenAnswered?.();
  }

  readonly #notify: NotifyCall = (served, notification) => {
    if (!served.isOpen) return Promise.resolve();
    const text = EncodedNotification.textOf(notification);
    const { maxResponseBytes, send, ready } = this.#options;
    if (this.#isOver(text)) {
      const message = `a notification of more than ${maxResponseBytes} bytes is not sent`;
      return Promise.reject(new LimitError("maxResponseBytes", maxResponseBytes, message));
    }
    send(text);
    return served.method === LISTEN ? ready(MAX_LISTEN_QUEUE_BYTES) : ready();
  };

  #encodeAnswer(served: ServedCall, result: Result): string {
    const { id, method } = served;
    try {
      const text = encodeResult(id, result, encodingOf(result)?.text);
      if (this.#isOver(text)) throw this.#answerTooLarge(method);
      if (method !== LISTEN) return text;
      // A server that ends a subscription itself says so twice: the specification asks for both.
      return `${text}\n${encodeNotification({ method: CANCELLED, params: { requestId: id } })}`;
    } catch (error) {
      return this.#encodeFailure(id, method, error);
    }
  }

  #answerTooLarge(method: string): RpcError {
    const max = this.#options.maxResponseBytes;
    return new RpcError(
      LIMIT_REACHED,
      `the result of ${method} is larger than the limit of ${max} bytes: ask for less of it`,
    );
  }

  #isOver(text: string): boolean {
    const { maxResponseBytes, byteLength } = this.#options;
    // A UTF-16 unit takes one to three bytes: most texts need no counting.
    if (text.length * 3 <= maxResponseBytes) return false;
    return text.length > maxResponseBytes || byteLength(text) > maxResponseBytes;
  }

  #encodeFailure(id: RequestId | undefined, method: string, error: unknown): string {
    if (error instanceof RpcError) {
      try {
        const text = encodeError(id, toErrorObject(error));
        if (!this.#isOver(text)) return text;
        return encodeError(id, toErrorObject(this.#answerTooLarge(method)));
      } catch (cause) {
        // The handler's `data` has no JSON form.
        return this.#encodeFailure(id, method, new TypeError("unsendable error", { cause }));
      }
    }
    const ref = this.#options.report(error, method);
    return encodeError(id, toErrorObject(internalError(ref, error)));
  }

  #refuse(id: RequestId | undefined, refusal: RpcError): void {
    this.#options.send(encodeError(id, toErrorObject(refusal)));
    this.#options.onRefused(refusal);
  }
}
