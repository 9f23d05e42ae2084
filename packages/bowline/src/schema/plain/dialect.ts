/** How the value of a keyword is checked and where its subschemas lie. */
export type KeywordKind =
  | "any"
  | "boolean"
  | "string"
  | "number"
  | "positive"
  | "count"
  | "list"
  | "strings"
  | "string-lists"
  | "type"
  | "pattern"
  | "schema"
  | "schemas"
  | "schema-map"
  | "pattern-map"
  | "schema-or-schemas"
  | "dependencies";

export interface Dialect {
  readonly name: "2020-12" | "draft-07";
  readonly keywords: ReadonlyMap<string, KeywordKind>;
  /** Keywords beside a `$ref` have no meaning. */
  readonly refAlone: boolean;
}

const COMMON: readonly (readonly [string, KeywordKind])[] = [
  ["$schema", "string"],
  ["$id", "string"],
  ["$ref", "string"],
  ["$comment", "string"],
  ["title", "string"],
  ["description", "string"],
  ["default", "any"],
  ["examples", "list"],
  ["readOnly", "boolean"],
  ["writeOnly", "boolean"],
  ["type", "type"],
  ["enum", "list"],
  ["const", "any"],
  ["multipleOf", "positive"],
  ["maximum", "number"],
  ["exclusiveMaximum", "number"],
  ["minimum", "number"],
  ["exclusiveMinimum", "number"],
  ["maxLength", "count"],
  ["minLength", "count"],
  ["pattern", "pattern"],
  ["format", "string"],
  ["contentEncoding", "string"],
  ["contentMediaType", "string"],
  ["maxItems", "count"],
  ["minItems", "count"],
  ["uniqueItems", "boolean"],
  ["contains", "schema"],
  ["maxProperties", "count"],
  ["minProperties", "count"],
  ["required", "strings"],
  ["properties", "schema-map"],
  ["patternProperties", "pattern-map"],
  ["additionalProperties", "schema"],
  ["propertyNames", "schema"],
  ["if", "schema"],
  ["then", "schema"],
  ["else", "schema"],
  ["allOf", "schemas"],
  ["anyOf", "schemas"],
  ["oneOf", "schemas"],
  ["not", "schema"],
  // Of draft-07; a later dialect ignores it, but references into it are common.
  ["definitions", "schema-map"],
];

const DRAFT_2020_12: Dialect = {
  name: "2020-12",
  refAlone: false,
  keywords: new Map([
    ...COMMON,
    ["$defs", "schema-map"],
    ["$anchor", "string"],
    ["$dynamicRef", "string"],
    ["$dynamicAnchor", "string"],
    ["deprecated", "boolean"],
    ["contentSchema", "schema"],
    ["items", "schema"],
    ["prefixItems", "schemas"],
    ["unevaluatedItems", "schema"],
    ["maxContains", "count"],
    ["minContains", "count"],
    ["unevaluatedProperties", "schema"],
    ["dependentRequired", "string-lists"],
    ["dependentSchemas", "schema-map"],
  ]),
};

const DRAFT_07: Dialect = {
  name: "draft-07",
  refAlone: true,
  keywords: new Map([
    ...COMMON,
    ["items", "schema-or-schemas"],
    ["additionalItems", "schema"],
    ["dependencies", "dependencies"],
  ]),
};

const DIALECTS: ReadonlyMap<string, Dialect> = new Map([
  ["https://json-schema.org/draft/2020-12/schema", DRAFT_2020_12],
  ["http://json-schema.org/draft-07/schema", DRAFT_07],
  ["https://json-schema.org/draft-07/schema", DRAFT_07],
]);

/** The dialect a `$schema` names; `undefined` if it is not supported. Absent means 2020-12. */
export function dialectOf(uri: string | undefined): Dialect | undefined {
  return uri === undefined ? DRAFT_2020_12 : DIALECTS.get(uri.replace(/#$/, ""));
}
