import { MAX_SCHEMA_DEPTH, MAX_SUBSCHEMAS } from "../../base/limits.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json/value.ts";
import { dialectOf, type Dialect, type KeywordKind } from "./dialect.ts";
import { pointer } from "../fault.ts";
import { expectedOf, placesOf } from "./keyword.ts";
import type { InspectedSchema, ReferenceKeyword } from "./inspected.ts";
import { assertProgress } from "./progress.ts";
import { ResourceIndex } from "./resources.ts";

interface Reference {
  readonly node: JsonObject;
  readonly keyword: ReferenceKeyword;
  readonly text: string;
  readonly base: string;
  readonly path: readonly string[];
}

interface Inspection {
  readonly dialect: Dialect;
  readonly index: ResourceIndex;
  readonly nodes: Set<JsonObject>;
  readonly references: Reference[];
  subschemas: number;
}

interface Position {
  readonly base: string;
  readonly path: readonly string[];
  readonly depth: number;
}

/**
 * Checks that a schema is valid in its dialect, within the limits, and closed: every reference leads
 * to a place inside it, and none leads round in a circle without looking at a smaller value. Throws a
 * `TypeError` that names the place otherwise. Nothing is ever fetched.
 */
export function inspectSchema(root: JsonValue): InspectedSchema {
  const dialect = requireDialect(isJsonObject(root) ? root["$schema"] : undefined);
  const inspection: Inspection = {
    dialect,
    index: new ResourceIndex(root),
    nodes: new Set(),
    references: [],
    subschemas: 0,
  };
  inspect(inspection, root, { base: inspection.index.base, path: [], depth: 0 });

  const targets: Record<ReferenceKeyword, Map<JsonObject, JsonValue>> = {
    $ref: new Map(),
    $dynamicRef: new Map(),
  };
  // The list grows: a reference may lead to a place that no keyword leads to.
  for (const { node, keyword, text, base, path } of inspection.references) {
    const found = inspection.index.resolve(text, base, keyword);
    if (typeof found === "string") throw new TypeError(`${found} at ${pointer(path)}`);
    targets[keyword].set(node, found.schema);
    inspect(inspection, found.schema, { base: found.base, path, depth: 0 });
  }
  const target: InspectedSchema["target"] = (node, keyword) => targets[keyword].get(node);
  const inspected = { root, dialect, target, subschemas: inspection.subschemas };
  assertProgress(inspected, inspection.nodes);
  return inspected;
}

function requireDialect(uri: JsonValue | undefined): Dialect {
  const dialect = uri === undefined || typeof uri === "string" ? dialectOf(uri) : undefined;
  if (dialect !== undefined) return dialect;
  throw new TypeError(
    `$schema ${JSON.stringify(uri)} names an unsupported dialect: 2020-12 and draft-07 are supported`,
  );
}

function inspect(inspection: Inspection, schema: JsonValue, at: Position): void {
  if (isJsonObject(schema) && inspection.nodes.has(schema)) return;
  inspection.subschemas += 1;
  if (inspection.subschemas > MAX_SUBSCHEMAS) {
    throw new TypeError(`the schema has more than ${MAX_SUBSCHEMAS} subschemas`);
  }
  if (at.depth > MAX_SCHEMA_DEPTH) {
    throw new TypeError(`the schema is nested more than ${MAX_SCHEMA_DEPTH} levels deep`);
  }
  if (typeof schema === "boolean") return;
  if (!isJsonObject(schema)) {
    throw new TypeError(`a schema must be an object or a boolean at ${pointer(at.path)}`);
  }
  inspection.nodes.add(schema);
  inspectObject(inspection, schema, at);
}

function inspectObject(inspection: Inspection, node: JsonObject, at: Position): void {
  const { dialect, index } = inspection;
  if (node["$schema"] !== undefined && requireDialect(node["$schema"]) !== dialect) {
    throw new TypeError(`$schema at ${pointer(at.path)} mixes two dialects in one schema`);
  }
  const ownNames = !(dialect.refAlone && node["$ref"] !== undefined);
  const added = ownNames ? index.add(node, at.base, dialect) : at.base;
  if (added instanceof TypeError) throw new TypeError(`${added.message} at ${pointer(at.path)}`);
  for (const [keyword, value] of Object.entries(node)) {
    const kind = dialect.keywords.get(keyword);
    if (kind === undefined || value === undefined) continue;
    const path = [...at.path, keyword];
    assertKeyword(keyword, kind, value, path);
    if ((keyword === "$ref" || keyword === "$dynamicRef") && typeof value === "string") {
      inspection.references.push({ node, keyword, text: value, base: added, path });
    }
    for (const place of placesOf(kind, value)) {
      inspect(inspection, place.schema, {
        base: added,
        path: [...path, ...place.path],
        depth: at.depth + 1,
      });
    }
  }
}

function assertKeyword(
  keyword: string,
  kind: KeywordKind,
  value: JsonValue,
  path: readonly string[],
): void {
  const expected = expectedOf(kind, value);
  if (expected === undefined) return;
  const hint = keyword === "items" && Array.isArray(value) ? ': in 2020-12 use "prefixItems"' : "";
  throw new TypeError(`${pointer(path)} must be ${expected}${hint}`);
}
