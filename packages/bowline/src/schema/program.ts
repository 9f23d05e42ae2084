import { isJsonObject, type JsonObject, type JsonValue } from "../json/value.ts";
import type { InspectedSchema, ReferenceKeyword } from "./inspect.ts";
import { hasOwnRule, multipleRule, patternRule, uniqueRule, type Rule } from "./rule.ts";

/** What an engine runs: 2020-12 without names, annotations and formats, plus rules of our own. */
export type EngineSchema = boolean | EngineObject;
export interface EngineObject {
  [keyword: string]: unknown;
}

export interface Program {
  readonly root: EngineSchema;
  /** Subschemas that references lead to, by the text of the `$ref`. */
  readonly definitions: { readonly [reference: string]: EngineSchema };
}

/** The keyword under which the engine runs functions. */
const RULES = "~refine";

/** Go to the engine as they are. */
const VERBATIM = new Set([
  "type",
  "enum",
  "const",
  "maximum",
  "exclusiveMaximum",
  "minimum",
  "exclusiveMinimum",
  "maxLength",
  "minLength",
  "maxItems",
  "minItems",
  "maxProperties",
  "minProperties",
]);
const SCHEMAS = new Set([
  "additionalProperties",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
  "not",
]);
const LISTS = new Set(["allOf", "anyOf", "oneOf"]);

interface Emission {
  readonly inspected: InspectedSchema;
  /** Name of each subschema that is referenced. */
  readonly names: Map<JsonObject, string>;
  readonly definitions: { [reference: string]: EngineSchema };
  readonly pending: JsonObject[];
  readonly onVisit: (value: unknown) => void;
  readonly parts: WeakMap<EngineObject, EngineSchema[]>;
}

/**
 * Translates a schema for the engine, so that nothing is left to how an engine resolves references,
 * treats inherited members, formats or patterns. `onVisit` is called for every value that reaches a
 * referenced subschema; it may throw to give up.
 */
export function createProgram(
  inspected: InspectedSchema,
  onVisit: (value: unknown) => void,
): Program {
  const emission: Emission = {
    inspected,
    names: new Map(),
    definitions: {},
    pending: [],
    onVisit,
    parts: new WeakMap(),
  };
  const root = isJsonObject(inspected.root) ? emitObject(emission, inspected.root) : inspected.root;
  for (const node of emission.pending) {
    const name = nameOf(emission, node);
    emission.definitions[name] = {
      allOf: [{ [RULES]: [visitRule(onVisit)] }, emitObject(emission, node)],
    };
  }
  return { root: root as EngineSchema, definitions: emission.definitions };
}

const visitRule = (onVisit: (value: unknown) => void): Rule => ({
  check: (value) => {
    onVisit(value);
    return true;
  },
  error: () => "",
});

function nameOf(emission: Emission, node: JsonObject): string {
  const known = emission.names.get(node);
  if (known !== undefined) return known;
  const name = `#${emission.names.size}`;
  emission.names.set(node, name);
  emission.pending.push(node);
  return name;
}

function emit(emission: Emission, schema: JsonValue): EngineSchema {
  if (!isJsonObject(schema)) return schema as boolean;
  const name = emission.names.get(schema);
  return name === undefined ? emitObject(emission, schema) : { $ref: name };
}

function emitReference(
  emission: Emission,
  node: JsonObject,
  keyword: ReferenceKeyword,
): EngineSchema {
  const target = emission.inspected.target(node, keyword);
  return isJsonObject(target) ? { $ref: nameOf(emission, target) } : (target as boolean);
}

function emitObject(emission: Emission, node: JsonObject): EngineObject {
  if (emission.inspected.dialect.refAlone && node["$ref"] !== undefined) {
    return { allOf: [emitReference(emission, node, "$ref")] };
  }
  const draft: Draft = { out: {}, rules: [], all: [] };
  for (const [keyword, value] of Object.entries(node)) {
    if (value === undefined || !emission.inspected.dialect.keywords.has(keyword)) continue;
    emitKeyword(emission, draft, node, [keyword, value]);
  }
  const { out, rules, all } = draft;
  if (all.length > 0) out["allOf"] = [...((out["allOf"] as unknown[]) ?? []), ...all];
  if (rules.length > 0) out[RULES] = rules;
  return out;
}

interface Draft {
  readonly out: EngineObject;
  readonly rules: Rule[];
  readonly all: EngineSchema[];
}

type Entry = readonly [keyword: string, value: JsonValue];

