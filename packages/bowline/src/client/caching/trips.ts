import { TimeoutError } from "../../base/errors.ts";
import { MAX_TIMER_MS } from "../../base/limits.ts";
import type { JsonObject } from "../../json/value.ts";
import { isInvalidParams } from "../../protocol/errors.ts";
import type { Result } from "../../protocol/result.ts";
import type { CallOptions } from "../client.ts";
import { waitWithin, type DeadlineOptions } from "../deadline.ts";
import { isOutage } from "../outage.ts";
import type { Extras, Send } from "../send.ts";
import { Flight, type Answer } from "./flight.ts";
import { frozenCopy } from "./frozen-copy.ts";
import type { Cached } from "./key.ts";
import type { CacheSettings, ResultCache } from "./result-cache.ts";
import type { CacheEntry } from "./store.ts";

/** A request whose result may come from the cache, and be kept there. */
export interface CachedCall {
  readonly method: string;
  readonly params: JsonObject;
  readonly options: CallOptions;
  readonly extras: Extras | undefined;
  readonly cached: Cached;
}

/** Trips to the server for what is not in the cache, at most one at a time for the same. */
export class Trips {
  readonly #send: Send;
  readonly #cache: ResultCache;
  readonly #settings: CacheSettings;
  readonly #flights = new Map<string, Flight>();

  constructor(send: Send, cache: ResultCache, settings: CacheSettings) {
    this.#send = send;
    this.#cache = cache;
    this.#settings = settings;
  }

  /** For a caller that hears of its trip, such as its progress: others have no part in it. */
  async alone(call: CachedCall): Promise<Result> {
    const { options } = call;
    const kept = await waitWithin(this.#deadlineOf(options), this.#find(call));
    if (kept !== undefined && this.#cache.isFresh(kept)) return kept.result;
    try {
      return (await this.#travel(call, options, () => true)).result;
    } catch (error) {
      return this.#instead(call, kept, error);
    }
  }

  /** With all others that ask the same meanwhile. */
  async shared(call: CachedCall): Promise<Result> {
    const { method, params, options, extras } = call;
    const flight = this.#joinOrStart(call);
    try {
      const result = await flight.wait(this.#deadlineOf(options));
      return result ?? (await this.#send(method, params, options, extras));
    } catch (error) {
      return this.#instead(call, flight.kept, error);
    } finally {
      if (flight.signal.aborted) this.#forget(call, flight);
    }
  }

  #joinOrStart(call: CachedCall): Flight {
    const { options, cached } = call;
    const underWay = this.#flights.get(cached.key);
    if (underWay !== undefined && options.cache !== "reload" && this.#isOfUse(cached, underWay)) {
      return underWay;
    }
    const flight = new Flight(this.#settings.now(), (own) => this.#fly(call, own));
    this.#flights.set(cached.key, flight);
    return flight;
  }

  /** Not one that everybody has left, nor one whose result has changed since it was asked for. */
  #isOfUse({ subject }: Cached, flight: Flight): boolean {
    return !flight.signal.aborted && !this.#cache.isOutdated(subject, flight.startedAt);
  }

  async #fly(call: CachedCall, flight: Flight): Promise<Answer> {
    try {
      flight.kept = await this.#find(call);
      if (flight.kept !== undefined && this.#cache.isFresh(flight.kept)) {
        return { result: flight.kept.result, isShareable: true };
      }
      const options: CallOptions = {
        meta: call.options.meta,
        signal: flight.signal,
        // Each who waits has a time of its own.
        timeoutMs: MAX_TIMER_MS,
        maxTotalTimeoutMs: MAX_TIMER_MS,
      };
      return await this.#travel(call, options, () => this.#isNewest(call, flight));
    } finally {
      this.#forget(call, flight);
    }
  }

  async #find({ options, cached }: CachedCall): Promise<CacheEntry | undefined> {
    return options.cache === "reload" ? undefined : this.#cache.find(cached);
  }

  async #travel(call: CachedCall, options: CallOptions, isNewest: () => boolean): Promise<Answer> {
    const { cached } = call;
    const askedAt = this.#settings.now();
    const result = await this.#ask(call, options);
    const isComplete = result.resultType === undefined || result.resultType === "complete";
    const copy = isComplete ? frozenCopy(result) : undefined;
    if (copy === undefined) return { result, isShareable: false };
    if (isNewest()) this.#cache.keep(cached, copy, askedAt);
    return { result: copy, isShareable: true };
  }

  /** A cursor that is no longer taken tells that the pages before it are of another list by now. */
  async #ask({ method, params, extras }: CachedCall, options: CallOptions): Promise<Result> {
    try {
      return await this.#send(method, params, options, extras);
    } catch (error) {
      if (params["cursor"] !== undefined && isInvalidParams(error)) this.#cache.forgetList(method);
      throw error;
    }
  }

  /** What was kept may serve while the server cannot be reached. */
  #instead({ cached }: CachedCall, kept: CacheEntry | undefined, error: unknown): Result {
    const mayServe =
      kept !== undefined &&
      this.#cache.isOpen &&
      !this.#cache.isOutdated(cached.subject, kept.receivedAt) &&
      (TimeoutError.is(error) || isOutage(error));
    if (mayServe) return kept.result;
    throw error;
  }

  #isNewest({ cached }: CachedCall, flight: Flight): boolean {
    return this.#flights.get(cached.key) === flight;
  }

  #forget(call: CachedCall, flight: Flight): void {
    if (this.#isNewest(call, flight)) this.#flights.delete(call.cached.key);
  }

  #deadlineOf({ signal, timeoutMs, maxTotalTimeoutMs }: CallOptions): DeadlineOptions {
    return {
      signal,
      timeoutMs: timeoutMs ?? this.#settings.timeoutMs,
      maxTotalTimeoutMs: maxTotalTimeoutMs ?? this.#settings.maxTotalTimeoutMs,
    };
  }
}
