import { MAX_SCHEMA_BYTES, MAX_SCHEMA_DEPTH } from "../base/limits.ts";
import type { JsonArray, JsonObject, JsonValue } from "../json/value.ts";
import { pointer } from "./fault.ts";

/** Twice the nesting of subschemas: a keyword such as `properties` adds a level of its own. */
const MAX_JSON_DEPTH = MAX_SCHEMA_DEPTH * 2 + 2;
/** What TypeBox keeps beside the JSON of a schema without changing what it accepts. */
const HARMLESS = new Set(["~kind", "~optional", "~readonly", "~unsafe", "~immutable", "~standard"]);

/**
 * A frozen copy of a schema that is JSON and nothing else, so that nothing its author changes later
 * has an effect. Members that are `undefined` are absent from it, as in `JSON.stringify`.
 */
export function copySchema(schema: unknown): { readonly json: JsonValue; readonly text: string } {
  const json = copy(schema, [], { parents: new Set(), values: 0 });
  const text = JSON.stringify(json);
  if (new TextEncoder().encode(text).length > MAX_SCHEMA_BYTES) throw tooLarge();
  return { json, text };
}

interface Copying {
  readonly parents: Set<object>;
  /** Each takes a byte at least: shared objects that would unfold without end stop here. */
  values: number;
}

const tooLarge = (): TypeError =>
  new TypeError(`the schema has more than ${MAX_SCHEMA_BYTES} bytes`);

function copy(value: unknown, path: readonly string[], copying: Copying): JsonValue {
  copying.values += 1;
  if (copying.values > MAX_SCHEMA_BYTES) throw tooLarge();
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value !== "object") {
    throw new TypeError(`${kindOf(value)} at ${pointer(path)} has no JSON form`);
  }
  const { parents } = copying;
  if (parents.has(value)) throw new TypeError(`the schema contains itself at ${pointer(path)}`);
  if (path.length > MAX_JSON_DEPTH) {
    throw new TypeError(`the schema is nested more than ${MAX_SCHEMA_DEPTH} levels deep`);
  }
  parents.add(value);
  const result = Array.isArray(value)
    ? copyArray(value, path, copying)
    : copyObject(value, path, copying);
  parents.delete(value);
  return Object.freeze(result);
}

function copyArray(value: unknown[], path: readonly string[], copying: Copying): JsonArray {
  return Array.from(value, (item, index) => copy(item, [...path, String(index)], copying));
}

function copyObject(value: object, path: readonly string[], copying: Copying): JsonObject {
  assertPlain(value, path);
  const result: { [name: string]: JsonValue } = {};
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined || HARMLESS.has(name)) continue;
    const copied = copy(member, [...path, name], copying);
    // Plain assignment to this one name would set the prototype.
    if (name === "__proto__") {
      Object.defineProperty(result, name, { value: copied, enumerable: true });
    } else result[name] = copied;
  }
  return result;
}

function assertPlain(value: object, path: readonly string[]): void {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw new TypeError(`${kindOf(value)} at ${pointer(path)} has no JSON form`);
  }
  const hidden = Object.getOwnPropertyNames(value).find(
    (name) => name.startsWith("~") && !HARMLESS.has(name),
  );
  if (hidden !== undefined) {
    throw new TypeError(
      `${JSON.stringify(hidden)} at ${pointer(path)} is a rule outside the JSON of the schema, which nobody would see or check`,
    );
  }
}

function kindOf(value: unknown): string {
  if (typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null) return `a ${typeof value}`;
  const name: unknown = value.constructor?.name;
  return typeof name === "string" && name !== "" ? `an instance of ${name}` : "an object";
}
