import type { MaybePromise } from "../../base/maybe-promise.ts";
import type { CacheScope } from "../../protocol/caching.ts";
import type { Result } from "../../protocol/result.ts";

/** A result that was kept. Plain JSON, and frozen; times are in milliseconds since 1970. */
export interface CacheEntry {
  readonly result: Result;
  /** `"private"` unless its server said otherwise. */
  readonly cacheScope: CacheScope;
  readonly receivedAt: number;
  /** From here on it is stale. It may be of use still where `staleOnErrorMs` is set. */
  readonly expiresAt: number;
}

/**
 * Where a client keeps results. What throws or rejects is told to `onWarning`, and the server is asked instead. Whoever
 * can write to a store decides what clients read from it.
 */
export interface CacheStore {
  get(key: string): MaybePromise<CacheEntry | undefined>;
  set(key: string, entry: CacheEntry): MaybePromise<void>;
  delete(key: string): MaybePromise<void>;
}
