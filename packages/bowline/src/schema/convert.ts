import { isJsonObject, type JsonValue } from "../json/value.ts";
import { copySchema } from "./copy.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { Schema, StandardSchema } from "./schema.ts";

/** Validation only: these change or narrow a value in ways that JSON Schema has no words for. */
const VALIBOT_IGNORED: readonly string[] = [
  "check",
  "check_items",
  "raw_check",
  "partial_check",
  "brand",
  "flavor",
  "readonly",
  "trim",
  "trim_start",
  "trim_end",
  "to_lower_case",
  "to_upper_case",
  "normalize",
];

interface ArkTypeNode {
  readonly code: string;
  readonly base: unknown;
}

/** Options for one library each: what others would make of them is unknown. */
function libraryOptionsOf(vendor: string): Record<string, unknown> | undefined {
  switch (vendor) {
    case "valibot":
      return { ignoreActions: VALIBOT_IGNORED };
    case "arktype":
      // Without a fallback a Date, a bigint or an instance would be listed as `{}`: anything.
      return {
        fallback: {
          predicate: ({ base }: ArkTypeNode) => base,
          default: ({ code }: ArkTypeNode) => {
            throw new TypeError(`arktype has no JSON Schema for it (${code})`);
          },
        },
      };
    default:
      return undefined;
  }
}

export function isStandardSchema(schema: Schema): schema is StandardSchema {
  const standard = standardOf(schema);
  return typeof standard?.["validate"] === "function" && isJsonObject(standard["jsonSchema"]);
}

function standardOf(schema: unknown): { readonly [name: string]: unknown } | undefined {
  if ((typeof schema !== "object" && typeof schema !== "function") || schema === null)
    return undefined;
  const standard = "~standard" in schema ? schema["~standard"] : undefined;
  return isJsonObject(standard) ? standard : undefined;
}

/**
 * The JSON Schema a library says for one side of a schema. Asked twice: a default that is computed
 * would make every replica list something else, which nobody could cache or approve.
 */
export function convertSchema(schema: StandardSchema, io: "input" | "output"): JsonValue {
  const { jsonSchema, vendor } = schema["~standard"];
  const libraryOptions = libraryOptionsOf(vendor);
  const convert = () =>
    copySchema(
      jsonSchema[io]({
        target: "draft-2020-12",
        ...(libraryOptions === undefined ? {} : { libraryOptions }),
      }),
    );
  const [first, second] = [convert(), convert()];
  if (first.text !== second.text) {
    throw new TypeError("two conversions differ: a default or another part is computed");
  }
  return first.json;
}

/** Why a schema can be used in neither way. */
export function assertPlainSchema(schema: Schema): asserts schema is JsonSchema {
  const vendor = vendorOf(schema);
  if (vendor !== undefined) {
    throw new TypeError(
      `the schema (of ${vendor}) cannot say its JSON Schema: wrap it with withJsonSchema()`,
    );
  }
  // JavaScript may give null.
  const members: unknown = schema;
  for (const [name, member] of Object.entries(members ?? {})) {
    const inner = vendorOf(member);
    if (inner === undefined) continue;
    const wrap = WRAPPERS.get(inner) ?? `the object schema of ${inner}`;
    throw new TypeError(`${JSON.stringify(name)} is a schema of its own: wrap it in ${wrap}`);
  }
}

/** What makes one schema of an object of schemas. */
const WRAPPERS: ReadonlyMap<string, string> = new Map([
  ["zod", "z.object({ … })"],
  ["valibot", "v.object({ … })"],
  ["arktype", "type({ … })"],
]);

/** Whose schema this is; nothing for what is no schema of a library, or is JSON all the same. */
function vendorOf(schema: unknown): string | undefined {
  const standard = standardOf(schema);
  if (standard === undefined || typeof standard["validate"] !== "function") return undefined;
  return isPlain(schema) ? undefined : String(standard["vendor"]);
}

/** Libraries may hide a `~standard` in JSON Schemas they made; a plain object stays one. */
function isPlain(schema: unknown): boolean {
  return (
    typeof schema === "object" &&
    schema !== null &&
    !Object.keys(schema).includes("~standard") &&
    Object.getPrototypeOf(schema) === Object.prototype
  );
}
