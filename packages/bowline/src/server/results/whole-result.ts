import { isJsonObject, type JsonObject } from "../../json/value.ts";

/**
 * The `_meta` of a whole result: the handler's own, under the members of the server's. Throws a `TypeError`
 * for what cannot be sent, and for a result that is not final.
 */
export function metaOfWhole(
  { resultType, _meta: own }: JsonObject,
  shared: JsonObject | undefined,
): JsonObject | undefined {
  if (resultType !== undefined && resultType !== "complete") {
    throw new TypeError(`a handler cannot return resultType ${JSON.stringify(resultType)}`);
  }
  if (own === undefined) return shared;
  if (!isJsonObject(own)) throw new TypeError("_meta is not an object");
  return { ...own, ...shared };
}
