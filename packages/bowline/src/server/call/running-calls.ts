import { unrefTimer } from "../../base/timer.ts";

const TICK_MS = 1_000;

/** A handler that has not settled. */
export interface RunningCall {
  /** Ends the call with this reason, whatever its handler does. */
  readonly end: (reason: unknown) => void;
  readonly startedAt: number;
  isListed: boolean;
  previous: RunningCall | undefined;
  next: RunningCall | undefined;
}

/**
 * The running handlers of one server, oldest first, under one limit of time.
 *
 * A list and one interval in place of a timer for each call: adding and removing cost next to nothing, and the
 * limit is kept to within two ticks. The interval stops with the first tick that finds nothing running.
 */
export class RunningCalls {
  readonly #ticks: number;
  readonly #timeoutMs: number;
  #tick = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  #oldest: RunningCall | undefined;
  #newest: RunningCall | undefined;
  #waiting: (() => void)[] = [];

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
    this.#ticks = Math.ceil(timeoutMs / TICK_MS);
  }

  add(end: (reason: unknown) => void): RunningCall {
    const call: RunningCall = {
      end,
      startedAt: this.#tick,
      isListed: true,
      previous: this.#newest,
      next: undefined,
    };
    if (this.#newest === undefined) this.#oldest = call;
    else this.#newest.next = call;
    this.#newest = call;
    this.#timer ??= this.#start();
    return call;
  }

  /** Takes a call out that has settled; one that was ended is out already. */
  remove(call: RunningCall): void {
    if (!call.isListed) return;
    call.isListed = false;
    const { previous, next } = call;
    if (previous === undefined) this.#oldest = next;
    else previous.next = next;
    if (next === undefined) this.#newest = previous;
    else next.previous = previous;
    // Dead calls must not hold on to live ones: the collector would keep every call after an old one.
    call.previous = undefined;
    call.next = undefined;
    if (this.#oldest === undefined) this.#settleWaiting();
  }

  /** Settles once nothing runs any more. */
  whenIdle(): Promise<void> {
    if (this.#oldest === undefined) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  endAll(reason: unknown): void {
    while (this.#oldest !== undefined) this.#end(this.#oldest, reason);
  }

  #start(): ReturnType<typeof setInterval> {
    const timer = setInterval(() => this.#onTick(), TICK_MS);
    unrefTimer(timer);
    return timer;
  }

  #onTick(): void {
    if (this.#oldest === undefined) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    this.#tick += 1;
    while (this.#oldest !== undefined && this.#tick - this.#oldest.startedAt > this.#ticks) {
      const message = `no result within ${this.#timeoutMs} ms (handlerTimeoutMs)`;
      this.#end(this.#oldest, new DOMException(message, "TimeoutError"));
    }
  }

  #end(call: RunningCall, reason: unknown): void {
    this.remove(call);
    call.end(reason);
  }

  #settleWaiting(): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    for (const settle of waiting) settle();
  }
}
