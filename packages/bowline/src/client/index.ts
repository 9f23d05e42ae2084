export { createClient } from "./create-client.ts";
export type { CacheOptions } from "./caching/options.ts";
export type { CacheEntry, CacheStore } from "./caching/store.ts";
export type { Change, Listening, ListenOptions } from "./listening/change.ts";
export type { ClientOptions } from "./options.ts";
export type { InputContext, InputHandlers } from "./rounds/handlers.ts";
export type {
  CallOptions,
  Client,
  ClientOf,
  LogMessage,
  Progress,
  ToolFailure,
  ToolResult,
  ToolSuccess,
} from "./client.ts";
export type { AnyPrompts, AnyTools } from "../schema/registered.ts";
export type { CompleteParams, Completion } from "../protocol/completion.ts";
export type { ContentBlock } from "../protocol/content.ts";
export type { DiscoverResult } from "../protocol/discover.ts";
export type { GetPromptResult, Prompt } from "../protocol/prompts.ts";
export type { ReadResourceResult, Resource, ResourceTemplate } from "../protocol/resources.ts";
export type { Tool } from "../protocol/tools.ts";
