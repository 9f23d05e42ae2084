import type { JsonObject } from "../json/value.ts";
import type { CacheHints } from "./caching.ts";
import type { Annotations, ResourceContents } from "./content.ts";
import type { Icon } from "./implementation.ts";
import type { Page } from "./pagination.ts";
import type { CompleteResult } from "./result.ts";

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes, before encoding. */
  readonly size?: number;
  readonly icons?: readonly Icon[];
  readonly annotations?: Annotations;
  readonly _meta?: JsonObject;
}

export interface ResourceTemplate {
  /** RFC 6570. */
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly icons?: readonly Icon[];
  readonly annotations?: Annotations;
  readonly _meta?: JsonObject;
}

export interface ListResourcesResult extends CompleteResult, CacheHints, Page {
  readonly resources: readonly Resource[];
}

export interface ListResourceTemplatesResult extends CompleteResult, CacheHints, Page {
  readonly resourceTemplates: readonly ResourceTemplate[];
}

/** What a read gives. As a handler's return value, all but `contents` may be left out. */
export interface ReadResourceResult extends Partial<CacheHints> {
  readonly resultType?: "complete" | undefined;
  readonly contents: readonly ResourceContents[];
  readonly _meta?: JsonObject | undefined;
}
