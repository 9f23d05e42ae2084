import type { JsonObject } from "../../json/value.ts";
import type { Check, CompiledSchema, Issue } from "../../schema/compile.ts";
import type { Context, HandlerContext } from "../context.ts";
import { describeIssues } from "../../schema/issues.ts";
import { isPromiseLike } from "./run.ts";

/** A tool or a prompt. */
interface Callable {
  readonly label: string;
  /** Without it there are no arguments. */
  readonly input: CompiledSchema | undefined;
  handler(args: unknown, ctx: Context): unknown;
}

type Refuse = (message: string, issues: readonly Issue[]) => Error;

/** Checks the arguments and calls the handler with them, or throws what `refuse` makes of the issues. */
export function startChecked(
  callable: Callable,
  args: JsonObject,
  context: HandlerContext,
  refuse: Refuse,
): unknown {
  const checked = callable.input === undefined ? checkNone(args) : callable.input.check(args);
  return isPromiseLike(checked)
    ? checked.then((check) => proceed(callable, check, context, refuse))
    : proceed(callable, checked, context, refuse);
}

function proceed(
  callable: Callable,
  check: Check,
  context: HandlerContext,
  refuse: Refuse,
): unknown {
  if (check.ok) return callable.handler(check.value, context);
  const { issues } = check;
  throw refuse(`invalid arguments for ${callable.label}\n${describeIssues(issues)}`, issues);
}

function checkNone(args: JsonObject): Check {
  const issues = Object.keys(args).map((name) => ({
    path: "",
    message: `must not have the property ${JSON.stringify(name)}`,
  }));
  return issues.length === 0 ? { ok: true, value: args } : { ok: false, issues };
}
