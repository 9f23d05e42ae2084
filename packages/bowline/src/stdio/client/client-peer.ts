import { DecodeError, LimitError, TransportError } from "../../base/errors.ts";
import {
  MAX_JUNK_BYTES,
  MAX_JUNK_LINES,
  MAX_QUOTED_CHARS,
  MAX_STRAY_REQUESTS,
  MAX_UNTAKEN_NOTIFICATIONS,
  type JsonLimits,
} from "../../base/limits.ts";
import { isJsonObject } from "../../json/value.ts";
import { decodeServerMessage } from "../../jsonrpc/decode.ts";
import { encodeNotification, encodeRequest } from "../../jsonrpc/encode.ts";
import type { JsonRpcNotification, JsonRpcResponse } from "../../jsonrpc/message.ts";
import { UnexpectedRequest } from "../../jsonrpc/refusal.ts";
import type { Call } from "../../protocol/call.ts";
import type { CallContext, Exchange } from "../../protocol/exchange.ts";
import type { Result } from "../../protocol/result.ts";
import { quote, type OnStdioDiagnostic } from "../diagnostic.ts";
import { SentCalls, type SentCall } from "./sent-calls.ts";

export interface ClientPeerOptions {
  /** Takes one message, without a newline. */
  readonly send: (line: string) => void;
  /** Bytes sent that the other side has not taken. */
  readonly queuedBytes: () => number;
  readonly byteLength: (text: string) => number;
  readonly json: JsonLimits;
  readonly maxQueueBytes: number;
  readonly onDiagnostic: OnStdioDiagnostic;
  /** Whoever takes the notifications fell behind, or caught up again. */
  readonly onLagging: (lagging: boolean) => void;
  /** The other side behaves in a way that ends the connection. */
  readonly onFatal: (error: Error) => void;
}

/**
 * The client end of a line-based connection, whatever carries the lines. Requests get ids and progress
 * tokens that are unique on this connection, so that several clients may share it; what comes back is
 * handed on under the ids and tokens of its call.
 */
export class ClientPeer {
  readonly exchange: Exchange;
  readonly #options: ClientPeerOptions;
  readonly #calls = new SentCalls();
  #isClosed = false;
  #junkLines = 0;
  #junkBytes = 0;
  #strayRequests = 0;
  #untaken = 0;
  #isLagging = false;

  constructor(options: ClientPeerOptions) {
    this.#options = options;
    this.exchange = (call, context) => this.#send(call, context);
  }

  accept(line: Uint8Array): void {
    if (this.#isClosed) return;
    try {
      const message = decodeServerMessage(line, this.#options.json);
      this.#junkLines = 0;
      this.#junkBytes = 0;
      if ("method" in message) this.#receive(message);
      else this.#settle(message);
    } catch (error) {
      if (error instanceof UnexpectedRequest) this.#countRequest();
      else if (error instanceof DecodeError || error instanceof LimitError) this.#drop(line, error);
      else throw error;
    }
  }

  /** Fails the calls in flight and all later ones. */
  fail(error: Error): void {
    this.#isClosed = true;
    this.#calls.close(error);
  }

  #send(call: Call, context: CallContext): Promise<Result> {
    return new Promise((resolve, reject) => {
      const sent = this.#calls.add(call, context, { resolve, reject, cancel: this.#cancel });
      if (!sent.waits()) return;
      try {
        this.#write(encodeRequest(sent.request));
      } catch (error) {
        this.#calls.take(sent.id)?.fail(error);
      }
    });
  }

  #write(line: string): void {
    const { queuedBytes, byteLength, maxQueueBytes, send } = this.#options;
    if (queuedBytes() + byteLength(line) > maxQueueBytes) {
      const message = `the server does not read: more than ${maxQueueBytes} bytes are waiting`;
      throw new LimitError("maxQueueBytes", maxQueueBytes, message);
    }
    send(line);
  }

