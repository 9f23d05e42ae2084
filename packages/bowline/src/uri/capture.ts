import { decodeReserved, decodeUnreserved } from "./decode.ts";
import type { GapItem, ListItem, ParametersItem } from "./plan.ts";
import { OPERATOR_RULES, type TemplateVariable } from "./syntax.ts";
import { truncate } from "./truncate.ts";

/** Values by variable name, without a prototype: `__proto__` and `constructor` are names like any other. */
export interface TemplateMatch {
  readonly [name: string]: string | readonly string[];
}

type Value = string | readonly string[];
type Captured = readonly [variable: TemplateVariable, value: Value];

/** The values that gaps with these texts stand for; nothing if a text is no expansion of its gap. */
export function captureValues(
  spans: readonly (readonly [gap: GapItem, text: string])[],
): TemplateMatch | undefined {
  const whole = new Map<string, Value>();
  const prefixes: (readonly [variable: TemplateVariable, value: string])[] = [];
  for (const [gap, text] of spans) {
    const captured = captureGap(gap, text);
    if (captured === undefined) return undefined;
    for (const [variable, value] of captured) {
      if (variable.prefix !== undefined && typeof value === "string") {
        prefixes.push([variable, value]);
      } else if (!agree(whole.get(variable.name) ?? value, value)) return undefined;
      else whole.set(variable.name, value);
    }
  }
  // Longest first: what a prefix says of its value is all there is, unless another mention says more.
  prefixes.sort(([a], [b]) => (b.prefix ?? 0) - (a.prefix ?? 0));
  for (const [{ name, prefix = 0 }, value] of prefixes) {
    const known = whole.get(name) ?? value;
    if (typeof known !== "string" || truncate(known, prefix) !== value) return undefined;
    whole.set(name, known);
  }
  const result: Record<string, Value> = Object.create(null);
  for (const [name, value] of whole) result[name] = value;
  return result;
}

function agree(a: Value, b: Value): boolean {
  if (typeof a === "string" || typeof b === "string") return a === b;
  return a.length === b.length && a.every((member, index) => member === b[index]);
}

function captureGap(gap: GapItem, text: string): readonly Captured[] | undefined {
  if (gap.kind === "parameters") return captureParameters(gap, text);
  const value = gap.kind === "list" ? captureList(gap, text) : decode(gap.variable, text);
  return value === undefined ? undefined : [[gap.variable, value]];
}

function captureList(list: ListItem, text: string): readonly string[] | undefined {
  if (text === "" && !list.required) return [];
  if (!text.startsWith(list.lead)) return undefined;
  const members: string[] = [];
  for (const member of text.slice(list.lead.length).split(list.separator)) {
    const value = decode(list.variable, member);
    if (value === undefined) return undefined;
    members.push(value);
  }
  return members;
}

function captureParameters(gap: ParametersItem, text: string): readonly Captured[] | undefined {
  if (text === "") return [];
  const single = new Map<TemplateVariable, string>();
  const lists = new Map<TemplateVariable, string[]>();
  let firstExpression = Infinity;
  for (const piece of text.slice(1).split(gap.separator)) {
    const parameter = gap.byName.get(parameterName(piece));
    if (parameter === undefined) return undefined;
    const { variable, expression } = parameter;
    const value = parameterValue(variable, piece);
    if (value === undefined || single.has(variable)) return undefined;
    const list = lists.get(variable);
    if (list !== undefined) list.push(value);
    else if (variable.explode) lists.set(variable, [value]);
    else single.set(variable, value);
    firstExpression = Math.min(firstExpression, expression);
  }
  // `?` belongs to the expression that has it: `{?a}{&b}` without `a` yields `&b=…`.
  return text.charAt(0) === gap.leads[firstExpression] ? [...single, ...lists] : undefined;
}

/** What stands before the first `=` of a parameter. */
export function parameterName(piece: string): string {
  const equals = piece.indexOf("=");
  return equals === -1 ? piece : piece.slice(0, equals);
}

function parameterValue(variable: TemplateVariable, piece: string): string | undefined {
  const text = piece.slice(variable.name.length);
  if (text === OPERATOR_RULES[variable.operator].afterEmpty) return "";
  return text.length > 1 ? decode(variable, text.slice(1)) : undefined;
}

function decode(variable: TemplateVariable, text: string): string | undefined {
  const value = OPERATOR_RULES[variable.operator].reserved
    ? decodeReserved(text)
    : decodeUnreserved(text);
  const { prefix } = variable;
  if (value === undefined || prefix === undefined) return value;
  return truncate(value, prefix) === value ? value : undefined;
}
