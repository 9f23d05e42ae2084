import { JSON_LIMITS } from "../../base/limits.ts";
import { isJsonObject } from "../../json/value.ts";
import type { Result } from "../../protocol/result.ts";

/** Thrown where a value has no JSON form, or is nested deeper than any message. */
class NotJson extends Error {}

/**
 * A copy that nobody can change: whoever is handed a kept result shares it with others, and a server of the same
 * process goes on using its own. Undefined for what is no JSON, which only such a server can give.
 */
export function frozenCopy(result: Result): Result | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a copy has the members of its original
    return copyObject(result, 0) as Result;
  } catch (error) {
    if (error instanceof NotJson) return undefined;
    throw error;
  }
}

function copyObject(value: object, depth: number): object {
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.freeze(
    Object.fromEntries(members.map(([name, member]) => [name, copy(member, depth + 1)])),
  );
}

function copy(value: unknown, depth: number): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (depth > JSON_LIMITS.maxJsonDepth) throw new NotJson();
  if (Array.isArray(value)) return Object.freeze(value.map((item) => copy(item, depth + 1)));
  if (!isPlain(value)) throw new NotJson();
  return copyObject(value, depth);
}

/** Not an instance of a class, which may have a JSON form that its members do not show. */
function isPlain(value: unknown): value is object {
  if (!isJsonObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
