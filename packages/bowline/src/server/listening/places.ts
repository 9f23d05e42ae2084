import { limitReached, overloaded } from "../../protocol/errors.ts";
import { principalKey, type Principal } from "../../protocol/exchange.ts";

export interface PlaceLimits {
  readonly maxStreams: number;
  /** Of one caller with credentials: the others cannot be told apart. */
  readonly maxStreamsPerPrincipal: number;
}

/** Counts the subscriptions of one server, and of each principal. */
export class Places {
  readonly #limits: PlaceLimits;
  readonly #ofPrincipal = new Map<string, number>();
  #taken = 0;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  get areEmpty(): boolean {
    return this.#taken === 0;
  }

  /** Throws the refusal where there is none. */
  take(principal: Principal | undefined): void {
    const { maxStreams, maxStreamsPerPrincipal } = this.#limits;
    if (this.#taken >= maxStreams) throw overloaded("too many subscriptions");
    if (principal !== undefined) {
      const key = principalKey(principal);
      const own = this.#ofPrincipal.get(key) ?? 0;
      if (own >= maxStreamsPerPrincipal) {
        throw limitReached(`${own} of your subscriptions are open`);
      }
      this.#ofPrincipal.set(key, own + 1);
    }
    this.#taken += 1;
  }

  giveBack(principal: Principal | undefined): void {
    this.#taken -= 1;
    if (principal === undefined) return;
    const key = principalKey(principal);
    const own = (this.#ofPrincipal.get(key) ?? 0) - 1;
    if (own > 0) this.#ofPrincipal.set(key, own);
    else this.#ofPrincipal.delete(key);
  }
}
