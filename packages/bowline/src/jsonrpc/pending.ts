import { LimitError } from "../base/errors.ts";
import { MAX_PENDING_REQUESTS } from "../base/limits.ts";
import type { JsonRpcError, JsonRpcResult, RequestId } from "./message.ts";

/** What waits for one answer. */
export interface PendingRequest {
  /** Called at most once, with the answer. */
  readonly settle: (response: JsonRpcResult | JsonRpcError) => void;
  /** Called instead when there will be no answer. */
  readonly fail: (reason: unknown) => void;
}

/** The unanswered requests of one connection, for the side that sent them. Bounded; nobody else settles them. */
export class PendingRequests<P extends PendingRequest = PendingRequest> {
  readonly #pending = new Map<RequestId, P>();
  readonly #max: number;
  #lastId = 0;
  #strays = 0;
  #closed: { readonly reason: unknown } | undefined;

  constructor(max: number = MAX_PENDING_REQUESTS) {
    this.#max = max;
  }

  get size(): number {
    return this.#pending.size;
  }

  /** Answers dropped because nothing, or nothing any more, waited for them. */
  get strays(): number {
    return this.#strays;
  }

  /**
   * Takes in a request and returns the id to send it with, unlike that of any other before.
   *
   * Throws `LimitError` when too many wait, and the reason of `close` after it.
   */
  add(request: P): number {
    if (this.#closed !== undefined) throw this.#closed.reason;
    if (this.#pending.size >= this.#max) {
      throw new LimitError("maxPendingRequests", this.#max, `${this.#max} requests wait already`);
    }
    this.#lastId += 1;
    this.#pending.set(this.#lastId, request);
    return this.#lastId;
  }

  /** The request with this id, to hand it what belongs to it besides the answer. */
  find(id: RequestId): P | undefined {
    return this.#pending.get(id);
  }

  /** Hands an answer to its request. Returns false, and counts a stray, where none with this id waits. */
  settle(response: JsonRpcResult | JsonRpcError): boolean {
    const request = response.id === undefined ? undefined : this.forget(response.id);
    if (request === undefined) {
      this.#strays += 1;
      return false;
    }
    request.settle(response);
    return true;
  }

  /** Stops waiting, for a request that was cancelled. Its answer, if it still comes, is a stray. */
  forget(id: RequestId): P | undefined {
    const request = this.#pending.get(id);
    this.#pending.delete(id);
    return request;
  }

  /** Fails every waiting request; those that come later fail at once. */
  close(reason: unknown): void {
    this.#closed ??= { reason };
    const waiting = [...this.#pending.values()];
    this.#pending.clear();
    for (const request of waiting) request.fail(reason);
  }
}
