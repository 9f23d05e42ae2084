export { createClient, type ClientOptions } from "./create-client.ts";
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
