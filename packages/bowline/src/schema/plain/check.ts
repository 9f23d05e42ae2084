import type { InspectedSchema } from "./inspected.ts";
import type { Check } from "./validator.ts";

/**
 * The check of a plain schema. The engine is the larger part of a server by far, and comes with the
 * first value: checks are synchronous from the second one on.
 */
export function createCheck(
  inspected: InspectedSchema,
): (value: unknown) => Check | Promise<Check> {
  let validate: ((value: unknown) => Check) | undefined;
  return (value) => (validate === undefined ? checkFirst(value) : validate(value));

  async function checkFirst(value: unknown): Promise<Check> {
    const { createValidator } = await import("./validator.ts");
    validate ??= createValidator(inspected);
    return validate(value);
  }
}
