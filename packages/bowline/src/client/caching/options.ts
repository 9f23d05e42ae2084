import { assertOptions, kindOf, type Known } from "../../base/known-members.ts";
import { MAX_CACHE_BYTES, MAX_CACHE_ENTRIES } from "../../base/limits.ts";
import { MemoryStore } from "./memory-store.ts";
import type { CacheSettings } from "./result-cache.ts";
import type { CacheStore } from "./store.ts";

/** How a client keeps lists, resources and the answer to discovery for as long as their server allows. */
export interface CacheOptions {
  /** Where results are kept. Default: in the client itself. Needs a `partition`. */
  readonly store?: CacheStore | undefined;
  /**
   * Names the server and whose credentials the client uses, in a store that others may use as well: what is kept under
   * one name is never given to a client of another.
   */
  readonly partition?: string | undefined;
  /** Of the default store: results, and their bytes. Default 512 and 64 MiB. */
  readonly maxEntries?: number | undefined;
  readonly maxBytes?: number | undefined;
  /** How long after its time a result may still serve where the server cannot be reached. Default 0. */
  readonly staleOnErrorMs?: number | undefined;
  /** Milliseconds since 1970, by a clock that is never set back. Default: the platform's. */
  readonly now?: (() => number) | undefined;
}

const CACHE_OPTIONS: Known<CacheOptions> = {
  store: "object",
  partition: "string",
  maxEntries: "number",
  maxBytes: "number",
  staleOnErrorMs: "number",
  now: "function",
};

/** Undefined for no cache. Throws a `TypeError` or `RangeError` for options that mean nothing. */
export function cacheSettings(
  options: false | CacheOptions = {},
  others: Pick<CacheSettings, "warn" | "timeoutMs" | "maxTotalTimeoutMs">,
): CacheSettings | undefined {
  if (options === false) return undefined;
  assertOptions("createClient: cache", options, CACHE_OPTIONS);
  const { store, partition, staleOnErrorMs = 0, now = monotonicNow } = options;
  const { maxEntries = MAX_CACHE_ENTRIES, maxBytes = MAX_CACHE_BYTES } = options;
  for (const [name, value] of Object.entries({ maxEntries, maxBytes, staleOnErrorMs })) {
    if (!(value >= 0)) throw new RangeError(`createClient: cache: ${name} must be at least 0`);
  }
  if (store !== undefined) assertStore(store, partition);
  return {
    ...others,
    store: store ?? new MemoryStore({ maxEntries, maxBytes }),
    partition: partition ?? "",
    staleOnErrorMs,
    now,
  };
}

/** A store that is not the client's own may hold what belongs to others. */
function assertStore(store: CacheStore, partition: string | undefined): void {
  for (const member of ["get", "set", "delete"] as const) {
    const given: unknown = store[member];
    if (typeof given === "function") continue;
    throw new TypeError(
      `createClient: cache: store.${member} is not a function but ${kindOf(given)}`,
    );
  }
  if (partition === undefined || partition === "") {
    throw new TypeError(
      "createClient: cache: a store needs a partition, which names the server and whose credentials are used",
    );
  }
}

/** The wall clock as it was at the start of the process, carried on by a clock that nobody sets. */
const monotonicNow = (): number => performance.timeOrigin + performance.now();
