import { MAX_EXPLAINED_NODES, MAX_VALIDATION_STEPS } from "../../base/limits.ts";
import { createEngine, type EngineValidator } from "./engine.ts";
import type { InspectedSchema } from "./inspected.ts";
import { engineIssues, type Issue } from "../issues.ts";
import { createProgram, type Program } from "./program.ts";

/** What a check found. */
export type Check =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Steps that cost more than one of generated code: interpreting, and looking for all faults. */
const INTERPRETED_STEP = 100;
const EXPLAINED_STEP = 2_000;

/** Thrown out of the engine when one validation takes too many steps. */
class BudgetSpent extends Error {}

/** What a referenced subschema is visited with, counted down in one validation. */
class Budget {
  #left = 0;
  #step = 1;

  start(step: number): void {
    this.#left = MAX_VALIDATION_STEPS;
    this.#step = step;
  }

  readonly spend = (value: unknown): void => {
    this.#left -= this.#step * (Array.isArray(value) ? 1 + value.length : 1);
    if (this.#left < 0) throw new BudgetSpent();
  };
}

/**
 * A check of plain JSON Schema: synchronous, and bounded however the schema branches. A value that
 * would take too many steps, or is nested too deep to be looked at, does not match.
 */
export function createValidator(inspected: InspectedSchema): (value: unknown) => Check {
  const budget = new Budget();
  let linked: Program | undefined;
  const named = createProgram(inspected, "named", budget.spend);
  const engine = startEngine(() =>
    createEngine(named, () => (linked ??= createProgram(inspected, "linked", budget.spend))),
  );
  const step = engine.isInterpreted ? INTERPRETED_STEP : 1;
  const isBounded = Object.keys(named.definitions).length > 0;

  const check = (value: unknown): boolean | Issue => {
    if (!isBounded) return engine.check(value);
    budget.start(step);
    return attempt(() => engine.check(value));
  };
  const explain = (value: unknown): readonly Issue[] => {
    if (!isSmall(value, explainedNodes(inspected))) return [UNEXPLAINED];
    budget.start(EXPLAINED_STEP);
    const faults = attempt(() => engine.explain(value));
    return "path" in faults ? [UNEXPLAINED] : engineIssues(faults);
  };
  return (value) => {
    const outcome = check(value);
    if (outcome === true) return { ok: true, value };
    return { ok: false, issues: outcome === false ? explain(value) : [outcome] };
  };
}

const UNEXPLAINED: Issue = { path: "", message: "does not match, and is too complex to say where" };

function attempt<T>(run: () => T): T | Issue {
  try {
    return run();
  } catch (error) {
    if (error instanceof BudgetSpent) return { path: "", message: "is too complex to be checked" };
    if (error instanceof RangeError) return { path: "", message: "is nested too deep" };
    throw error;
  }
}

/** Every subschema may have to look at every value. */
const explainedNodes = ({ subschemas }: InspectedSchema): number =>
  Math.min(MAX_EXPLAINED_NODES, Math.ceil(MAX_VALIDATION_STEPS / subschemas));

/** Chains of references are compiled by recursion. */
function startEngine(start: () => EngineValidator): EngineValidator {
  try {
    return start();
  } catch (error) {
    if (error instanceof RangeError) {
      throw new TypeError("the references of the schema form too long a chain", { cause: error });
    }
    throw error;
  }
}

function isSmall(value: unknown, max: number): boolean {
  const stack: unknown[] = [value];
  for (let seen = 0; stack.length > 0; seen += 1) {
    if (seen > max) return false;
    const top = stack.pop();
    if (typeof top !== "object" || top === null) continue;
    const items: readonly unknown[] = Object.values(top);
    if (items.length > max) return false;
    for (const item of items) stack.push(item);
  }
  return true;
}
