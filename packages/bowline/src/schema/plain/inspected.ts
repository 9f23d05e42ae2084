import type { JsonObject, JsonValue } from "../../json/value.ts";
import type { Dialect } from "./dialect.ts";

/** A schema that was found valid in its dialect, with every reference resolved. */
export interface InspectedSchema {
  readonly root: JsonValue;
  readonly dialect: Dialect;
  /** How many there are, the root included. */
  readonly subschemas: number;
  /** Where the reference of a subschema leads, by `$ref` or `$dynamicRef`. */
  readonly target: (node: JsonObject, keyword: ReferenceKeyword) => JsonValue | undefined;
}

export type ReferenceKeyword = "$ref" | "$dynamicRef";
