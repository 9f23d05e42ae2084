import { isJsonObject, type JsonObject, type JsonValue } from "../../json/value.ts";
import type { InspectedSchema, ReferenceKeyword } from "./inspected.ts";
import { itemsOf, membersOf, stringsOf } from "./keyword.ts";
import { hasOwnRule, multipleRule, patternRule, uniqueRule, type Rule } from "./rule.ts";

/** What an engine runs: 2020-12 without names, annotations and formats, plus rules of our own. */
export type EngineSchema = boolean | EngineObject;
export interface EngineObject {
  [keyword: string]: unknown;
}

export interface Program {
  readonly root: EngineSchema;
  /** Subschemas that references lead to, by the text of the `$ref`. */
  readonly definitions: { readonly [reference: string]: EngineObject };
}

/**
 * How references are written: `"named"` for an engine that generates code; `"linked"` as the target
 * itself, which may make the program a cyclic graph, for one that walks it and need not look up names.
 */
export type ReferenceStyle = "named" | "linked";

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

interface Emission {
  readonly inspected: InspectedSchema;
  readonly style: ReferenceStyle;
  /** What stands for each subschema that is referenced. */
  readonly references: Map<JsonObject, EngineObject>;
  readonly definitions: { [reference: string]: EngineObject };
  /** Referenced subschemas, and the definitions to be filled with them. */
  readonly pending: [node: JsonObject, definition: EngineObject][];
}

/**
 * Translates a schema for the engine, so that nothing is left to how an engine resolves references,
 * treats inherited members, formats or patterns. `onVisit` is called for every value that reaches a
 * referenced subschema; it may throw to give up.
 */
export function createProgram(
  inspected: InspectedSchema,
  style: ReferenceStyle,
  onVisit: (value: unknown) => void,
): Program {
  const emission: Emission = {
    inspected,
    style,
    references: new Map(),
    definitions: {},
    pending: [],
  };
  const { root } = inspected;
  const emitted = isJsonObject(root) ? emitObject(emission, root) : root !== false;
  const visit = { [RULES]: [visitRule(onVisit)] };
  // The list grows: definitions have references of their own.
  for (const [node, definition] of emission.pending) {
    definition["allOf"] = [visit, emitObject(emission, node)];
  }
  return { root: emitted, definitions: emission.definitions };
}

const visitRule = (onVisit: (value: unknown) => void): Rule => ({
  check: (value) => {
    onVisit(value);
    return true;
  },
  error: () => "",
});

function referenceTo(emission: Emission, node: JsonObject): EngineObject {
  const known = emission.references.get(node);
  if (known !== undefined) return known;
  const name = `#${emission.references.size}`;
  const definition: EngineObject = {};
  const reference = emission.style === "named" ? { $ref: name } : definition;
  emission.definitions[name] = definition;
  emission.references.set(node, reference);
  emission.pending.push([node, definition]);
  return reference;
}

function emit(emission: Emission, schema: JsonValue): EngineSchema {
  if (!isJsonObject(schema)) return schema !== false;
  return emission.references.get(schema) ?? emitObject(emission, schema);
}

function emitReference(
  emission: Emission,
  node: JsonObject,
  keyword: ReferenceKeyword,
): EngineSchema {
  const target = emission.inspected.target(node, keyword);
  return isJsonObject(target) ? referenceTo(emission, target) : target !== false;
}

function emitObject(emission: Emission, node: JsonObject): EngineObject {
  if (emission.inspected.dialect.refAlone && node["$ref"] !== undefined) {
    return { allOf: [emitReference(emission, node, "$ref")] };
  }
  const draft: Draft = { out: {}, rules: [], all: [], properties: {}, patternProperties: {} };
  for (const [keyword, value] of membersOf(node)) {
    if (emission.inspected.dialect.keywords.has(keyword)) {
      emitKeyword(emission, draft, node, [keyword, value]);
    }
  }
  const { out, rules, all, properties, patternProperties } = draft;
  if (all.length > 0) out["allOf"] = all;
  if (rules.length > 0) out[RULES] = rules;
  if (Object.keys(properties).length > 0) out["properties"] = properties;
  if (Object.keys(patternProperties).length > 0) out["patternProperties"] = patternProperties;
  return out;
}

