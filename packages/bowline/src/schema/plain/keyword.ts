import { MAX_PATTERN_CHARS } from "../../base/limits.ts";
import { isJsonObject, type JsonValue } from "../../json/value.ts";
import type { KeywordKind } from "./dialect.ts";

/** A subschema below a keyword; `path` leads from the keyword to it. */
export interface Place {
  readonly path: readonly string[];
  readonly schema: JsonValue;
}

const TYPES = new Set(["string", "number", "integer", "boolean", "null", "array", "object"]);

const isSchema = (value: unknown): value is JsonValue =>
  typeof value === "boolean" || isJsonObject(value);
const isCount = (value: unknown): boolean =>
  typeof value === "number" && Number.isInteger(value) && value >= 0;
const isUniqueStrings = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((item) => typeof item === "string") &&
  new Set(value).size === value.length;
const isMapOf = (value: unknown, test: (member: unknown) => boolean): boolean =>
  isJsonObject(value) && Object.values(value).every(test);
const isSchemas = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isSchema);
const isDependency = (value: unknown): boolean => isSchema(value) || isUniqueStrings(value);

const KINDS: Readonly<
  Record<KeywordKind, readonly [expected: string, test: (value: unknown) => boolean]>
> = {
  any: ["anything", () => true],
  boolean: ["true or false", (value) => typeof value === "boolean"],
  string: ["a string", (value) => typeof value === "string"],
  number: ["a number", (value) => typeof value === "number"],
  positive: ["a number above 0", (value) => typeof value === "number" && value > 0],
  count: ["a whole number of at least 0", isCount],
  list: ["an array", Array.isArray],
  strings: ["an array of different strings", isUniqueStrings],
  "string-lists": [
    "an object of arrays of different strings",
    (value) => isMapOf(value, isUniqueStrings),
  ],
  type: ["a type of JSON Schema, or an array of different ones", isType],
  pattern: [`a regular expression of at most ${MAX_PATTERN_CHARS} characters`, isPattern],
  schema: ["a schema", isSchema],
  schemas: ["an array of schemas", isSchemas],
  "schema-map": ["an object of schemas", (value) => isMapOf(value, isSchema)],
  "pattern-map": [
    "an object of schemas by regular expressions",
    (value) =>
      isMapOf(value, isSchema) && isJsonObject(value) && Object.keys(value).every(isPattern),
  ],
  "schema-or-schemas": [
    "a schema or an array of schemas",
    (value) => isSchema(value) || (Array.isArray(value) && value.every(isSchema)),
  ],
  dependencies: [
    "an object of schemas and arrays of different strings",
    (value) => isMapOf(value, isDependency),
  ],
};

/** What the keyword must hold, if it holds something else. */
export function expectedOf(kind: KeywordKind, value: JsonValue): string | undefined {
  const [expected, test] = KINDS[kind];
  return test(value) ? undefined : expected;
}

const PLACES: Readonly<Partial<Record<KeywordKind, (value: JsonValue) => readonly Place[]>>> = {
  schema: (schema) => [{ path: [], schema }],
  schemas: listPlaces,
  "schema-or-schemas": (schema) =>
    Array.isArray(schema) ? listPlaces(schema) : [{ path: [], schema }],
  "schema-map": mapPlaces,
  "pattern-map": mapPlaces,
  dependencies: (value) => mapPlaces(value).filter(({ schema }) => !Array.isArray(schema)),
};

/** The subschemas below a keyword whose value is as expected. */
export function placesOf(kind: KeywordKind, value: JsonValue): readonly Place[] {
  return PLACES[kind]?.(value) ?? [];
}

function listPlaces(value: JsonValue): readonly Place[] {
  return itemsOf(value).map((schema, index) => ({ path: [String(index)], schema }));
}

function mapPlaces(value: JsonValue): readonly Place[] {
  return membersOf(value).map(([name, schema]) => ({ path: [name], schema }));
}

/** The items of an array; none of anything else. */
export function itemsOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** The members of an object; none of anything else. */
export function membersOf(value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [[name, member] as const],
  );
}

/** The strings of an array of strings. */
export function stringsOf(value: JsonValue | undefined): readonly string[] {
  return itemsOf(value).filter((item) => typeof item === "string");
}

function isType(value: unknown): boolean {
  if (Array.isArray(value))
    return value.length > 0 && isUniqueStrings(value) && value.every(isType);
  return typeof value === "string" && TYPES.has(value);
}

function isPattern(value: unknown): boolean {
  return (
    typeof value === "string" && value.length <= MAX_PATTERN_CHARS && toRegExp(value) !== undefined
  );
}

/** JSON Schema wants Unicode semantics; patterns that are valid only without them are common. */
export function toRegExp(pattern: string): RegExp | undefined {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(pattern, flags);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return undefined;
}
