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
import { isStrings } from "./prompt.ts";
import type { Completer } from "./prompt-types.ts";
import type { Registry } from "./registry.ts";

/** What can be completed: the arguments of a prompt or the variables of a template. */
interface Completable {
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
  if (!isStrings(others))
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
  const { values, total, hasMore } = decodeCompletion(value);
  const isCut = values.length > MAX_COMPLETION_VALUES;
  const completion: Completion = {
    values: isCut ? values.slice(0, MAX_COMPLETION_VALUES) : values,
    ...(total === undefined ? {} : { total }),
    hasMore: isCut || hasMore === true,
  };
  return { resultType: "complete", completion, _meta: meta };
}

/** A bare list is all there is. */
function decodeCompletion(value: unknown): Completion {
  if (isStringList(value)) return { values: value, total: value.length };
  const { values, total, hasMore } = isJsonObject(value) ? value : {};
  if (!isStringList(values)) {
    throw new TypeError("a completer returns a list of strings, or an object with one in values");
  }
  if (total !== undefined && !isTotal(total, values.length)) {
    throw new TypeError("the total of a completion is not a number of its values or more");
  }
  if (hasMore !== undefined && typeof hasMore !== "boolean") {
    throw new TypeError("hasMore of a completion is not a boolean");
  }
  return {
    values,
    ...(total === undefined ? {} : { total }),
    hasMore: hasMore ?? (total !== undefined && total > values.length),
  };
}

function isTotal(total: unknown, atLeast: number): total is number {
  return typeof total === "number" && Number.isSafeInteger(total) && total >= atLeast;
}

function isStringList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
