import type { HttpServerLimits } from "../../base/limits.ts";
import type { RequestId } from "../../jsonrpc/message.ts";
import { overloaded, rateLimited } from "../../protocol/errors.ts";
import { principalKey, type Principal } from "../../protocol/exchange.ts";
import { busyReply, type Reply } from "../respond.ts";

/** A subscription waits most of its life and is counted apart from calls at work. */
export type CallKind = "call" | "listen";

/** A place in the count of one kind, held until it is given back. */
export interface Slot {
  readonly kind: CallKind;
  readonly caller: Counts | undefined;
}

export type Counts = { [X in CallKind]: number } & { readonly key: string; detached: number };

/** What is at work now. */
export interface Activity {
  readonly calls: number;
  readonly listenStreams: number;
  /** Handlers that go on although nobody waits for them. */
  readonly detached: number;
  /** Clients given up so far because they took nothing of their answers. */
  readonly slowConsumers: number;
}

const CALL_SLOT: Slot = { kind: "call", caller: undefined };
const LISTEN_SLOT: Slot = { kind: "listen", caller: undefined };

/** Counts what is at work, for the process and for each caller with credentials. */
export class Admission {
  readonly #limits: HttpServerLimits;
  readonly #boundsSubscriptions: boolean;
  readonly #total: { [X in CallKind]: number } = { call: 0, listen: 0 };
  readonly #callers = new Map<string, Counts>();
  #detached = 0;
  #slowConsumers = 0;
  #isDraining = false;
  #whenIdle: (() => void) | undefined;

  /** `boundsSubscriptions`: the exchange does not, and here they are bounded like calls. */
  constructor(limits: HttpServerLimits, boundsSubscriptions: boolean) {
    this.#limits = limits;
    this.#boundsSubscriptions = boundsSubscriptions;
  }

  get activity(): Activity {
    return {
      calls: this.#total.call,
      listenStreams: this.#total.listen,
      detached: this.#detached,
      slowConsumers: this.#slowConsumers,
    };
  }

  /** The refusal for every request of this moment, whoever sends it. */
  refuse(id?: RequestId): Reply | undefined {
    if (this.#isDraining) {
      return busyReply(503, overloaded("the server is shutting down"), { id, close: true });
    }
    const { maxInFlight, maxDetached } = this.#limits;
    if (this.#total.call >= maxInFlight || this.#detached >= maxDetached) {
      return busyReply(503, overloaded("the server is busy"), { id });
    }
    return undefined;
  }

  /** A place, or the refusal. */
  enter(kind: CallKind, principal: Principal | undefined, id: RequestId): Slot | Reply {
    const refusal = this.refuse(id);
    if (refusal !== undefined) return refusal;
    const { maxInFlight, maxInFlightPerPrincipal } = this.#limits;
    const isBounded = kind === "call" || this.#boundsSubscriptions;
    if (isBounded && this.#total[kind] >= maxInFlight) {
      return busyReply(503, overloaded("too many subscriptions"), { id });
    }
    const caller = principal === undefined ? undefined : this.#countsOf(principal);
    if (caller !== undefined) {
      // Work that goes on after its caller left is still that caller's.
      const own = caller[kind] + (kind === "call" ? caller.detached : 0);
      if (isBounded && own >= maxInFlightPerPrincipal) {
        const error = rateLimited(`${own} of your requests are at work`);
        return busyReply(429, error, { id });
      }
      this.#callers.set(caller.key, caller);
      caller[kind] += 1;
    }
    this.#total[kind] += 1;
    if (caller !== undefined) return { kind, caller };
    return kind === "call" ? CALL_SLOT : LISTEN_SLOT;
  }

  leave(slot: Slot): void {
    this.#total[slot.kind] -= 1;
    const { caller } = slot;
    if (caller !== undefined) {
      caller[slot.kind] -= 1;
      this.#forget(caller);
    }
    if (this.#whenIdle !== undefined && this.#isIdle()) this.#whenIdle();
  }

  /** The client of this place is gone, and the handler goes on. */
  detach({ caller }: Slot): void {
    this.#detached += 1;
    if (caller === undefined) return;
    caller.detached += 1;
    this.#callers.set(caller.key, caller);
  }

  reattach({ caller }: Slot): void {
    this.#detached -= 1;
    if (caller === undefined) return;
    caller.detached -= 1;
    this.#forget(caller);
  }

  #forget(caller: Counts): void {
    if (caller.call + caller.listen + caller.detached === 0) this.#callers.delete(caller.key);
  }

  countSlow(): void {
    this.#slowConsumers += 1;
  }

  /** Lets nobody in any more; settles when the last one has left. */
  drain(): Promise<void> {
    this.#isDraining = true;
    if (this.#isIdle()) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenIdle = resolve;
    });
  }

  #isIdle(): boolean {
    return this.#total.call === 0 && this.#total.listen === 0;
  }

  #countsOf(principal: Principal): Counts {
    const key = principalKey(principal);
    return this.#callers.get(key) ?? { key, call: 0, listen: 0, detached: 0 };
  }
}
