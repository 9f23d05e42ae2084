import { RpcError } from "../../base/errors.ts";
import { isJsonObject, type JsonObject } from "../../json/value.ts";
import type {
  JsonRpcError,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResult,
} from "../../jsonrpc/message.ts";
import { PendingRequests, type PendingRequest } from "../../jsonrpc/pending.ts";
import { encodeParams, type Call } from "../../protocol/call.ts";
import { whenAborted, type Abortable, type CallContext } from "../../protocol/exchange.ts";
import { META_SUBSCRIPTION_ID } from "../../protocol/meta.ts";
import type { Result } from "../../protocol/result.ts";
import { isRequestId } from "../request-id.ts";

const LISTEN = "subscriptions/listen";

export interface Settlers {
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
  /** Nobody waits any more for a call, which went out or did not. */
  readonly cancel: (sent: SentCall, reason: unknown, wasSent: boolean) => void;
}

/** A call on its way, and the difference between its own names and those on the wire. */
export class SentCall implements PendingRequest, Abortable {
  /** Its id on the wire. */
  readonly id: number;
  readonly call: Call;
  readonly context: CallContext;
  readonly #settlers: Settlers;
  #isOver = false;
  #forget: (() => void) | undefined;

  constructor(pending: PendingRequests<SentCall>, call: Call, context: CallContext, to: Settlers) {
    this.call = call;
    this.context = context;
    this.#settlers = to;
    this.id = pending.add(this);
  }

  /** Listens from now on whether anybody still waits; false where that is over already. */
  waits(): boolean {
    // Set only afterwards: until then an abort finds a call that was not sent.
    this.#forget = whenAborted(this.context, this);
    return !this.#isOver;
  }

  abort(reason: unknown): void {
    this.#settlers.cancel(this, reason, this.#forget !== undefined);
  }

  get isSubscription(): boolean {
    return this.call.method === LISTEN;
  }

  get request(): JsonRpcRequest {
    const params = encodeParams(this.call);
    const meta = params["_meta"];
    const hasToken = this.call.meta.progressToken !== undefined && isJsonObject(meta);
    return {
      jsonrpc: "2.0",
      id: this.id,
      method: this.call.method,
      params: hasToken ? { ...params, _meta: { ...meta, progressToken: this.id } } : params,
    };
  }

  settle(response: JsonRpcResult | JsonRpcError): void {
    this.#end();
    if ("error" in response) {
      const { code, message, data } = response.error;
      this.#settlers.reject(new RpcError(code, message, { data, origin: "peer" }));
    } else {
      const result: JsonObject = this.#restoreSubscription(response.result);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- which kind of result it is, is for the caller to judge
      this.#settlers.resolve(result as unknown as Result);
    }
  }

  fail(reason: unknown): void {
    this.#end();
    this.#settlers.reject(reason);
  }

  /** Settles a subscription whose server only announced its end. */
  endSubscription(): void {
    this.#end();
    const meta = { [META_SUBSCRIPTION_ID]: this.context.id };
    this.#settlers.resolve({ resultType: "complete", _meta: meta });
  }

  restoreNotification(notification: JsonRpcNotification): JsonRpcNotification {
    const { params } = notification;
    if (params === undefined) return notification;
    if (notification.method === "notifications/progress") {
      const progressToken = this.call.meta.progressToken;
      return progressToken === undefined
        ? notification
        : { ...notification, params: { ...params, progressToken } };
    }
    return { ...notification, params: this.#restoreSubscription(params) };
  }

  #end(): void {
    this.#isOver = true;
    this.#forget?.();
  }

  #restoreSubscription(holder: JsonObject): JsonObject {
    const meta = holder["_meta"];
    if (!isJsonObject(meta) || meta[META_SUBSCRIPTION_ID] !== this.id) return holder;
    return { ...holder, _meta: { ...meta, [META_SUBSCRIPTION_ID]: this.context.id } };
  }
}

/** The calls in flight on one connection, by the id they have there. */
export class SentCalls {
  readonly #pending = new PendingRequests<SentCall>();
  /** Those that asked for log messages. */
  readonly #logged = new Set<SentCall>();
  #lastId = 0;

  /** Throws `LimitError` when too many wait, and the reason of `close` after it. */
  add(call: Call, context: CallContext, to: Settlers): SentCall {
    const sent = new SentCall(this.#pending, call, context, to);
    this.#lastId = sent.id;
    if (call.meta.logLevel !== undefined) this.#logged.add(sent);
    return sent;
  }

  /** Settles the call an answer is for; false where it is for none. */
  settle(response: JsonRpcResult | JsonRpcError): boolean {
    const sent = this.#find(response.id);
    if (sent !== undefined) this.#logged.delete(sent);
    return this.#pending.settle(response);
  }

  /** The call with this id, which is then no longer waited for. */
  take(id: unknown): SentCall | undefined {
    const sent = this.#find(id);
    if (sent === undefined) return undefined;
    this.#logged.delete(sent);
    return this.#pending.forget(sent.id);
  }

  takeSubscription(id: unknown): SentCall | undefined {
    return this.#find(id)?.isSubscription === true ? this.take(id) : undefined;
  }

  close(reason: Error): void {
    this.#logged.clear();
    this.#pending.close(reason);
  }

  /** Whether a call with this id was ever sent. */
  wasSent(id: unknown): boolean {
    return typeof id === "number" && Number.isInteger(id) && id > 0 && id <= this.#lastId;
  }

  /** The call a notification belongs to. */
  ownerOf({ method, params = {} }: JsonRpcNotification): SentCall | undefined {
    const meta = params["_meta"];
    const subscription = isJsonObject(meta) ? meta[META_SUBSCRIPTION_ID] : undefined;
    if (subscription !== undefined) {
      const sent = this.#find(subscription);
      return sent?.isSubscription === true ? sent : undefined;
    }
    if (method === "notifications/progress") {
      const sent = this.#find(params["progressToken"]);
      return sent?.call.meta.progressToken === undefined ? undefined : sent;
    }
    // Log messages name no request: they can only be handed on where a single call asked for them.
    if (method !== "notifications/message" || this.#logged.size !== 1) return undefined;
    return this.#logged.values().next().value;
  }

  #find(id: unknown): SentCall | undefined {
    return isRequestId(id) ? this.#pending.find(id) : undefined;
  }
}
