import { unrefTimer } from "../../base/timer.ts";

/** Calls `run` every `ms` milliseconds until the returned function is called. */
export type Every = (ms: number, run: () => void) => () => void;

export const everyInterval: Every = (ms, run) => {
  const timer = setInterval(run, ms);
  unrefTimer(timer);
  return () => clearInterval(timer);
};

/** Something that is looked after from time to time. */
export interface Ticking {
  tick(nowMs: number): void;
}

const TICK_MS = 1_000;

/**
 * One interval for all that has to be looked after: uploads, open streams. A timer for each would cost
 * a tenth of a call. It runs while there is something to look after, and does not hold the process.
 */
export class Ticker {
  /** Advances with the ticks alone. */
  nowMs = 0;
  readonly #every: Every;
  readonly #stopsWhenEmpty: boolean;
  readonly #entries = new Set<Ticking>();
  #stop: (() => void) | undefined;

  constructor(every: Every, whenEmpty: "go-on" | "stop-when-empty" = "go-on") {
    this.#every = every;
    this.#stopsWhenEmpty = whenEmpty === "stop-when-empty";
  }

  add(entry: Ticking): void {
    this.#entries.add(entry);
    this.#stop ??= this.#every(TICK_MS, () => this.#tick());
  }

  delete(entry: Ticking): void {
    this.#entries.delete(entry);
    if (this.#stopsWhenEmpty && this.#entries.size === 0) this.#halt();
  }

  #halt(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  #tick(): void {
    this.nowMs += TICK_MS;
    if (this.#entries.size === 0) {
      // Not at the moment the last one leaves: the next one is mostly on its way.
      this.#halt();
      return;
    }
    for (const entry of this.#entries) entry.tick(this.nowMs);
  }
}
