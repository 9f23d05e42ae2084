import type { CacheHints } from "./caching.ts";
import type { ServerCapabilities } from "./capabilities.ts";
import type { CompleteResult } from "./result.ts";

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/discover */
export interface DiscoverResult extends CompleteResult, CacheHints {
  readonly supportedVersions: readonly string[];
  readonly capabilities: ServerCapabilities;
  readonly instructions?: string | undefined;
}
