import { invalidRequest } from "../errors.ts";
import type { JsonObject, JsonValue } from "../../json/value.ts";
import type { NameGuard } from "../../json/fold.ts";

/** Refuses an object with a member that could be mistaken for a known one, or is called `__proto__`. */
export function refuseMisleadingNames(
  names: readonly string[],
  guard: NameGuard,
  where: string,
): void {
  for (const name of names) {
    if (!guard.isPlain(name)) throw invalidRequest(`a member of ${where} has a misleading name`);
  }
}

/** An own member: what stands on a prototype is not part of a message. */
export function own(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
