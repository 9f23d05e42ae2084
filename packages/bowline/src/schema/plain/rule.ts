import { MAX_PATTERN_INPUT_CHARS } from "../../base/limits.ts";
import { isJsonObject } from "../../json/value.ts";
import { toRegExp } from "./keyword.ts";

/** A check of our own that the engine runs after the keywords beside it. */
export interface Rule {
  readonly check: (value: unknown) => boolean;
  readonly error: (value: unknown) => string;
}

/** Strings beyond the limit do not match: trying them could take too long. */
export function patternRule(pattern: string): Rule {
  const expression = toRegExp(pattern);
  return {
    check: (value) =>
      typeof value !== "string" ||
      (value.length <= MAX_PATTERN_INPUT_CHARS && (expression?.test(value) ?? false)),
    error: (value) =>
      typeof value === "string" && value.length > MAX_PATTERN_INPUT_CHARS
        ? `must not have more than ${MAX_PATTERN_INPUT_CHARS} characters, to be matched with a pattern`
        : `must match the pattern ${JSON.stringify(pattern)}`,
  };
}

/** Up to the error of one division: 0.3 is a multiple of 0.1. */
export function multipleRule(divisor: number): Rule {
  return {
    check: (value) => {
      if (typeof value !== "number") return true;
      const quotient = value / divisor;
      if (!Number.isFinite(quotient)) return false;
      return (
        Math.abs(quotient - Math.round(quotient)) <= Number.EPSILON * Math.abs(quotient) &&
        (value === 0 || Math.round(quotient) !== 0)
      );
    },
    error: () => `must be a multiple of ${divisor}`,
  };
}

export function hasOwnRule(name: string): Rule {
  return {
    check: (value) => !isJsonObject(value) || Object.hasOwn(value, name),
    error: () => `must have the property ${JSON.stringify(name)}`,
  };
}

export const uniqueRule: Rule = {
  check: (value) => !Array.isArray(value) || isUnique(value),
  error: () => "must not have equal items",
};

function isUnique(items: readonly unknown[]): boolean {
  const primitives = new Set<unknown>();
  const structures = new Set<string>();
  for (const item of items) {
    if (typeof item === "object" && item !== null) structures.add(canonical(item));
    else primitives.add(item);
  }
  return primitives.size + structures.size === items.length;
}

/** Equal text for equal JSON, whatever the order of members. */
function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value === 0 ? 0 : value);
  let text = "";
  if (!isJsonObject(value)) {
    for (const item of Object.values(value)) text += `${canonical(item)},`;
    return `[${text}]`;
  }
  for (const name of Object.keys(value).toSorted()) {
    text += `${JSON.stringify(name)}:${canonical(value[name])},`;
  }
  return `{${text}}`;
}
