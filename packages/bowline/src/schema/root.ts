import { isJsonObject, type JsonObject, type JsonValue } from "../json/value.ts";
import type { InspectedSchema } from "./plain/inspected.ts";
import { itemsOf } from "./plain/keyword.ts";

/**
 * The schema of arguments, which are always an object: with `type: "object"` at its root. Throws a
 * `TypeError` where its root admits anything else.
 */
export function withObjectRoot(inspected: InspectedSchema): JsonObject {
  const { root } = inspected;
  if (!isJsonObject(root) || !isObjectOnly(inspected, root, new Set())) {
    throw new TypeError('the root must be an object: it needs type: "object"');
  }
  return root["type"] === "object" ? root : Object.freeze({ type: "object", ...root });
}

/** References may lead back to a schema that is being looked at; that alone proves nothing. */
function isObjectOnly(
  inspected: InspectedSchema,
  schema: JsonValue,
  open: ReadonlySet<JsonValue>,
): boolean {
  if (!isJsonObject(schema) || open.has(schema)) return false;
  const within = new Set([...open, schema]);
  const test = (inner: JsonValue): boolean => isObjectOnly(inspected, inner, within);
  const target = inspected.target(schema, "$ref");
  if (target !== undefined && inspected.dialect.refAlone) return test(target);
  if (schema["type"] !== undefined) return schema["type"] === "object";
  return (
    (target !== undefined && test(target)) ||
    itemsOf(schema["allOf"]).some(test) ||
    all(schema["anyOf"], test) ||
    all(schema["oneOf"], test)
  );
}

const all = (value: JsonValue | undefined, test: (inner: JsonValue) => boolean): boolean =>
  itemsOf(value).length > 0 && itemsOf(value).every(test);

/**
 * Refuses the one shape of value that could not be told from a whole tool result: an object with
 * `content` beside `structuredContent` or `isError`.
 */
export function assertNoResult(root: JsonValue): void {
  const properties = isJsonObject(root) ? root["properties"] : undefined;
  if (!isJsonObject(properties) || !Object.hasOwn(properties, "content")) return;
  const other = ["structuredContent", "isError"].find((name) => Object.hasOwn(properties, name));
  if (other === undefined) return;
  throw new TypeError(
    `the properties "content" and ${JSON.stringify(other)} together cannot be told from a whole result`,
  );
}
