import { encodeBase64 } from "../../base/base64.ts";
import { isJsonObject, type JsonObject } from "../../json/value.ts";
import type { CacheHints } from "../../protocol/caching.ts";
import type { Result } from "../../protocol/result.ts";
import { assertContents } from "./blocks.ts";
import { withHints } from "./cache-hints.ts";
import { metaOfWhole } from "./whole-result.ts";

export interface ReadOptions {
  readonly uri: string;
  readonly mimeType: string | undefined;
  readonly hints: CacheHints;
  readonly meta: JsonObject | undefined;
}

/** The result of a read. Throws a `TypeError` for a value that is none. */
export function resourceToResult(value: unknown, options: ReadOptions): Result {
  const { uri, mimeType, hints, meta } = options;
  const described = mimeType === undefined ? { uri } : { uri, mimeType };
  if (typeof value === "string") return complete([{ ...described, text: value }], hints, meta);
  if (value instanceof Uint8Array) {
    return complete([{ ...described, blob: encodeBase64(value) }], hints, meta);
  }
  if (!isJsonObject(value) || !Array.isArray(value["contents"])) {
    throw new TypeError("a resource returns text, bytes or a whole result");
  }
  const { contents, ttlMs, cacheScope } = value;
  if (contents.length === 0) {
    throw new TypeError("contents is empty: throw resourceNotFound(uri) for what does not exist");
  }
  contents.forEach((item, index) => assertContents(item, `contents[${index}]`));
  return complete(contents, withHints(hints, { ttlMs, cacheScope }), metaOfWhole(value, meta));
}

function complete(
  contents: readonly unknown[],
  { ttlMs, cacheScope }: CacheHints,
  _meta: JsonObject | undefined,
): Result {
  return { resultType: "complete", contents, ttlMs, cacheScope, _meta };
}