function emitKeyword(emission: Emission, draft: Draft, node: JsonObject, entry: Entry): void {
  const [keyword, value] = entry;
  const { out, rules, all } = draft;
  const list = (schemas: JsonValue): EngineSchema[] =>
    (schemas as readonly JsonValue[]).map((schema) => emit(emission, schema));
  if (VERBATIM.has(keyword)) out[keyword] = value;
  else if (SCHEMAS.has(keyword)) out[keyword] = emit(emission, value);
  else if (LISTS.has(keyword)) out[keyword] = list(value);
  else if (keyword === "$ref" || keyword === "$dynamicRef") {
    all.push(emitReference(emission, node, keyword));
  } else if (keyword === "pattern") rules.push(patternRule(value as string));
  else if (keyword === "multipleOf") rules.push(multipleRule(value as number));
  else if (keyword === "uniqueItems" && value === true) rules.push(uniqueRule);
  else emitApplicator(emission, draft, node, entry);
}

function emitApplicator(emission: Emission, draft: Draft, node: JsonObject, entry: Entry): void {
  const [keyword, value] = entry;
  const { out } = draft;
  switch (keyword) {
    case "if":
      emitCondition(emission, out, node);
      break;
    case "contains":
      out["contains"] = emit(emission, value);
      for (const bound of ["minContains", "maxContains"]) {
        if (node[bound] !== undefined && emission.inspected.dialect.keywords.has(bound)) {
          out[bound] = node[bound];
        }
      }
      break;
    case "prefixItems":
    case "items":
      emitItems(emission, out, node, entry);
      break;
    default:
      emitMembers(emission, draft, entry);
  }
}

function emitCondition(emission: Emission, out: EngineObject, node: JsonObject): void {
  for (const keyword of ["if", "then", "else"]) {
    const schema = node[keyword];
    if (schema !== undefined) out[keyword] = emit(emission, schema);
  }
}

function emitItems(emission: Emission, out: EngineObject, node: JsonObject, entry: Entry): void {
  const [keyword, value] = entry;
  if (!Array.isArray(value)) {
    out[keyword] = emit(emission, value);
    return;
  }
  // Draft-07 lists the first items under `items` and calls the rest additional.
  if (value.length > 0) out["prefixItems"] = value.map((schema) => emit(emission, schema));
  const rest = node["additionalItems"];
  if (keyword === "items" && rest !== undefined) out["items"] = emit(emission, rest);
}

function emitMembers(emission: Emission, draft: Draft, [keyword, value]: Entry): void {
  const { out, rules, all } = draft;
  switch (keyword) {
    case "required":
      emitRequired(out, rules, value as readonly string[]);
      break;
    case "properties":
    case "patternProperties":
      for (const [name, schema] of entriesOf(value)) {
        const inherited = keyword === "properties" && isInherited(name);
        const target = inherited || keyword === "patternProperties" ? "patternProperties" : keyword;
        const map = (out[target] ??= {}) as EngineObject;
        map[inherited ? `^(?:${name})$` : name] = emit(emission, schema);
      }
      break;
    case "dependentRequired":
    case "dependentSchemas":
    case "dependencies":
      for (const [name, dependency] of entriesOf(value)) {
        all.push(emitDependency(emission, name, dependency));
      }
      break;
    default:
      break;
  }
}

function emitDependency(emission: Emission, name: string, dependency: JsonValue): EngineObject {
  const then: EngineObject = {};
  if (!Array.isArray(dependency)) return { if: hasOwn([name]), then: emit(emission, dependency) };
  const rules: Rule[] = [];
  emitRequired(then, rules, dependency as readonly string[]);
  if (rules.length > 0) then[RULES] = rules;
  return { if: hasOwn([name]), then };
}

/** The values that are no objects do not concern a dependency: they must not match. */
function hasOwn(names: readonly string[]): EngineObject {
  const schema: EngineObject = { type: "object" };
  const rules: Rule[] = [];
  emitRequired(schema, rules, names);
  if (rules.length > 0) schema[RULES] = rules;
  return schema;
}

/** The engine looks with `in`, which finds inherited members. */
function emitRequired(out: EngineObject, rules: Rule[], names: readonly string[]): void {
  out["required"] = names.filter((name) => !isInherited(name));
  rules.push(...names.filter(isInherited).map(hasOwnRule));
}

const isInherited = (name: string): boolean => name in Object.prototype;

const entriesOf = (value: JsonValue): [string, JsonValue][] =>
  Object.entries(value as { readonly [name: string]: JsonValue });
