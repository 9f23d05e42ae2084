import type { Requirements } from "./requirements.ts";

/** One check of the referee, as `checks.json` holds it. */
export interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly description?: string;
  readonly errorMessage?: string;
}

export type Outcome = "passed" | "failed" | "expected failure" | "skipped";

export interface Verdict {
  readonly scenario: string;
  readonly scored: boolean;
  readonly outcome: Outcome;
  /** Checks that succeeded, of all that decide. */
  readonly succeeded: number;
  readonly deciding: number;
  /** Why it failed, or why it may. */
  readonly reasons: readonly string[];
}

/** Holds in every scenario, whatever else of it is not built yet. */
const ALWAYS = "wire-schema-valid";

/**
 * Judge every scenario a requirement set names.
 *
 * A warning counts as a failure. A scenario without checks is a failure, and so is an expected failure
 * that passes: the list of these may only shrink.
 */
export function judge(
  requirements: Requirements,
  checks: ReadonlyMap<string, readonly Check[]>,
  expected: Readonly<Record<string, string>>,
): readonly Verdict[] {
  const named = [
    ...requirements.scored.map((scenario) => ({ scenario, scored: true })),
    ...Array.from(requirements.unscored.keys(), (scenario) => ({ scenario, scored: false })),
  ];
  const unknown = Object.keys(expected).filter((name) => !named.some((n) => n.scenario === name));
  return [
    ...named.map(({ scenario, scored }) =>
      judgeScenario(scenario, scored, checks.get(scenario) ?? [], expected[scenario]),
    ),
    ...unknown.map((scenario): Verdict => {
      const reasons = ["is on the list of expected failures, but no such scenario is run"];
      return { scenario, scored: false, outcome: "failed", succeeded: 0, deciding: 0, reasons };
    }),
  ];
}

function judgeScenario(
  scenario: string,
  scored: boolean,
  checks: readonly Check[],
  mayFail: string | undefined,
): Verdict {
  const deciding = checks.filter((c) => c.status !== "INFO" && c.status !== "SKIPPED");
  const bad = deciding.filter((c) => c.status !== "SUCCESS");
  const of = (outcome: Outcome, reasons: readonly string[]): Verdict => ({
    scenario,
    scored,
    outcome,
    succeeded: deciding.length - bad.length,
    deciding: deciding.length,
    reasons,
  });
  if (checks.length === 0) return of("failed", ["the referee left no checks"]);
  if (deciding.length === 0) return of("skipped", checks.map(describe));
  if (mayFail === undefined) return of(bad.length === 0 ? "passed" : "failed", bad.map(describe));
  if (bad.length === 0) return of("failed", [`passes; take it off the list (${mayFail})`]);
  const broken = bad.filter((c) => c.id === ALWAYS);
  if (broken.length > 0) return of("failed", broken.map(describe));
  return of("expected failure", [mayFail]);
}

function describe(check: Check): string {
  return `${check.status} ${check.id}: ${check.errorMessage ?? check.description ?? ""}`;
}
