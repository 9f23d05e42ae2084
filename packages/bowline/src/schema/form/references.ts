import { isJsonObject, type JsonObject, type JsonValue } from "../../json/value.ts";
import { inspectSchema } from "../plain/inspect.ts";
import { itemsOf } from "../plain/keyword.ts";

/** What may stand beside a reference without narrowing what it refers to. */
const BESIDE = /^(?:title|description|default|\$ref|\$defs|\$schema)$/;

/** A form, its field, what a list holds, one choice. */
const DEPTH = 3;

/**
 * A schema with its references followed as deep as a form goes: libraries refer to schemas that have an
 * id, or are used lazily. A reference that something narrows stays. What is refused as a schema throws a `TypeError`.
 */
export function withoutReferences(root: JsonValue): JsonValue {
  const { target } = inspectSchema(root);
  return follow(root, DEPTH);

  function follow(schema: JsonValue, depth: number): JsonValue {
    if (!isJsonObject(schema) || depth < 0) return schema;
    const found = target(schema, "$ref");
    if (found === undefined || !Object.keys(schema).every((name) => BESIDE.test(name))) {
      return mapMembers(schema, (member, name) => followMember(member, name, depth));
    }
    const { $ref: _ref, $defs: _defs, ...beside } = schema;
    const followed = follow(found, depth);
    return isJsonObject(followed) ? { ...followed, ...beside } : followed;
  }

  function followMember(member: JsonValue, name: string, depth: number): JsonValue {
    if (name === "properties" && depth === DEPTH && isJsonObject(member)) {
      return mapMembers(member, (field) => follow(field, depth - 1));
    }
    if (name === "items") return follow(member, depth - 1);
    if (name !== "anyOf" && name !== "oneOf") return member;
    return itemsOf(member).map((choice) => follow(choice, depth - 1));
  }
}

const mapMembers = (
  schema: JsonObject,
  map: (member: JsonValue, name: string) => JsonValue,
): JsonObject =>
  Object.fromEntries(
    Object.entries(schema).map(([name, member = null]) => [name, map(member, name)]),
  );
