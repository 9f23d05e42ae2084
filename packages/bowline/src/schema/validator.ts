import { MAX_EXPLAINED_NODES, MAX_VALIDATION_STEPS } from "../base/limits.ts";
import { runProgram, type EngineValidator } from "./engine.ts";
import type { InspectedSchema } from "./inspect.ts";
import { engineIssues, type Issue } from "./issues.ts";
import { createProgram } from "./program.ts";

/** What a check found. */
export type Check =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Interpreting costs more for each step. */
const INTERPRETED_STEP = 20;

/** Thrown out of the engine when one validation takes too many steps. */
class BudgetSpent extends Error {}

/**
 * A check of plain JSON Schema: synchronous, and bounded however the schema branches. A value that
 * would take too many steps, or is nested too deep to be looked at, does not match.
 */
export function createValidator(inspected: InspectedSchema): (value: unknown) => Check {
  let left = 0;
  let step = 1;
  let hasReferences = false;
  const program = createProgram(inspected, (value) => {
    left -= step * (Array.isArray(value) ? 1 + value.length : 1);
    if (left < 0) throw new BudgetSpent();
  });
  hasReferences = Object.keys(program.definitions).length > 0;
  const engine = startEngine(() => runProgram(program));
  if (engine.isInterpreted) step = INTERPRETED_STEP;

  const attempt = <T>(run: () => T): T | Issue => {
    left = MAX_VALIDATION_STEPS;
    try {
      return run();
    } catch (error) {
      if (error instanceof BudgetSpent)
        return { path: "", message: "is too complex to be checked" };
      if (error instanceof RangeError) return { path: "", message: "is nested too deep" };
      throw error;
    }
  };
  const check = hasReferences
    ? (value: unknown) => attempt(() => engine.check(value))
    : (value: unknown) => engine.check(value);

  return (value) => {
    const outcome = check(value);
    if (outcome === true) return { ok: true, value };
    if (outcome !== false) return { ok: false, issues: [outcome] };
    return { ok: false, issues: explain(engine, attempt, value) };
  };
}

function explain(
  engine: EngineValidator,
  attempt: <T>(run: () => T) => T | Issue,
  value: unknown,
): readonly Issue[] {
  if (!isSmall(value))
    return [{ path: "", message: "does not match, and is too large to say where" }];
  const faults = attempt(() => engine.explain(value));
  return "path" in faults ? [faults] : engineIssues(faults);
}

/** Chains of references are compiled by recursion. */
function startEngine(start: () => EngineValidator): EngineValidator {
  try {
    return start();
  } catch (error) {
    if (error instanceof RangeError)
      throw new TypeError("the references of the schema are too many");
    throw error;
  }
}

function isSmall(value: unknown): boolean {
  const stack: unknown[] = [value];
  for (let seen = 0; stack.length > 0; seen += 1) {
    if (seen > MAX_EXPLAINED_NODES) return false;
    const top = stack.pop();
    if (typeof top !== "object" || top === null) continue;
    const items: readonly unknown[] = Object.values(top);
    if (items.length > MAX_EXPLAINED_NODES) return false;
    for (const item of items) stack.push(item);
  }
  return true;
}
