import type { JsonValue } from "./value.ts";

/** Whether no string and no member name holds an unpaired surrogate. The depth must have been bounded before. */
export function isWellFormedJson(value: JsonValue | undefined): boolean {
  if (typeof value === "string") return isWellFormed(value);
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isWellFormedJson);
  return Object.entries(value).every(
    ([name, item]) => isWellFormed(name) && isWellFormedJson(item),
  );
}

/** ES2024, present wherever this package runs; the language setting is a year older. */
interface WellFormed {
  isWellFormed(): boolean;
}

export function isWellFormed(text: string): boolean {
  return (text as unknown as WellFormed).isWellFormed();
}
