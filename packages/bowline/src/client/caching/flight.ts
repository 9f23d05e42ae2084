import type { Result } from "../../protocol/result.ts";
import { startDeadline, type DeadlineOptions } from "../deadline.ts";
import type { CacheEntry } from "./store.ts";

export interface Answer {
  readonly result: Result;
  /** False for one that belongs to whoever asked first, such as a question to the user. */
  readonly isShareable: boolean;
}

/** One trip that several callers wait for, each for as long as it likes. It ends once the last has left. */
export class Flight {
  readonly startedAt: number;
  /** What may serve where the trip fails. */
  kept: CacheEntry | undefined;
  readonly #controller = new AbortController();
  readonly #answer: Promise<Answer>;
  #waiting = 0;
  #boarded = 0;

  constructor(startedAt: number, fly: (flight: Flight) => Promise<Answer>) {
    this.startedAt = startedAt;
    this.#answer = fly(this);
    // All who waited may have left.
    this.#answer.catch(() => undefined);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The answer; undefined for one that is another caller's. */
  async wait(options: DeadlineOptions): Promise<Result | undefined> {
    const isFirst = this.#boarded === 0;
    this.#boarded += 1;
    this.#waiting += 1;
    const deadline = startDeadline(options);
    try {
      const { result, isShareable } = await deadline.wait(this.#answer);
      return isFirst || isShareable ? result : undefined;
    } finally {
      deadline.end();
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#controller.abort(deadline.signal.reason);
    }
  }
}
