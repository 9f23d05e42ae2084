/** Something that gathers what it has to write. */
export interface Flushable {
  flush(): void;
}

/** Has all that is gathered in one turn written at its end. */
export class Flusher {
  #waiting: Flushable[] = [];

  /** Calls `flush` once the promises settled by now have run their course. */
  defer(one: Flushable): void {
    // After the microtasks: a handler's next await comes first.
    if (this.#waiting.push(one) === 1) queueMicrotask(this.#schedule);
  }

  readonly #schedule = (): void => process.nextTick(this.#flush);

  readonly #flush = (): void => {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const one of waiting) one.flush();
  };
}
