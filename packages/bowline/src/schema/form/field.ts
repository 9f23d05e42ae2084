import { isJsonObject, type JsonObject, type JsonValue } from "../../json/value.ts";
import { alternativesOf, choicesOf } from "./choices.ts";
import type { RequestedField } from "./requested-schema.ts";

const FORMATS: ReadonlySet<unknown> = new Set(["email", "uri", "date", "date-time"]);

/** Keywords that change what a field is. Others narrow it, and are left to the check of the answer. */
export const STRUCTURAL: readonly string[] = [
  "$ref",
  "$dynamicRef",
  "allOf",
  "not",
  "if",
  "prefixItems",
];

/** Of the kind they should be, but for the default: that is compared with the field once it is known. */
const LABELS: ReadonlySet<string> = new Set(["title", "description", "default"]);

/** Refuses a schema with one of these keywords. */
export function assertSimple(schema: JsonObject, keywords: readonly string[]): void {
  const found = keywords.find((keyword) => schema[keyword] !== undefined);
  if (found !== undefined) throw new TypeError(`${found} has no place in a form`);
}

/**
 * A property as a field that clients can show. What only narrows it is left out: answers are checked against the whole
 * schema. Throws a `TypeError` that says what to do instead where it cannot be a field.
 */
export function toField(property: JsonValue): RequestedField {
  if (!isJsonObject(property))
    throw new TypeError("say what it is: string, number, boolean, choices");
  assertSimple(property, STRUCTURAL);
  const labels = Object.entries(property).filter(([name]) => LABELS.has(name));
  return { ...Object.fromEntries(labels), ...typed(property) };
}

function typed(property: JsonObject): RequestedField {
  const { type } = property;
  if (Array.isArray(type)) throw unionError(type);
  if (type === "array") return listField(property);
  if (type === "object")
    throw new TypeError("a form is flat: put the fields of the object beside the others");
  const booleans = alternativesOf(property).every(isBoolean);
  if (type === "boolean" || booleans) return { type: "boolean" };
  if (type === "number" || type === "integer") return numberField(property, type);
  const choices = choicesOf(property);
  if (choices !== undefined) {
    const { titled, values } = choices;
    if (titled === undefined) return { type: "string", enum: values };
    // A schema that names its texts the older way stays as it is.
    return Array.isArray(property["enumNames"])
      ? { type: "string", enum: values, enumNames: titled.map(({ title }) => title) }
      : { type: "string", oneOf: titled };
  }
  if (type === "string" || isUnionOfTexts(property)) return textField(property);
  throw unionError(alternativesOf(property));
}

const isBoolean = (schema: JsonValue): boolean =>
  isJsonObject(schema) && typeof schema["const"] === "boolean";

function isUnionOfTexts(property: JsonObject): boolean {
  const alternatives = alternativesOf(property);
  return (
    alternatives.length > 1 &&
    alternatives.every(
      (schema) =>
        isJsonObject(schema) &&
        (schema["type"] === "string" || typeof schema["const"] === "string"),
    )
  );
}

const isNull = (one: JsonValue): boolean =>
  one === "null" || (isJsonObject(one) && (one["type"] === "null" || one["const"] === null));

function unionError(alternatives: readonly JsonValue[]): TypeError {
  return new TypeError(
    alternatives.some(isNull)
      ? "a form has no null: make the field optional"
      : "a field has one type: string, number, integer, boolean, a choice, or a list of choices",
  );
}

function textField(property: JsonObject): RequestedField {
  const { format, maxLength, minLength } = property;
  return {
    type: "string",
    ...numbers({ minLength, maxLength }),
    ...(isFormat(format) ? { format } : {}),
  };
}

type Format = "email" | "uri" | "date" | "date-time";
const isFormat = (format: unknown): format is Format => FORMATS.has(format);

function numberField(property: JsonObject, type: "number" | "integer"): RequestedField {
  if (property["enum"] !== undefined || property["const"] !== undefined) {
    throw new TypeError(
      "choices of a form are texts: use strings, and turn them into values later",
    );
  }
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = property;
  const isInteger = type === "integer";
  const least = isInteger && typeof above === "number" ? Math.floor(above) + 1 : undefined;
  const most = isInteger && typeof below === "number" ? Math.ceil(below) - 1 : undefined;
  return {
    type,
    ...numbers({
      minimum: narrower(Math.max, minimum, least),
      maximum: narrower(Math.min, maximum, most),
    }),
  };
}

function narrower(
  choose: (one: number, other: number) => number,
  bound: JsonValue | undefined,
  shifted: number | undefined,
): JsonValue | undefined {
  if (shifted === undefined) return bound;
  return typeof bound === "number" ? choose(bound, shifted) : shifted;
}

const isBound = (value: unknown): boolean =>
  typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER;

/** Bounds that are there and mean something: those of safe integers bind no user. */
function numbers(bounds: { readonly [name: string]: JsonValue | undefined }): object {
  return Object.fromEntries(Object.entries(bounds).filter(([, value]) => isBound(value)));
}

function listField(property: JsonObject): RequestedField {
  const { items, maxItems, minItems } = property;
  const choices = isJsonObject(items) ? choicesOf(items) : undefined;
  if (choices === undefined) {
    throw new TypeError("a list in a form is a choice of several: give its items an enum");
  }
  const { titled, values } = choices;
  return {
    type: "array",
    items: titled === undefined ? { type: "string", enum: values } : { anyOf: titled },
    ...numbers({ minItems, maxItems }),
  };
}
