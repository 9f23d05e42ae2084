import type { JsonObject } from "../../json/value.ts";
import { type Issue, libraryIssues } from "../issues.ts";
import { FORMATS } from "./format.ts";
import type {
  ChoicesField,
  NumberField,
  RequestedField,
  RequestedSchema,
  StringField,
} from "./requested-schema.ts";

export interface AnswerCheck {
  /** Off where a library has a say: for some formats each has rules of its own. */
  readonly isFormatChecked: boolean;
}

/** Where an answer is not what was asked for; nothing for one that is. Members nobody asked for are not looked at. */
export function answerIssues(
  form: RequestedSchema,
  content: JsonObject,
  check: AnswerCheck,
): readonly Issue[] {
  const missing = (form.required ?? [])
    .filter((name) => !Object.hasOwn(content, name) || content[name] === undefined)
    .map((name) => ({ message: `must have the property ${JSON.stringify(name)}` }));
  const wrong = Object.entries(form.properties).flatMap(([name, field]) => {
    const value = Object.hasOwn(content, name) ? content[name] : undefined;
    const message = value === undefined ? undefined : faultOf(field, value, check);
    return message === undefined ? [] : [{ path: [name], message }];
  });
  return libraryIssues([...missing, ...wrong]);
}

/** Why a value is no answer to a field. */
export function faultOf(
  field: RequestedField,
  value: unknown,
  check: AnswerCheck,
): string | undefined {
  switch (field.type) {
    case "boolean":
      return typeof value === "boolean" ? undefined : "must be boolean";
    case "number":
    case "integer":
      return faultOfNumber(field, value);
    case "array":
      return faultOfList(field, offeredBy(field) ?? [], value);
    case "string": {
      if (typeof value !== "string") return "must be string";
      const choices = offeredBy(field);
      if (choices === undefined) return faultOfText(field, value, check);
      return choices.includes(value) ? undefined : `must be one of ${quote(choices)}`;
    }
    default:
      return field satisfies never;
  }
}

/** The values one can choose from; `undefined` for a field that is no choice. */
export function offeredBy(field: RequestedField): readonly string[] | undefined {
  const source = field.type === "array" ? field.items : field;
  if ("enum" in source) return source.enum;
  const titled = "oneOf" in source ? source.oneOf : "anyOf" in source ? source.anyOf : undefined;
  return titled?.map((choice) => choice.const);
}

function faultOfText(field: StringField, text: string, check: AnswerCheck): string | undefined {
  const { minLength = 0, maxLength = Infinity, format } = field;
  // Characters, not the units of a string.
  const length = minLength > 0 || maxLength < Infinity ? Array.from(text).length : 0;
  if (length < minLength) return `must have at least ${count(minLength, "character")}`;
  if (length > maxLength) return `must have at most ${count(maxLength, "character")}`;
  if (format === undefined || !check.isFormatChecked) return undefined;
  const [expected, test] = FORMATS[format];
  return test(text) ? undefined : `must be ${expected}`;
}

function faultOfNumber(field: NumberField, value: unknown): string | undefined {
  if (typeof value !== "number" || !Number.isFinite(value)) return "must be number";
  const { type, minimum = -Infinity, maximum = Infinity } = field;
  if (type === "integer" && !Number.isInteger(value)) return "must be integer";
  if (value < minimum) return `must be at least ${minimum}`;
  return value > maximum ? `must be at most ${maximum}` : undefined;
}

function faultOfList(
  { minItems = 0, maxItems = Infinity }: Pick<ChoicesField, "minItems" | "maxItems">,
  choices: readonly string[],
  value: unknown,
): string | undefined {
  if (!Array.isArray(value)) return "must be array";
  if (value.length < minItems) return `must have at least ${count(minItems, "choice")}`;
  if (value.length > maxItems) return `must have at most ${count(maxItems, "choice")}`;
  const known = new Set<unknown>(choices);
  return value.every((item) => known.has(item))
    ? undefined
    : `must have no choices but ${quote(choices)}`;
}

const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? "" : "s"}`;

const MAX_QUOTED_CHOICES = 20;

function quote(choices: readonly string[]): string {
  const shown = choices.slice(0, MAX_QUOTED_CHOICES).map((choice) => JSON.stringify(choice));
  return shown.join(", ") + (choices.length > shown.length ? ", …" : "");
}
