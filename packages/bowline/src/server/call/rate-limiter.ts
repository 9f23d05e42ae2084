import { MAX_RATED_PRINCIPALS } from "../../base/limits.ts";
import { rateLimited } from "../../protocol/errors.ts";
import { principalKey, type Principal } from "../../protocol/exchange.ts";

import { Bucket, type Rate } from "./bucket.ts";

/** Keeps each principal to a rate; callers without credentials share one. */
export class RateLimiter {
  readonly #what: string;
  readonly #rate: Rate;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  /** Throws a `RangeError` for a rate that lets nothing through. */
  constructor(what: string, rate: Rate, now: () => number) {
    if (!(rate.burst >= 1) || !(rate.perSecond > 0)) {
      throw new RangeError(`rates.${what}: burst and perSecond have to let something through`);
    }
    this.#what = what;
    this.#rate = rate;
    this.#now = now;
  }

  /** Throws the answer for a caller that was too fast. */
  charge(principal: Principal | undefined): void {
    const key = principalKey(principal);
    const now = this.#now();
    const bucket = this.#buckets.get(key) ?? new Bucket(this.#rate, now);
    // Sets it anew in any case: the first of the map is then the one unseen for longest.
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > MAX_RATED_PRINCIPALS) this.#forgetOldest();
    if (!bucket.take(now)) throw rateLimited(`too many requests (${this.#what})`);
  }

  #forgetOldest(): void {
    for (const key of this.#buckets.keys()) {
      this.#buckets.delete(key);
      return;
    }
  }
}
