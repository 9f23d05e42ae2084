import { MAX_REFERENCE_CHAIN } from "../../base/limits.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json/value.ts";
import type { KeywordKind } from "./dialect.ts";
import type { InspectedSchema, ReferenceKeyword } from "./inspected.ts";
import { placesOf } from "./keyword.ts";

/** Keywords that apply a subschema to the very value their own schema is applied to. */
const IN_PLACE: ReadonlyMap<string, KeywordKind> = new Map([
  ["allOf", "schemas"],
  ["anyOf", "schemas"],
  ["oneOf", "schemas"],
  ["not", "schema"],
  ["if", "schema"],
  ["then", "schema"],
  ["else", "schema"],
  ["dependentSchemas", "schema-map"],
  ["dependencies", "dependencies"],
]);
const REFERENCES: readonly ReferenceKeyword[] = ["$ref", "$dynamicRef"];

interface Frame {
  readonly node: JsonObject;
  readonly next: readonly JsonObject[];
  at: number;
  /** Depth of the deepest chain found below so far. */
  below: number;
}

/** Throws a `TypeError` where checking a value would come back to the same place with the same value, or goes too deep. */
export function assertProgress(
  inspected: Pick<InspectedSchema, "dialect" | "target">,
  nodes: Iterable<JsonObject>,
): void {
  /** How deep the chain below each subschema goes. */
  const done = new Map<JsonObject, number>();
  const open = new Set<JsonObject>();
  for (const start of nodes) {
    // A stack of its own: chains of references may be longer than the call stack is deep.
    const stack: Frame[] = [];
    const enter = (node: JsonObject): void => {
      if (done.has(node)) return;
      if (open.has(node)) {
        throw new TypeError(
          `the references of the schema lead round in a circle${refOf(node)}: no value could be checked against it`,
        );
      }
      open.add(node);
      stack.push({ node, next: nextOf(inspected, node), at: 0, below: 0 });
    };
    enter(start);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const next = top.next[top.at];
      top.at += 1;
      if (next !== undefined) {
        enter(next);
        top.below = Math.max(top.below, done.get(next) ?? 0);
        continue;
      }
      stack.pop();
      open.delete(top.node);
      const depth = top.below + 1;
      if (depth > MAX_REFERENCE_CHAIN) {
        throw new TypeError("the references of the schema form too long a chain");
      }
      done.set(top.node, depth);
      const parent = stack.at(-1);
      if (parent !== undefined) parent.below = Math.max(parent.below, depth);
    }
  }
}

function nextOf(
  { dialect, target }: Pick<InspectedSchema, "dialect" | "target">,
  node: JsonObject,
): readonly JsonObject[] {
  const targets = REFERENCES.map((keyword) => target(node, keyword)).filter(isObject);
  if (dialect.refAlone && targets.length > 0) return targets;
  const inPlace = Object.entries(node).flatMap(([keyword, value]) => {
    const kind = dialect.keywords.has(keyword) ? IN_PLACE.get(keyword) : undefined;
    return kind === undefined || value === undefined ? [] : placesOf(kind, value);
  });
  return [...targets, ...inPlace.map(({ schema }) => schema).filter(isObject)];
}

const isObject = (schema: JsonValue | undefined): schema is JsonObject => isJsonObject(schema);

function refOf(node: JsonObject): string {
  return typeof node["$ref"] === "string" ? ` at $ref ${JSON.stringify(node["$ref"])}` : "";
}
