import type { JsonObject } from "../json/value.ts";
import type { CacheHints } from "../protocol/caching.ts";
import type { Annotations } from "../protocol/content.ts";
import type { Icon } from "../protocol/implementation.ts";
import type { ReadResourceResult } from "../protocol/resources.ts";
import type { Completers } from "./prompt-types.ts";
import type { Visibility } from "./tool-types.ts";
import type { InputRequired } from "./rounds/manual.ts";

interface DescribedResource extends Visibility {
  /** Default: the URI or template itself. */
  readonly name?: string | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
  readonly annotations?: Annotations | undefined;
  readonly icons?: readonly Icon[] | undefined;
  readonly _meta?: JsonObject | undefined;
  /** How long a read may be reused, and by whom; a result of the handler may say otherwise. */
  readonly cacheHints?: Partial<CacheHints> | undefined;
}

/** What is listed of a resource. */
export interface ResourceConfig extends DescribedResource {
  /** Bytes, before encoding. */
  readonly size?: number | undefined;
}

/** What is listed of a resource template. `V` are the variables of its URI template. */
export interface TemplateConfig<V = object> extends DescribedResource {
  /** Completion, by variable. */
  readonly complete?: Completers<keyof V & string> | undefined;
}

/** What the handler of a resource returns: text, bytes, or a whole result. */
export type ResourceReturn = string | Uint8Array | ReadResourceResult | InputRequired;
