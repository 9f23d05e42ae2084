import { isJsonObject, type JsonObject, type JsonValue } from "../../json/value.ts";
import { alternativesOf, choicesOf } from "./choices.ts";
import type { RequestedField } from "./requested-schema.ts";

const FORMATS: ReadonlySet<unknown> = new Set(["email", "uri", "date", "date-time"]);

/** Keywords that change what a field is. Others narrow it, and are left to the check of the answer. */
const STRUCTURAL: readonly string[] = ["$ref", "$dynamicRef", "allOf", "not", "if", "prefixItems"];

/**
 * A property as a field that clients can show. What only narrows it is left out: answers are checked against the whole
 * schema. Throws a `TypeError` that says what to do instead where it cannot be a field.
 */
export function toField(property: JsonValue): RequestedField {
  if (!isJsonObject(property))
    throw new TypeError("say what it is: string, number, boolean, choices");
  const structural = STRUCTURAL.find((keyword) => property[keyword] !== undefined);
  if (structural !== undefined) throw new TypeError(`${structural} has no place in a form`);
  return { ...described(property), ...typed(property) };
}

function described({ title, description }: JsonObject): object {
  return {
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof description === "string" ? { description } : {}),
  };
}

function typed(property: JsonObject): RequestedField {
  const { type } = property;
  if (Array.isArray(type)) throw unionError(type);
  if (type === "array") return listField(property);
  if (type === "object")
    throw new TypeError("a form is flat: put the fields of the object beside the others");
  const booleans = alternativesOf(property).every(isBoolean);
  if (type === "boolean" || booleans) {
    return { type: "boolean", ...defaultOf(property, (value) => typeof value === "boolean") };
  }
  if (type === "number" || type === "integer") return numberField(property, type);
  const choices = choicesOf(property);
  if (choices !== undefined) {
    const { titled, values } = choices;
    const known = defaultOf(property, (value) => isText(value) && values.includes(value));
    if (titled === undefined) return { type: "string", enum: values, ...known };
    // A schema that names its texts the older way stays as it is.
    return Array.isArray(property["enumNames"])
      ? { type: "string", enum: values, enumNames: titled.map(({ title }) => title), ...known }
      : { type: "string", oneOf: titled, ...known };
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
    ...defaultOf(property, (value) => typeof value === "string"),
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
    ...defaultOf(property, (value) => typeof value === "number"),
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
    ...defaultOf(property, (value) => Array.isArray(value) && value.every(isText)),
  };
}

const isText = (value: unknown): value is string => typeof value === "string";

function defaultOf(
  { default: value }: JsonObject,
  isFitting: (value: unknown) => boolean,
): { readonly default?: never } {
  if (value === undefined) return {};
  if (!isFitting(value)) throw new TypeError(`the default ${JSON.stringify(value)} does not fit`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of the field's type, as was just seen
  return { default: value as never };
}
