/** Loaded with the first schema that has to be looked at: what is allowed of one is the larger part of this. */
import { isJsonObject, type JsonValue } from "../../json/value.ts";
import { copySchema } from "../../schema/copy.ts";
import { createCheck } from "../../schema/plain/check.ts";
import { dialectOf } from "../../schema/plain/dialect.ts";
import { inspectSchema } from "../../schema/plain/inspect.ts";
import type { Check } from "../../schema/plain/validator.ts";

/** What tools promise of their results. */
export interface OutputSchema {
  readonly check: (value: unknown) => Check | Promise<Check>;
  /** Of its text. */
  readonly chars: number;
}

/**
 * Throws a `TypeError` for a schema that is not valid, leads elsewhere, or would take too much to check by. Undefined for
 * one with regular expressions: as long as they run on the platform's engine, a server could choose one that never ends.
 */
export function readOutputSchema(schema: JsonValue): OutputSchema | undefined {
  if (!isJsonObject(schema)) throw new TypeError("its outputSchema is no object");
  const { json, text } = copySchema(schema);
  const inspected = inspectSchema(json);
  return hasPattern(json) ? undefined : { check: createCheck(inspected), chars: text.length };
}

/** Also true of an `enum` or `default` that looks like it. Recursion is safe: the schema was copied within bounds. */
function hasPattern(schema: JsonValue): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  const isPattern =
    isJsonObject(schema) &&
    (typeof schema["pattern"] === "string" || isJsonObject(schema["patternProperties"]));
  return isPattern || Object.values(schema).some((member) => hasPattern(member ?? null));
}

/** Throws a `TypeError` for a schema in a language nobody here reads. */
export function assertDialect(name: JsonValue): void {
  if (typeof name === "string" && dialectOf(name) !== undefined) return;
  throw new TypeError(`$schema ${JSON.stringify(name)} names an unsupported dialect`);
}