  readonly #cancel = (sent: SentCall, reason: unknown, wasSent: boolean): void => {
    if (this.#calls.take(sent.id) === undefined) return;
    if (wasSent) {
      const text = reason instanceof Error ? reason.message.slice(0, MAX_QUOTED_CHARS) : undefined;
      const params = { requestId: sent.id, ...(text === undefined ? {} : { reason: text }) };
      this.#options.send(encodeNotification({ method: "notifications/cancelled", params }));
    }
    sent.fail(reason);
  };

  #settle(response: JsonRpcResponse): void {
    if (this.#calls.settle(response)) return;
    // An answer may cross its cancellation: that is nobody's mistake.
    if (response.id !== undefined && this.#calls.wasSent(response.id)) return;
    const text = "error" in response ? `: ${quote(response.error.message)}` : "";
    this.#stray(`an answer that belongs to no request${text}`);
  }

  #receive(notification: JsonRpcNotification): void {
    const { method, params = {} } = notification;
    if (method === "notifications/cancelled") {
      this.#calls.takeSubscription(params["requestId"])?.endSubscription();
      return;
    }
    const sent = this.#calls.ownerOf(notification);
    if (sent === undefined) {
      if (method !== "notifications/progress" || !this.#calls.wasSent(params["progressToken"])) {
        this.#stray(`notification ${quote(method)} belongs to no request`);
      }
      return;
    }
    this.#deliver(sent, sent.restoreNotification(notification));
  }

  #deliver(sent: SentCall, { method, params }: JsonRpcNotification): void {
    this.#untaken += 1;
    this.#updateLag();
    const taken = (): void => {
      this.#untaken -= 1;
      this.#updateLag();
    };
    const notification = params === undefined ? { method } : { method, params };
    sent.context.notify(notification).then(taken, (error: unknown) => {
      taken();
      this.#stray(`the receiver of ${method} failed: ${String(error)}`);
    });
  }

  #updateLag(): void {
    const max = this.#isLagging ? MAX_UNTAKEN_NOTIFICATIONS / 2 : MAX_UNTAKEN_NOTIFICATIONS;
    const isLagging = this.#untaken > max;
    if (isLagging === this.#isLagging) return;
    this.#isLagging = isLagging;
    this.#options.onLagging(isLagging);
  }

  #countRequest(): void {
    this.#strayRequests += 1;
    this.#stray("a request from the server, which no server may send");
    if (this.#strayRequests < MAX_STRAY_REQUESTS) return;
    this.#options.onFatal(new TransportError(`the server sent ${MAX_STRAY_REQUESTS} requests`));
  }

  /** A line that is no message. If it can be told which call it was to answer, that call fails. */
  #drop(line: Uint8Array, error: DecodeError | LimitError): void {
    this.#junkLines += 1;
    this.#junkBytes += line.length;
    const start = new TextDecoder().decode(line.subarray(0, MAX_QUOTED_CHARS * 4));
    this.#options.onDiagnostic({
      kind: "foreign-output",
      message:
        `the server wrote a line that is no message (${error.message}): ${quote(start)}. ` +
        "A server must keep its stdout for messages; logs belong on stderr",
    });
    this.#calls.take(idIn(line))?.fail(error);
    if (this.#junkLines <= MAX_JUNK_LINES && this.#junkBytes <= MAX_JUNK_BYTES) return;
    this.#options.onFatal(
      new TransportError(`the output of the server is polluted; the last line was ${quote(start)}`),
    );
  }

  #stray(message: string): void {
    this.#options.onDiagnostic({ kind: "stray-message", message });
  }
}

/** The id a refused line names. It serves to fail a call, for which a lax reading is good enough. */
function idIn(line: Uint8Array): unknown {
  if (line[0] !== 0x7b) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(line));
    return isJsonObject(value) && value["method"] === undefined ? value["id"] : undefined;
  } catch {
    // Not JSON: then it names nothing.
    return undefined;
  }
}
