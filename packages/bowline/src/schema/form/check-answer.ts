import type { JsonObject } from "../../json/value.ts";
import { type Issue, libraryIssues } from "../issues.ts";
import { isFormatted } from "./format.ts";
import type { RequestedField, RequestedSchema, TitledChoice } from "./requested-schema.ts";

/**
 * Where an answer is of another kind than was asked for, or no choice; nothing for one that is not. Members
 * nobody asked for are not looked at, and bounds are left to the schema itself.
 *
 * Formats are left to a library where there is one: for some each has rules of its own.
 */
export function answerIssues(
  { properties, required = [] }: RequestedSchema,
  content: JsonObject,
  isFormatChecked: boolean,
): readonly Issue[] {
  const read = (name: string) => (Object.hasOwn(content, name) ? content[name] : undefined);
  const missing = required
    .filter((name) => read(name) === undefined)
    .map((name) => ({ message: `must have the property ${JSON.stringify(name)}` }));
  const wrong = Object.entries(properties).flatMap(([name, field]) => {
    const value = read(name);
    const message = value === undefined ? undefined : faultOf(field, value, isFormatChecked);
    return message === undefined ? [] : [{ path: [name], message }];
  });
  return libraryIssues([...missing, ...wrong]);
}

/** Why a value is no answer to a field, whatever its bounds. */
export function faultOf(
  field: RequestedField,
  value: unknown,
  isFormatChecked: boolean,
): string | undefined {
  if (!isOfType(field.type, value)) return `must be ${field.type}`;
  const offered = offeredBy(field);
  if (offered !== undefined) {
    const known = new Set<unknown>(offered);
    const chosen: readonly unknown[] = Array.isArray(value) ? value : [value];
    const shown = offered.slice(0, MAX_SHOWN_CHOICES).map((choice) => JSON.stringify(choice));
    if (!chosen.every((one) => known.has(one))) return `must be one of ${shown.join(", ")}`;
  }
  const format = isFormatChecked && "format" in field ? field.format : undefined;
  if (format === undefined || isFormatted(format, String(value))) return undefined;
  return `must match format "${format}"`;
}

const MAX_SHOWN_CHOICES = 20;

function isOfType(type: RequestedField["type"], value: unknown): boolean {
  if (type === "array") return Array.isArray(value);
  if (type === "integer") return Number.isInteger(value);
  return type === "number" ? Number.isFinite(value) : typeof value === type;
}

/** The values one can choose from; `undefined` for a field that is no choice. */
export function offeredBy(field: RequestedField): readonly string[] | undefined {
  const source: Offering = field.type === "array" ? field.items : field;
  return source.enum ?? (source.oneOf ?? source.anyOf)?.map((choice) => choice.const);
}

interface Offering {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly oneOf?: readonly TitledChoice[];
  readonly anyOf?: readonly TitledChoice[];
}
