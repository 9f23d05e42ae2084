import {
  MAX_URI_TEMPLATE_CHARS,
  MAX_URI_TEMPLATE_EXPRESSIONS,
  MAX_URI_TEMPLATE_VARIABLES,
} from "../base/limits.ts";
import { encodeReserved } from "./encode.ts";
import type { MatchPlan } from "./plan.ts";
import {
  OPERATOR_RULES,
  type TemplateExpression,
  type TemplateOperator,
  type TemplatePart,
  type TemplateVariable,
} from "./syntax.ts";

/** A checked template of RFC 6570, for `expandUriTemplate` and `matchUriTemplate`. */
export interface UriTemplate {
  readonly source: string;
  /** Every mention, in the order of the text; a name that stands twice is here twice. */
  readonly variables: readonly TemplateVariable[];
  readonly parts: readonly TemplatePart[];
  /** Made by the first match, so that a template can be registered without the code that matches. */
  plan?: MatchPlan;
}

/**
 * Read a template of RFC 6570, level 4. A template without expressions is one.
 *
 * Throws a `TypeError` with position and reason if the text breaks the grammar, or is longer or has
 * more expressions or variables than `base/limits.ts` allows.
 */
export function parseUriTemplate(text: string): UriTemplate {
  if (text.length > MAX_URI_TEMPLATE_CHARS) {
    throw malformed(MAX_URI_TEMPLATE_CHARS, `longer than ${MAX_URI_TEMPLATE_CHARS} characters`);
  }
  const parts: TemplatePart[] = [];
  const variables: TemplateVariable[] = [];
  let expressions = 0;
  let position = 0;
  while (position < text.length) {
    const open = text.indexOf("{", position);
    const literal = text.slice(position, open === -1 ? undefined : open);
    if (literal !== "") parts.push({ kind: "literal", text: parseLiteral(literal, position) });
    if (open === -1) break;
    const close = text.indexOf("}", open);
    if (close === -1) throw malformed(open, "expression is not closed");
    if (++expressions > MAX_URI_TEMPLATE_EXPRESSIONS) {
      throw malformed(open, `more than ${MAX_URI_TEMPLATE_EXPRESSIONS} expressions`);
    }
    const expression = parseExpression(text.slice(open + 1, close), open + 1);
    parts.push(expression);
    variables.push(...expression.variables);
    if (variables.length > MAX_URI_TEMPLATE_VARIABLES) {
      throw malformed(open, `more than ${MAX_URI_TEMPLATE_VARIABLES} variables`);
    }
    position = close + 1;
  }
  return { source: text, variables, parts };
}

const NO_LITERAL = /[\p{Cc}\p{Cs} "<>\\^`{|}]|%(?![\dA-Fa-f]{2})/u;

function parseLiteral(literal: string, position: number): string {
  const bad = NO_LITERAL.exec(literal);
  if (bad !== null) {
    throw malformed(position + bad.index, `${JSON.stringify(bad[0])} must be percent-encoded`);
  }
  return encodeReserved(literal);
}

function parseExpression(expression: string, position: number): TemplateExpression {
  const first = expression.charAt(0);
  if (first !== "" && "=,!@|".includes(first)) {
    throw malformed(position, `operator "${first}" is reserved`);
  }
  const operator = isOperator(first) ? first : "";
  let start = position + operator.length;
  const variables = expression
    .slice(operator.length)
    .split(",")
    .map((specification) => {
      const variable = parseVariable(specification, operator, start);
      start += specification.length + 1;
      return variable;
    });
  return { kind: "expression", operator, variables };
}

function isOperator(text: string): text is TemplateOperator {
  return Object.hasOwn(OPERATOR_RULES, text);
}

const VARIABLE_NAME = /^(?:\w|%[\dA-Fa-f]{2})(?:\.?(?:\w|%[\dA-Fa-f]{2}))*$/;
const PREFIX_LENGTH = /^[1-9]\d{0,3}$/;

function parseVariable(
  specification: string,
  operator: TemplateOperator,
  position: number,
): TemplateVariable {
  const explode = specification.endsWith("*");
  const colon = explode ? -1 : specification.indexOf(":");
  const name = explode
    ? specification.slice(0, -1)
    : specification.slice(0, colon === -1 ? undefined : colon);
  if (!VARIABLE_NAME.test(name)) {
    throw malformed(position, `${JSON.stringify(name)} is not a variable name`);
  }
  if (colon === -1) return { name, operator, explode };
  const length = specification.slice(colon + 1);
  if (!PREFIX_LENGTH.test(length)) {
    throw malformed(position + colon, "prefix length must be a number from 1 to 9999");
  }
  return { name, operator, explode, prefix: Number(length) };
}

function malformed(position: number, reason: string): TypeError {
  return new TypeError(`malformed URI template at position ${position}: ${reason}`);
}
