export {
  DecodeError,
  LimitError,
  McpError,
  RpcError,
  TimeoutError,
  TransportError,
  type McpErrorCode,
  type Stage,
} from "./base/errors.ts";
export type {
  CallOptions,
  Client,
  ClientOf,
  LogMessage,
  Progress,
  ToolResult,
} from "./client/client.ts";
export { createClient } from "./client/create-client.ts";
export type { Change, Listening, ListenOptions } from "./client/listening/change.ts";
export type { ClientOptions } from "./client/options.ts";
export type { InputContext, InputHandlers } from "./client/rounds/handlers.ts";
export {
  connect,
  type ConnectOptions,
  type StdioTarget,
  type StreamTarget,
  type Target,
} from "./connect.ts";
export { serveHttp, type FetchHandler, type ServeHttpOptions } from "./http/serve.ts";
export type { Call } from "./protocol/call.ts";
export type { CallContext, Exchange, ExchangeSource, Principal } from "./protocol/exchange.ts";
export type { AnyPrompts, AnyTools, PromptTypes, ToolTypes } from "./schema/registered.ts";
export { withJsonSchema } from "./schema/with-json-schema.ts";
export type { JsonSchema } from "./schema/json-schema.ts";
export type { Schema, StandardSchema } from "./schema/schema.ts";
export type { Context } from "./server/context.ts";
export { createServer } from "./server/create-server.ts";
export { defineTool, type ToolDefinition, type ToolsOf } from "./server/define-tool.ts";
export type { Middleware } from "./server/middleware.ts";
export type { ServerOptions } from "./server/options.ts";
export type { Server } from "./server/server.ts";
export { ToolError } from "./server/tool-error.ts";
export type { CompleteParams, Completion } from "./protocol/completion.ts";
export type { ContentBlock } from "./protocol/content.ts";
export type { CreateMessageParams, CreateMessageResult } from "./protocol/deprecated/sampling.ts";
export type { Root } from "./protocol/deprecated/roots.ts";
export type { SubscriptionFilter } from "./protocol/subscriptions.ts";
export type { DiscoverResult } from "./protocol/discover.ts";
export type {
  ElicitFormParams,
  ElicitResult,
  ElicitUrlParams,
} from "./protocol/input/elicitation.ts";
export type { GetPromptResult, Prompt, PromptMessage } from "./protocol/prompts.ts";
export type { ReadResourceResult, Resource, ResourceTemplate } from "./protocol/resources.ts";
export type { CallToolResult, Tool, ToolAnnotations } from "./protocol/tools.ts";
