import { faultOf, offeredBy } from "./check-answer.ts";
import type { RequestedField } from "./requested-schema.ts";

const BOUNDS = [
  ["minLength", "maxLength"],
  ["minimum", "maximum"],
  ["minItems", "maxItems"],
] as const;

/** Refuses a field that no answer fits, or that starts with one that would be refused. */
export function assertAnswerable(field: RequestedField): void {
  if (offeredBy(field)?.length === 0) throw new TypeError("there is nothing to choose from");
  const bounds: Readonly<Partial<Record<string, unknown>>> = { ...field };
  for (const [least, most] of BOUNDS) {
    const [low, high] = [bounds[least], bounds[most]];
    if (typeof low === "number" && typeof high === "number" && low > high) {
      throw new TypeError(`no answer fits: ${least} ${low} is above ${most} ${high}`);
    }
  }
  if (field.default === undefined) return;
  if (faultOf(field, field.default, { isFormatChecked: false }) === undefined) return;
  throw new TypeError(`the default ${JSON.stringify(field.default)} does not fit`);
}
