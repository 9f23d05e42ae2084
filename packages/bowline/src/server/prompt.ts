import type { Known } from "../base/known-members.ts";
import { isJsonObject, type JsonObject } from "../json/value.ts";
import { invalidParams } from "../protocol/errors.ts";
import type { PromptArgument } from "../protocol/prompts.ts";
import { type CompiledSchema, compileSchema, type Issue } from "../schema/compile.ts";
import { completersOf } from "./call/completers.ts";
import type { MethodHandler } from "./call/method.ts";
import { run, type Work } from "./call/run.ts";
import type { Runtime } from "./call/runtime.ts";
import { startChecked } from "./call/start.ts";
import { type Context, HandlerContext } from "./context.ts";
import { type Collection, type Entry, findByName } from "./lists/collection.ts";
import {
  assertConfig,
  assertHandler,
  assertName,
  createDefinition,
  DESCRIBED,
  visibilityOf,
  wrong,
} from "./lists/definition.ts";
import type { Completer, PromptConfig } from "./prompt-types.ts";
import { promptToResult } from "./results/prompt-result.ts";

/** A registered prompt. */
export interface PromptEntry extends Entry {
  readonly description: string | undefined;
  readonly input: CompiledSchema | undefined;
  /** Names of its arguments. */
  readonly names: ReadonlySet<string>;
  readonly completers: ReadonlyMap<string, Completer>;
  readonly handler: (args: unknown, ctx: Context) => unknown;
}

const CONFIG: Known<PromptConfig> = { ...DESCRIBED, argsSchema: "any", complete: "object" };
const MEANT = {
  arguments: "argsSchema",
  args: "argsSchema",
  schema: "argsSchema",
  inputschema: "argsSchema",
};

/** Checks and compiles a prompt. Throws a `TypeError` that starts with its name. */
export function createPromptEntry(
  name: string,
  config: PromptConfig,
  handler: PromptEntry["handler"],
): PromptEntry {
  const label = `prompt ${JSON.stringify(name)}`;
  assertName(label, name);
  assertConfig(label, config, CONFIG, MEANT);
  assertHandler(label, handler);
  const { argsSchema, title, description, icons, _meta } = config;
  const input =
    argsSchema === undefined
      ? undefined
      : compileSchema(argsSchema, { io: "input", label: `${label}: argsSchema` });
  const args = input === undefined ? [] : argumentsOf(label, input.json);
  const names = new Set(args.map((argument) => argument.name));
  const members = {
    name,
    title,
    description,
    arguments: input === undefined ? undefined : args,
    icons,
    _meta,
  };
  return {
    key: name,
    label,
    definition: createDefinition(label, members),
    visibility: visibilityOf(label, config),
    description,
    input,
    names,
    completers: completersOf(label, { complete: config.complete, names, schema: input?.json }),
    handler,
  };
}

/** What is listed of the arguments: the properties at the root of their schema. */
function argumentsOf(label: string, schema: JsonObject): readonly PromptArgument[] {
  const { properties, required } = schema;
  if (properties !== undefined && !isJsonObject(properties)) {
    throw wrong(label, "argsSchema: properties is not an object");
  }
  const compulsory: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(properties ?? {}).map(([name, property]) =>
    createArgument(name, property, compulsory.includes(name)),
  );
}

function createArgument(name: string, property: unknown, required: boolean): PromptArgument {
  const { title, description } = isJsonObject(property) ? property : {};
  return {
    name,
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof description === "string" ? { description } : {}),
    required,
  };
}

/** Answers `prompts/get`. */
export function createPromptGetter(
  prompts: Collection<PromptEntry>,
  runtime: Runtime,
): MethodHandler {
  const work = createPromptWork(runtime.meta);
  return (call, transport) => {
    const { name, arguments: args = {} } = call.params;
    const prompt = findByName(prompts, name, transport.principal);
    if (!isStringRecord(args)) throw invalidParams("params.arguments is not an object of strings");
    const context = new HandlerContext(runtime, call, transport);
    context.subject = prompt.label;
    return run(work, prompt, args, { runtime, context });
  };
}

interface Strings {
  readonly [name: string]: string;
}

export function isStringRecord(value: unknown): value is Strings {
  return isJsonObject(value) && Object.values(value).every((item) => typeof item === "string");
}

const refuseArguments = (message: string, issues: readonly Issue[]): Error =>
  invalidParams(message, { issues });

function createPromptWork(meta: JsonObject | undefined): Work<PromptEntry, Strings> {
  return {
    start: (prompt, args, context) => startChecked(prompt, args, context, refuseArguments),
    convert: (prompt, value) => promptToResult(value, prompt.description, meta),
  };
}
