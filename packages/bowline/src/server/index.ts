export type { FaultDetail, OnError } from "../base/fault-report.ts";
export { ToolError, type ToolErrorOptions } from "./tool-error.ts";
export type { LogData, LogFunction, Logger } from "./call/logger.ts";
export type { ClientOfCall, Context } from "./context.ts";
export { createServer } from "./create-server.ts";
export { defineTool, type ToolDefinition, type ToolsOf } from "./define-tool.ts";
export type { Extension, ExtensionMethod, ToolExtension } from "./extensions/extension.ts";
export type { Middleware, Next } from "./middleware.ts";
export type { Rate } from "./call/bucket.ts";
export type { CachedAnswer, ServerEngine, ServerInfo, ServerOptions } from "./options.ts";
export type {
  ArgsJsonSchema,
  Completer,
  Completers,
  PromptConfig,
  PromptReturn,
} from "./prompt-types.ts";
export { inputRequired } from "./rounds/input-required.ts";
export { resourceNotFound } from "./resource.ts";
export type { ResourceConfig, ResourceReturn, TemplateConfig } from "./resource-types.ts";
export type { RoundEvent } from "./rounds/conversation-tools.ts";
export type { InputRequired, InputRequiredOptions } from "./rounds/manual.ts";
export type { AskOptions } from "./rounds/question.ts";
export type { Answer, Consent, Questions } from "./rounds/questions.ts";
export type { StepContext } from "./rounds/steps.ts";
export type { Server } from "./server.ts";
export type { ToolConfig, ToolHandler, ToolReturn, Visibility } from "./tool-types.ts";
export type { PromptTypes, ToolTypes } from "../schema/registered.ts";
export type { Completion } from "../protocol/completion.ts";
export type { ContentBlock } from "../protocol/content.ts";
export type { GetPromptResult, PromptMessage } from "../protocol/prompts.ts";
export type { ReadResourceResult } from "../protocol/resources.ts";
export type { CallToolResult, ToolAnnotations } from "../protocol/tools.ts";
