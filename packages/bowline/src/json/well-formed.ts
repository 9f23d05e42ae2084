import { isJsonArray, type JsonValue } from "./value.ts";

/** Whether no string and no member name holds an unpaired surrogate. The depth must have been bounded before. */
export function isWellFormedJson(value: JsonValue | undefined): boolean {
  if (typeof value === "string") return isWellFormed(value);
  if (typeof value !== "object" || value === null) return true;
  if (isJsonArray(value)) return value.every(isWellFormedJson);
  return Object.entries(value).every(
    ([name, item]) => isWellFormed(name) && isWellFormedJson(item),
  );
}

/** ES2024; the regular expression says the same, some hundred times slower. */
interface WellFormed {
  isWellFormed(): boolean;
}

const UNPAIRED_SURROGATE = /\p{Surrogate}/u;

export function isWellFormed(text: string): boolean {
  return hasWellFormed(text) ? text.isWellFormed() : !UNPAIRED_SURROGATE.test(text);
}

function hasWellFormed(_text: string): _text is string & WellFormed {
  return "isWellFormed" in String.prototype;
}
