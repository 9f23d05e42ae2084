import { MAX_COMPLETION_VALUES } from "../base/limits.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/value.ts";
import type { Call } from "../protocol/call.ts";
import type { Completion } from "../protocol/completion.ts";
import type { Principal } from "../protocol/exchange.ts";
import { invalidParams } from "../protocol/errors.ts";
import type { Result } from "../protocol/result.ts";
import type { MethodHandler } from "./call/method.ts";
import { run, type Work } from "./call/run.ts";
import type { Runtime } from "./call/runtime.ts";
import { HandlerContext } from "./context.ts";
import { findByName, isVisible } from "./lists/collection.ts";
import { isStringRecord } from "./prompt.ts";
import type { Completer } from "./prompt-types.ts";
import type { Registry } from "./registry.ts";

/** What can be completed: the arguments of a prompt or the variables of a template. */
interface Completable {
  readonly label: string;
  readonly names: ReadonlySet<string>;
  readonly completers: ReadonlyMap<string, Completer>;
}

interface Input {
  readonly value: string;
  readonly others: { readonly [name: string]: string };
}

/** Answers `completion/complete`. */
export function createCompletion(registry: Registry, runtime: Runtime): MethodHandler {
  const { meta } = runtime;
  const work: Work<Completer, Input> = {
    start: (completer, { value, others }, context) => completer(value, others, context),
    convert: (_completer, value) => toResult(value, meta),
  };
  return (call, transport) => {
    const { name, input } = decodeParams(call);
    const target = find(registry, call.params["ref"], transport.principal);
    if (!target.names.has(name)) {
      throw invalidParams(`there is no argument ${JSON.stringify(name)} to complete`);
    }
    const completer = target.completers.get(name);
    if (completer === undefined) return toResult([], meta);
    const context = new HandlerContext(runtime, call, transport);
    context.subject = target.label;
    return run(work, completer, input, { runtime, context });
  };
}

function decodeParams({ params }: Call): { readonly name: string; readonly input: Input } {
  const { argument, context } = params;
  const { name, value } = isJsonObject(argument) ? argument : {};
  if (typeof name !== "string" || typeof value !== "string") {
    throw invalidParams("params.argument needs a name and a value, both strings");
  }
  if (context === undefined) return { name, input: { value, others: {} } };
  if (!isJsonObject(context)) throw invalidParams("params.context is not an object");
  const others = context["arguments"] ?? {};
  if (!isStringRecord(others))
    throw invalidParams("params.context.arguments is not an object of strings");
  return { name, input: { value, others } };
}

function find(
  registry: Registry,
  ref: JsonValue | undefined,
  principal: Principal | undefined,
): Completable {
  const { type, name, uri } = isJsonObject(ref) ? ref : {};
  if (type === "ref/prompt") return findByName(registry.prompts, name, principal);
  if (type === "ref/resource" && typeof uri === "string") {
    const template = registry.templates.get(uri);
    if (template !== undefined && isVisible(template, principal)) return template;
    throw invalidParams(`resource template ${JSON.stringify(uri)} not found`, { uri });
  }
  throw invalidParams("params.ref names neither a prompt nor a resource template");
}

function toResult(value: unknown, meta: JsonObject | undefined): Result {
  // A bare list is all there is.
  const found = isStrings(value) ? { values: value, total: value.length } : value;
  if (!isCompletion(found)) {
    throw new TypeError("a completer returns a list of strings, or { values, total?, hasMore? }");
  }
  const { values, total, hasMore = total !== undefined && total > values.length } = found;
  const completion: Completion = {
    values: values.slice(0, MAX_COMPLETION_VALUES),
    ...(total === undefined ? {} : { total }),
    hasMore: hasMore || values.length > MAX_COMPLETION_VALUES,
  };
  return { resultType: "complete", completion, _meta: meta };
}

function isCompletion(value: unknown): value is Completion {
  if (!isJsonObject(value) || !isStrings(value["values"])) return false;
  const { values, total, hasMore } = value;
  const isTotal =
    total === undefined || (Number.isSafeInteger(total) && Number(total) >= values.length);
  return isTotal && (hasMore === undefined || typeof hasMore === "boolean");
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
