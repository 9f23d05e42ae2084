import { isJsonObject, type JsonObject, type JsonValue } from "../json/value.ts";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { assertPlainSchema, convertSchema, isStandardSchema } from "./convert.ts";
import { copySchema } from "./copy.ts";
import { inspectSchema } from "./plain/inspect.ts";
import type { InspectedSchema } from "./plain/inspected.ts";
import { libraryIssues } from "./issues.ts";
import { assertNoResult, withObjectRoot } from "./root.ts";
import type { Schema, StandardSchema } from "./schema.ts";
import { createCheck } from "./plain/check.ts";
import type { Check } from "./plain/validator.ts";

export type { Check } from "./plain/validator.ts";
export type { Issue } from "./issues.ts";

/** A schema ready for use: what is listed, and the check that goes with it. */
export interface CompiledSchema {
  /** Deeply frozen. */
  readonly json: JsonObject;
  /** Synchronous wherever the library is, but for the first value of a plain schema. Rejects or throws only where code of the schema's author throws. */
  check(value: unknown): Check | PromiseLike<Check>;
}

export interface SchemaUse {
  readonly io: "input" | "output";
  /** Starts the message of every error: `tool "x": inputSchema`. */
  readonly label: string;
  /** What values may be. Default: an object for input, anything for output. */
  readonly root?: "object" | "any" | undefined;
}

/** Throws a `TypeError` that starts with the label where the schema cannot be listed as what is checked. */
export function compileSchema(schema: Schema, use: SchemaUse): CompiledSchema {
  try {
    return compile(schema, use);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new TypeError(`${use.label}: ${reason}`, { cause: error });
  }
}

function compile(schema: Schema, { io, root = io === "input" ? "object" : "any" }: SchemaUse) {
  if (isStandardSchema(schema)) {
    const inspected = inspectSchema(convertSchema(schema, io));
    return { json: listed(inspected, io, root), check: checkOf(schema) };
  }
  assertPlainSchema(schema);
  const inspected = inspectSchema(copySchema(schema).json);
  return { json: listed(inspected, io, root), check: createCheck(inspected) };
}

function listed(
  inspected: InspectedSchema,
  io: SchemaUse["io"],
  root: SchemaUse["root"],
): JsonObject {
  if (io === "output") assertNoResult(inspected.root);
  return root === "object" ? withObjectRoot(inspected) : asObject(inspected.root);
}

/** Lists hold schemas as objects. */
function asObject(root: JsonValue): JsonObject {
  if (isJsonObject(root)) return root;
  throw new TypeError("the schema must be an object");
}

function checkOf(schema: StandardSchema): CompiledSchema["check"] {
  const standard = schema["~standard"];
  return (value) => {
    const result = standard.validate(value);
    return "then" in result ? result.then(toCheck) : toCheck(result);
  };
}

function toCheck(result: StandardSchemaV1.Result<unknown>): Check {
  return result.issues === undefined
    ? { ok: true, value: result.value }
    : { ok: false, issues: libraryIssues(result.issues) };
}
