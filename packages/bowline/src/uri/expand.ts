import { encodeReserved, encodeUnreserved, isEncodable } from "./encode.ts";
import { OPERATOR_RULES, type TemplateExpression, type TemplateVariable } from "./syntax.ts";
import type { UriTemplate } from "./template.ts";
import { truncate } from "./truncate.ts";

type Scalar = string | number | boolean;
type Undefined = null | undefined;

/** A string, a list, or an associative array; `null`, `undefined` and empty ones are left out. */
export type TemplateValue =
  | Scalar
  | Undefined
  | readonly (Scalar | Undefined)[]
  | { readonly [key: string]: Scalar | Undefined };

/** Values by variable name. Only own members count. */
export interface TemplateValues {
  readonly [name: string]: TemplateValue;
}

/**
 * The URI that the template yields for these values, by RFC 6570.
 *
 * The keys of `{?name*}` are encoded like values, so that none can add a parameter of its own.
 * Throws a `TypeError` that names the variable if its value has no text: a number that is not
 * finite, half a surrogate pair, a prefix of a list or of an associative array, or a value that is
 * none of the above.
 */
export function expandUriTemplate(template: UriTemplate, values: TemplateValues): string {
  return template.parts
    .map((part) => (part.kind === "literal" ? part.text : expandExpression(part, values)))
    .join("");
}

function expandExpression(expression: TemplateExpression, values: TemplateValues): string {
  const rule = OPERATOR_RULES[expression.operator];
  const pieces = expression.variables.flatMap((variable) =>
    Object.hasOwn(values, variable.name) ? expandVariable(variable, values[variable.name]) : [],
  );
  return pieces.length === 0 ? "" : rule.first + pieces.join(rule.separator);
}

function expandVariable(variable: TemplateVariable, value: TemplateValue): string[] {
  if (value === undefined || value === null) return [];
  if (isScalar(value)) return [named(variable, encode(variable, value))];
  if (variable.prefix !== undefined) throw unusable(variable, "a prefix needs a single value");
  if (typeof value !== "object") throw unusable(variable, `a ${typeof value} has no text`);
  const members = isList(value)
    ? value.filter(isDefined).map((member) => [encode(variable, member)])
    : Object.entries(value).flatMap(([key, member]) =>
        isDefined(member) ? [[encode(variable, key), encode(variable, member)]] : [],
      );
  if (members.length === 0) return [];
  if (variable.explode) return members.map((member) => exploded(variable, member));
  return [named(variable, members.map((member) => member.join(",")).join(","))];
}

function exploded(variable: TemplateVariable, [first = "", second]: readonly string[]): string {
  if (second === undefined) return named(variable, first);
  const rule = OPERATOR_RULES[variable.operator];
  return rule.named && second === "" ? first + rule.afterEmpty : `${first}=${second}`;
}

function named(variable: TemplateVariable, text: string): string {
  const rule = OPERATOR_RULES[variable.operator];
  if (!rule.named) return text;
  return variable.name + (text === "" ? rule.afterEmpty : `=${text}`);
}

function encode(variable: TemplateVariable, value: Scalar): string {
  if (!isScalar(value)) throw unusable(variable, `a ${typeof value} has no text here`);
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw unusable(variable, `${value} has no text`);
  }
  const text = String(value);
  if (!isEncodable(text)) throw unusable(variable, "half a surrogate pair has no UTF-8 form");
  const part = variable.prefix === undefined ? text : truncate(text, variable.prefix);
  return OPERATOR_RULES[variable.operator].reserved ? encodeReserved(part) : encodeUnreserved(part);
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function isList(value: object): value is readonly (Scalar | Undefined)[] {
  return Array.isArray(value);
}

function isDefined(value: Scalar | Undefined): value is Scalar {
  return value !== undefined && value !== null;
}

function unusable(variable: TemplateVariable, reason: string): TypeError {
  return new TypeError(`URI template variable "${variable.name}": ${reason}`);
}
