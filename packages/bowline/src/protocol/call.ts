import type { JsonObject } from "../json/value.ts";
import type { Meta } from "./meta.ts";

/** All that is needed to answer one request. Nothing is remembered between calls. */
export interface Call {
  readonly method: string;
  /** The request's `params` without `_meta`. */
  readonly params: JsonObject;
  readonly meta: Meta;
}
