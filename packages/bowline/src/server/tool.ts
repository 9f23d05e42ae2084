import type { Known } from "../base/known-members.ts";
import { MAX_TOOL_NAME_CHARS } from "../base/limits.ts";
import { isJsonObject, type JsonObject } from "../json/value.ts";
import type { ClientCapabilities } from "../protocol/capabilities.ts";
import { invalidParams, missingCapability } from "../protocol/errors.ts";
import { type HeaderParameter, headerParametersOf } from "../protocol/header-parameters.ts";
import { type CompiledSchema, compileSchema } from "../schema/compile.ts";
import { run, type Work } from "./call/run.ts";
import type { Runtime } from "./call/runtime.ts";
import { type Context, HandlerContext } from "./context.ts";
import type { ToolDefinition } from "./define-tool.ts";
import { type Collection, type Entry, findByName } from "./lists/collection.ts";
import {
  assertConfig,
  assertHandler,
  createDefinition,
  DESCRIBED,
  visibilityOf,
  wrong,
} from "./lists/definition.ts";
import type { MethodHandler } from "./call/method.ts";
import { missingCapabilities } from "./call/requires.ts";
import { startChecked } from "./call/start.ts";
import { errorResult, replyToResult, valueToResult } from "./results/tool-result.ts";
import { ToolError } from "./tool-error.ts";
import type { ToolConfig } from "./tool-types.ts";

/** A registered tool. */
export interface ToolEntry extends Entry {
  readonly input: CompiledSchema | undefined;
  readonly output: CompiledSchema | undefined;
  readonly headers: readonly HeaderParameter[];
  readonly requires: ClientCapabilities | undefined;
  readonly isOnce: boolean;
  handler(args: unknown, ctx: Context): unknown;
}

const NO_ARGUMENTS = { type: "object", additionalProperties: false } as const;
export const TOOL_CONFIG: Known<ToolConfig> = {
  ...DESCRIBED,
  inputSchema: "any",
  outputSchema: "any",
  annotations: "any",
  requires: "object",
  once: "boolean",
};
const MEANT = {
  schema: "inputSchema",
  parameters: "inputSchema",
  params: "inputSchema",
  input: "inputSchema",
  args: "inputSchema",
  argsschema: "inputSchema",
  output: "outputSchema",
};
const TOOL_NAME = /^[\w.-]+$/;

/** Checks and compiles a tool. Throws a `TypeError` that starts with its name. */
export function createToolEntry(definition: ToolDefinition): ToolEntry {
  // oxlint-disable-next-line typescript/unbound-method -- a function; the notation is for its type alone
  const { name, config, handler } = definition;
  const label = `tool ${JSON.stringify(name)}`;
  if (typeof name !== "string" || !TOOL_NAME.test(name) || name.length > MAX_TOOL_NAME_CHARS) {
    const rule = `1 to ${MAX_TOOL_NAME_CHARS} of the characters A-Z a-z 0-9 _ - .`;
    throw wrong(label, `a name is made of ${rule}`);
  }
  assertConfig(label, config, TOOL_CONFIG, MEANT);
  assertHandler(label, handler);
  const { inputSchema, outputSchema, title, description, annotations, icons, _meta } = config;
  const input =
    inputSchema === undefined
      ? undefined
      : compileSchema(inputSchema, { io: "input", label: `${label}: inputSchema` });
  const output =
    outputSchema === undefined
      ? undefined
      : compileSchema(outputSchema, { io: "output", label: `${label}: outputSchema` });
  const listed = createDefinition(label, {
    name,
    title,
    description,
    inputSchema: input?.json ?? NO_ARGUMENTS,
    outputSchema: output?.json,
    annotations,
    icons,
    _meta,
  });
  return {
    key: name,
    label,
    definition: listed,
    visibility: visibilityOf(label, config),
    input,
    output,
    headers: input === undefined ? [] : mirrored(label, input.json),
    requires: config.requires,
    isOnce: config.once === true,
    handler,
  };
}

function mirrored(label: string, schema: JsonObject): readonly HeaderParameter[] {
  try {
    return headerParametersOf(schema);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`${label}: inputSchema: ${reason}`, { cause });
  }
}

/** Answers `tools/call`. */
export function createToolCaller(tools: Collection<ToolEntry>, runtime: Runtime): MethodHandler {
  const work = createToolWork(runtime.meta);
  return (call, transport) => {
    const { name, arguments: args } = call.params;
    const tool = findByName(tools, name, transport.principal);
    if (args !== undefined && args !== null && !isJsonObject(args)) {
      throw invalidParams("params.arguments is not an object");
    }
    if (tool.requires !== undefined) {
      const missing = missingCapabilities(tool.requires, call.meta.clientCapabilities);
      if (missing !== undefined) throw missingCapability(missing);
    }
    const context = new HandlerContext(runtime, call, transport, tool.headers);
    context.subject = tool.label;
    return run(work, tool, args, { runtime, context, isOnce: tool.isOnce });
  };
}

type Arguments = JsonObject | null | undefined;

const refuseArguments = (message: string): ToolError => new ToolError(message);

function createToolWork(meta: JsonObject | undefined): Work<ToolEntry, Arguments> {
  return {
    start: (tool, args, context) => {
      // JSON null is no object; a model that sent it is told so.
      if (args === null)
        throw new ToolError(`the arguments of ${tool.label} are null, not an object`);
      return startChecked(tool, args ?? {}, context, refuseArguments);
    },
    convert: (tool, value) =>
      tool.output === undefined
        ? replyToResult(value, meta)
        : valueToResult(value, tool.output, meta),
    recover: (error) => (ToolError.is(error) ? errorResult(error.content, meta) : undefined),
  };
}
