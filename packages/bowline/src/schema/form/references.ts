import { isJsonObject, type JsonObject, type JsonValue } from "../../json/value.ts";
import { inspectSchema } from "../plain/inspect.ts";
import type { InspectedSchema } from "../plain/inspected.ts";
import { itemsOf } from "../plain/keyword.ts";

/** What may stand beside a reference without narrowing what it refers to. */
const ANNOTATIONS = new Set(["title", "description", "default", "examples", "$comment"]);
/** Of no use once references are followed. */
const STORES = new Set(["$ref", "$defs", "definitions", "$id", "$schema"]);

/**
 * A schema with its references followed as deep as a form goes: libraries refer to schemas that have an
 * id, or are used lazily. What is refused as a schema throws a `TypeError`.
 */
export function withoutReferences(root: JsonValue): JsonValue {
  const inspected = inspectSchema(root);
  const form = follow(inspected, root);
  if (!isJsonObject(form) || !isJsonObject(form["properties"])) return form;
  const fields = Object.entries(form["properties"]).map(([name, field = true]) => [
    name,
    followField(inspected, field),
  ]);
  return { ...form, properties: Object.fromEntries(fields) };
}

function followField(inspected: InspectedSchema, schema: JsonValue): JsonValue {
  const field = followChoices(inspected, schema);
  if (!isJsonObject(field) || field["items"] === undefined) return field;
  return { ...field, items: followChoices(inspected, field["items"]) };
}

function followChoices(inspected: InspectedSchema, schema: JsonValue): JsonValue {
  const followed = follow(inspected, schema);
  if (!isJsonObject(followed)) return followed;
  const choices = ["anyOf", "oneOf"].flatMap((keyword) => {
    const members = followed[keyword];
    if (!Array.isArray(members)) return [];
    return [[keyword, itemsOf(members).map((member) => follow(inspected, member))] as const];
  });
  return { ...followed, ...Object.fromEntries(choices) };
}

/** A reference that something narrows stays, and is no form. References do not lead round: that was looked at. */
function follow(inspected: InspectedSchema, schema: JsonValue): JsonValue {
  if (!isJsonObject(schema)) return schema;
  const target = inspected.target(schema, "$ref");
  const beside = membersBeside(schema);
  if (!isJsonObject(target) || Object.keys(beside).some((name) => !ANNOTATIONS.has(name))) {
    return schema;
  }
  const followed = follow(inspected, target);
  return isJsonObject(followed) ? { ...followed, ...beside } : followed;
}

const membersBeside = (schema: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => !STORES.has(name)));
