/** At once and then in a second. */
export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/** A token bucket: `burst` at once, then `perSecond`. */
export class Bucket {
  readonly #rate: Rate;
  #left: number;
  #filledAt: number;

  constructor(rate: Rate, now: number) {
    this.#rate = rate;
    this.#left = rate.burst;
    this.#filledAt = now;
  }

  /** Takes one if there is one. */
  take(now: number): boolean {
    this.#fill(now);
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  /** Milliseconds until there is one to take. */
  waitMs(now: number): number {
    this.#fill(now);
    return Math.max(0, Math.ceil(((1 - this.#left) * 1_000) / this.#rate.perSecond));
  }

  #fill(now: number): void {
    const earned = ((now - this.#filledAt) * this.#rate.perSecond) / 1_000;
    this.#left = Math.min(this.#rate.burst, this.#left + earned);
    this.#filledAt = now;
  }
}
