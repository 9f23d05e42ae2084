import { MAX_FORM_CHOICES } from "../../base/limits.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json/value.ts";
import type { TitledChoice } from "./requested-schema.ts";

/** What may be chosen, in whatever form a library says it. */
export interface Choices {
  readonly values: readonly string[];
  /** Where any choice has a text of its own. */
  readonly titled: readonly TitledChoice[] | undefined;
}

/** The alternatives of a schema: the members of `anyOf` or `oneOf`, or the schema itself. */
export function alternativesOf(schema: JsonObject): readonly JsonValue[] {
  const { anyOf, oneOf } = schema;
  const alternatives = anyOf ?? oneOf;
  return Array.isArray(alternatives) ? alternatives : [schema];
}

/** Undefined where the schema is not a list of fixed texts. Throws a `TypeError` for texts no form can offer. */
export function choicesOf(schema: JsonObject): Choices | undefined {
  const { enum: values, enumNames } = schema;
  if (Array.isArray(values)) return { values: texts(values), titled: titledBy(values, enumNames) };
  const alternatives = alternativesOf(schema);
  if (!alternatives.every(isFixed)) return undefined;
  const fixed = texts(alternatives.map(({ const: value }) => value));
  const hasTitle = alternatives.some(({ title }) => typeof title === "string");
  if (!hasTitle || isTitleOfField(schema, alternatives))
    return { values: fixed, titled: undefined };
  const titled = alternatives.map(({ title }, index) => {
    const value = fixed[index] ?? "";
    return { const: value, title: typeof title === "string" ? title : value };
  });
  return { values: fixed, titled };
}

/** ArkType says the title of a field again at each of its choices. */
const isTitleOfField = ({ title: own }: JsonObject, alternatives: readonly JsonObject[]): boolean =>
  alternatives.length > 1 && alternatives.every(({ title }) => title === own);

function titledBy(
  values: readonly JsonValue[],
  names: JsonValue | undefined,
): readonly TitledChoice[] | undefined {
  if (!Array.isArray(names) || names.length !== values.length) return undefined;
  return texts(values).map((value, index) => ({ const: value, title: String(names[index]) }));
}

const isFixed = (schema: JsonValue): schema is JsonObject =>
  isJsonObject(schema) && schema["const"] !== undefined;

function texts(values: readonly (JsonValue | undefined)[]): readonly string[] {
  if (values.length > MAX_FORM_CHOICES) {
    throw new TypeError(`more than ${MAX_FORM_CHOICES} choices are too many for a form`);
  }
  return values.map((value) => {
    if (typeof value === "string") return value;
    throw new TypeError(
      "choices of a form are texts: use strings, and turn them into values later",
    );
  });
}
