import type { CacheHints } from "../../protocol/caching.ts";

/** Stale at once, and for the caller alone: nothing is cached that nobody said may be. */
export const DEFAULT_HINTS: CacheHints = { ttlMs: 0, cacheScope: "private" };

/** Hints with some of them replaced. Throws a `RangeError` for values the protocol does not have. */
export function withHints(
  hints: CacheHints,
  own: { readonly ttlMs?: unknown; readonly cacheScope?: unknown } = {},
): CacheHints {
  const { ttlMs = hints.ttlMs, cacheScope = hints.cacheScope } = own;
  if (typeof ttlMs !== "number" || !Number.isSafeInteger(ttlMs) || ttlMs < 0) {
    throw new RangeError(`ttlMs is ${String(ttlMs)}, not a whole number from 0`);
  }
  if (cacheScope !== "public" && cacheScope !== "private") {
    throw new RangeError(`cacheScope is ${String(cacheScope)}, neither "public" nor "private"`);
  }
  return { ttlMs, cacheScope };
}
