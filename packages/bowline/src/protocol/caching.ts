/** Who may reuse a result. `"public"` results may be shared between callers by anyone on the way. */
export type CacheScope = "public" | "private";

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching */
export interface CacheHints {
  /** How long the result stays fresh, in milliseconds from receipt; 0 is stale at once. */
  readonly ttlMs: number;
  readonly cacheScope: CacheScope;
}
