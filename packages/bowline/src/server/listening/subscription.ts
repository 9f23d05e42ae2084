import { whenAborted, TAKEN, type CallContext } from "../../protocol/exchange.ts";
import { META_SUBSCRIPTION_ID } from "../../protocol/meta.ts";
import type { Result } from "../../protocol/result.ts";
import type { SubscriptionFilter } from "../../protocol/subscriptions.ts";
import type { Change } from "./change.ts";

/** Who keeps the subscriptions. */
export interface SubscriptionHost {
  /** Has `send` called once the changes of the moment are all made. */
  due(subscription: Subscription): void;
  /** It is over, whoever ended it: called once. */
  leave(subscription: Subscription): void;
  report(error: unknown): void;
  /** What a subscription is answered with when the server ends it. */
  resultOf(id: CallContext["id"]): Result;
}

/** The promise of the call that opened it. */
export interface SubscriptionAnswer {
  resolve(result: Result): void;
  reject(reason: unknown): void;
}

/**
 * One open subscription. What is waiting to be sent is a set, so that a client that reads slowly gets
 * each kind of news once, however often it happened, and costs no memory.
 */
export class Subscription {
  readonly transport: CallContext;
  readonly #host: SubscriptionHost;
  readonly #answer: SubscriptionAnswer;
  #filter: SubscriptionFilter = {};
  /** What waits: mostly one change, for which a map of its own would be most of the cost. */
  #next: Change | undefined;
  #others: Map<string, Change> | undefined;
  /** Until it is acknowledged, and while the transport takes nothing. */
  #isHeld = true;
  #isDue = false;
  #isOver = false;
  #forget: (() => void) | undefined;

  constructor(transport: CallContext, host: SubscriptionHost, answer: SubscriptionAnswer) {
    this.transport = transport;
    this.#host = host;
    this.#answer = answer;
  }

  /** Begins to hear that the client is gone, which may have happened already. */
  watch(): void {
    this.#forget = whenAborted(this.transport, this);
  }

  /** What was granted. */
  get filter(): SubscriptionFilter {
    return this.#filter;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Tells the client what is granted. What changes meanwhile is told after it. */
  async acknowledge(filter: SubscriptionFilter): Promise<void> {
    this.#filter = filter;
    await this.transport.notify({
      method: "notifications/subscriptions/acknowledged",
      params: { _meta: { [META_SUBSCRIPTION_ID]: this.transport.id }, notifications: filter },
    });
    this.#isHeld = false;
    this.send();
  }

  /** Tells of a change with the others of this moment; the same news twice is told once. */
  queue(change: Change): void {
    if (this.#isOver) return;
    this.#add(change);
    if (this.#isHeld || this.#isDue) return;
    this.#isDue = true;
    this.#host.due(this);
  }

  /** Sends what is waiting, as far as the transport takes it. */
  send(): void {
    this.#isDue = false;
    while (!this.#isHeld && !this.#isOver) {
      const change = this.#take();
      if (change === undefined) return;
      const taken = this.transport.notify(change.toldTo(this.transport.id));
      if (taken !== TAKEN) this.#hold(taken);
    }
  }

  /** Ends it from the side of the server. */
  end(): void {
    if (this.#leave()) this.#answer.resolve(this.#host.resultOf(this.transport.id));
  }

  /** Ends it with an error. */
  fail(reason: unknown): void {
    if (this.#leave()) this.#answer.reject(reason);
  }

  /** The client is gone. */
  abort(reason: unknown): void {
    this.fail(reason);
  }

  #add(change: Change): void {
    if (this.#next === undefined) this.#next = change;
    else if (this.#next.key !== change.key) {
      this.#others ??= new Map();
      this.#others.set(change.key, change);
    }
  }

  #take(): Change | undefined {
    const change = this.#next;
    const others = this.#others;
    this.#next = undefined;
    if (others === undefined) return change;
    for (const [key, next] of others) {
      others.delete(key);
      this.#next = next;
      break;
    }
    if (others.size === 0) this.#others = undefined;
    return change;
  }

  #hold(taken: Promise<void>): void {
    this.#isHeld = true;
    taken.then(
      () => this.#release(),
      (error: unknown) => this.#drop(error),
    );
  }

  #release(): void {
    this.#isHeld = false;
    this.send();
  }

  #drop(error: unknown): void {
    this.#isHeld = false;
    if (!this.#isOver) this.#host.report(error);
  }

  #leave(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#next = undefined;
    this.#others = undefined;
    this.#forget?.();
    this.#host.leave(this);
    return true;
  }
}