interface Draft {
  readonly out: EngineObject;
  readonly rules: Rule[];
  readonly all: EngineSchema[];
  readonly properties: EngineObject;
  readonly patternProperties: EngineObject;
}

type Entry = readonly [keyword: string, value: JsonValue];

function emitKeyword(emission: Emission, draft: Draft, node: JsonObject, entry: Entry): void {
  const [keyword, value] = entry;
  const { out, rules, all } = draft;
  if (VERBATIM.has(keyword)) out[keyword] = value;
  else if (SCHEMAS.has(keyword)) out[keyword] = emit(emission, value);
  else if (keyword === "allOf") all.push(...emitList(emission, value));
  else if (keyword === "anyOf" || keyword === "oneOf") out[keyword] = emitList(emission, value);
  else if (keyword === "$ref" || keyword === "$dynamicRef") {
    all.push(emitReference(emission, node, keyword));
  } else if (keyword === "pattern" && typeof value === "string") rules.push(patternRule(value));
  else if (keyword === "multipleOf" && typeof value === "number") rules.push(multipleRule(value));
  else if (keyword === "uniqueItems" && value === true) rules.push(uniqueRule);
  else emitApplicator(emission, draft, node, entry);
}

const emitList = (emission: Emission, schemas: JsonValue): EngineSchema[] =>
  itemsOf(schemas).map((schema) => emit(emission, schema));

function emitApplicator(emission: Emission, draft: Draft, node: JsonObject, entry: Entry): void {
  const [keyword, value] = entry;
  const { out } = draft;
  switch (keyword) {
    case "if":
      emitCondition(emission, out, node);
      break;
    case "contains":
      emitContains(emission, out, node, value);
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

function emitContains(
  emission: Emission,
  out: EngineObject,
  node: JsonObject,
  schema: JsonValue,
): void {
  out["contains"] = emit(emission, schema);
  for (const bound of ["minContains", "maxContains"]) {
    if (node[bound] !== undefined && emission.inspected.dialect.keywords.has(bound)) {
      out[bound] = node[bound];
    }
  }
}

function emitItems(emission: Emission, out: EngineObject, node: JsonObject, entry: Entry): void {
  const [keyword, value] = entry;
  if (!Array.isArray(value)) {
    out[keyword] = emit(emission, value);
    return;
  }
  // Draft-07 lists the first items under `items` and calls the rest additional.
  if (value.length > 0) out["prefixItems"] = emitList(emission, value);
  const rest = node["additionalItems"];
  if (keyword === "items" && rest !== undefined) out["items"] = emit(emission, rest);
}

function emitMembers(emission: Emission, draft: Draft, [keyword, value]: Entry): void {
  switch (keyword) {
    case "required":
      Object.assign(draft.out, { required: namesToRequire(draft.rules, stringsOf(value)) });
      break;
    case "properties":
      for (const [name, schema] of membersOf(value)) {
        const emitted = emit(emission, schema);
        if (isInherited(name)) draft.patternProperties[`^(?:${name})$`] = emitted;
        else draft.properties[name] = emitted;
      }
      break;
    case "patternProperties":
      for (const [pattern, schema] of membersOf(value)) {
        draft.patternProperties[pattern] = emit(emission, schema);
      }
      break;
    case "dependentRequired":
    case "dependentSchemas":
    case "dependencies":
      for (const [name, dependency] of membersOf(value)) {
        const then = Array.isArray(dependency)
          ? requiring(stringsOf(dependency))
          : emit(emission, dependency);
        draft.all.push(implication({ type: "object", ...requiring([name]) }, then));
      }
      break;
    default:
      break;
  }
}

function implication(condition: EngineSchema, consequence: EngineSchema): EngineObject {
  // oxlint-disable-next-line unicorn/no-thenable -- a schema keyword, on an object nobody awaits
  return { if: condition, then: consequence };
}

function requiring(names: readonly string[]): EngineObject {
  const rules: Rule[] = [];
  const required = namesToRequire(rules, names);
  return { required, ...(rules.length > 0 ? { [RULES]: rules } : {}) };
}

/** The engine looks with `in`, which finds inherited members: for those a rule looks instead. */
function namesToRequire(rules: Rule[], names: readonly string[]): readonly string[] {
  rules.push(...names.filter(isInherited).map(hasOwnRule));
  return names.filter((name) => !isInherited(name));
}

const isInherited = (name: string): boolean => name in Object.prototype;
