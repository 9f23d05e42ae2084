import type { JsonObject } from "../json/value.ts";
import type { CacheHints } from "../protocol/caching.ts";
import type { ServerCapabilities } from "../protocol/capabilities.ts";
import type { DiscoverResult } from "../protocol/discover.ts";
import { SUPPORTED_VERSIONS } from "../protocol/versioning.ts";
import type { MethodHandler } from "./call/method.ts";
import type { Added } from "./call/runtime.ts";
import type { Registry } from "./registry.ts";

/** What a server can do follows from what was ever registered: a list that is empty now may fill again. */
function capabilitiesOf(registry: Registry, extensions: Added): ServerCapabilities {
  const added = extensions.capabilities();
  const { tools, prompts, readable, completable } = registry;
  return {
    logging: {},
    ...(completable.wasOffered ? { completions: {} } : {}),
    ...(prompts.wasOffered ? { prompts: { listChanged: true } } : {}),
    ...(readable.wasOffered ? { resources: { subscribe: true, listChanged: true } } : {}),
    ...(tools.wasOffered ? { tools: { listChanged: true } } : {}),
    ...(added === undefined ? {} : { extensions: added }),
  };
}

export interface DiscoverOptions {
  readonly instructions: string | undefined;
  readonly hints: CacheHints;
  readonly meta: JsonObject | undefined;
  readonly extensions: Added;
}

/** Answers `server/discover`. */
export function createDiscover(registry: Registry, options: DiscoverOptions): MethodHandler {
  const { extensions, instructions, hints, meta } = options;
  return (): DiscoverResult => ({
    resultType: "complete",
    supportedVersions: SUPPORTED_VERSIONS,
    capabilities: capabilitiesOf(registry, extensions),
    instructions,
    ttlMs: hints.ttlMs,
    cacheScope: hints.cacheScope,
    _meta: meta,
  });
}
