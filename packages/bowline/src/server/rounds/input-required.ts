import type { InputRequired, InputRequiredOptions } from "./manual.ts";

/**
 * A round of questions in the form of the protocol, for a handler to return. The next pass finds the fitting answers
 * in `ctx.responses` and what was kept in `ctx.state`. Most handlers are shorter with `ctx.elicit` and its kin.
 */
export function inputRequired(round: InputRequiredOptions): InputRequired {
  return { resultType: "input_required", ...round };
}

export function isInputRequired(value: unknown): value is InputRequired {
  return (
    typeof value === "object" &&
    value !== null &&
    "resultType" in value &&
    value.resultType === "input_required"
  );
}
