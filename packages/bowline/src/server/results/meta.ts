import { isJsonObject, type JsonObject } from "../../json/value.ts";

/** The `_meta` of a result: the handler's own, under the members of the server's. */
export function mergeMeta(own: unknown, shared: JsonObject | undefined): JsonObject | undefined {
  if (own === undefined) return shared;
  if (!isJsonObject(own)) throw new TypeError("_meta is not an object");
  return { ...own, ...shared };
}
