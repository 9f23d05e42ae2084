import type { JsonObject, JsonValue } from "../json/value.ts";
import type { CompleteParams, Completion } from "../protocol/completion.ts";
import type { ContentBlock } from "../protocol/content.ts";
import type { LoggingLevel, LoggingMessageNotification } from "../protocol/deprecated/logging.ts";
import type { DiscoverResult } from "../protocol/discover.ts";
import type { ProgressNotification } from "../protocol/progress.ts";
import type { GetPromptResult, Prompt } from "../protocol/prompts.ts";
import type { AnyPrompts, AnyTools, PromptsOfServer, ToolsOfServer } from "../schema/registered.ts";
import type { ReadResourceResult, Resource, ResourceTemplate } from "../protocol/resources.ts";
import type { SubscriptionFilter } from "../protocol/subscriptions.ts";
import type { Tool } from "../protocol/tools.ts";
import type { ListenOptions, Listening } from "./listening/change.ts";

/** Progress of one call, as its server tells it. */
export type Progress = ProgressNotification["params"];
/** A log message that belongs to one call. */
export type LogMessage = LoggingMessageNotification["params"];

/** What a single call may be given. */
export interface CallOptions {
  /** Cancels the call; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Longest silence; progress starts it again. Rejects with a `TimeoutError`. */
  readonly timeoutMs?: number | undefined;
  /** Longest wait in all, whatever the progress. */
  readonly maxTotalTimeoutMs?: number | undefined;
  /** Asks for progress, and gets it as it comes: never after the call has settled. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Asks for log messages of at least `logLevel` (default `"info"`). */
  readonly onLog?: ((message: LogMessage) => void) | undefined;
  readonly logLevel?: LoggingLevel | undefined;
  /** Further members of the request's `_meta`; keys of the protocol win. */
  readonly meta?: JsonObject | undefined;
  /**
   * For lists, reads and discovery: `"reload"` asks the server whatever is kept, and keeps the answer; `"no-store"` leaves
   * the cache alone. Default: `"default"`.
   */
  readonly cache?: "default" | "reload" | "no-store" | undefined;
  /**
   * How often the call may be sent again where no answer came, at most 5 times: reading, and tools that their server lists
   * as read-only or idempotent. Default: that of the client.
   */
  readonly retries?: number | undefined;
}

/** What a tool call gives: narrow by `isError` before reading `structuredContent`. */
export type ToolResult<R = unknown> = ToolSuccess<R> | ToolFailure;

export interface ToolSuccess<R = unknown> {
  readonly resultType: "complete";
  readonly content: readonly ContentBlock[];
  /** The value of the tool's `outputSchema`; `undefined` if it has none. */
  readonly structuredContent: R;
  readonly isError?: false | undefined;
  readonly _meta?: JsonObject | undefined;
}

/** The tool ran and failed; `content` says why, for the model to read. */
export interface ToolFailure {
  readonly resultType: "complete";
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: JsonValue | undefined;
  readonly isError: true;
  readonly _meta?: JsonObject | undefined;
}

type ArgsOf<V> = V extends { readonly args: infer A } ? A : never;
type ResultOf<V> = V extends { readonly result: infer R } ? R : never;

/** Arguments may be left out only where none is required. */
type Rest<A> = {} extends A
  ? [args?: A | undefined, options?: CallOptions | undefined]
  : [args: A, options?: CallOptions | undefined];

/**
 * An MCP client. `T` and `P` are the tools and prompts of the server's type, where it is known.
 *
 * Calls reject with an `RpcError` where the server answers with an error, with a `DecodeError` where it breaks the
 * specification, with a `TransportError` where there is no answer, and with the signal's reason where they were
 * cancelled or timed out. Close it, or use `await using`.
 */
export interface Client<T extends object = AnyTools, P extends object = AnyPrompts> {
  /** What the server is and offers. */
  discover(options?: CallOptions): Promise<DiscoverResult>;

  /** All tools, all pages. */
  listTools(options?: CallOptions): Promise<readonly Tool[]>;
  /** Tools as their pages come. */
  tools(options?: CallOptions): AsyncIterable<Tool>;
  callTool<const N extends keyof T & string>(
    name: N,
    ...rest: Rest<ArgsOf<T[N]>>
  ): Promise<ToolResult<ResultOf<T[N]>>>;

  listResources(options?: CallOptions): Promise<readonly Resource[]>;
  resources(options?: CallOptions): AsyncIterable<Resource>;
  listResourceTemplates(options?: CallOptions): Promise<readonly ResourceTemplate[]>;
  resourceTemplates(options?: CallOptions): AsyncIterable<ResourceTemplate>;
  readResource(uri: string, options?: CallOptions): Promise<ReadResourceResult>;

  listPrompts(options?: CallOptions): Promise<readonly Prompt[]>;
  prompts(options?: CallOptions): AsyncIterable<Prompt>;
  getPrompt<const N extends keyof P & string>(
    name: N,
    ...rest: Rest<ArgsOf<P[N]>>
  ): Promise<GetPromptResult>;

  /** Values for an argument of a prompt or a variable of a resource template. */
  complete(params: CompleteParams, options?: CallOptions): Promise<Completion>;

  /**
   * Hears of changes until it is closed; settles once the server accepts. Rejects like a call. What the client keeps of
   * lists and resources is dropped as they change.
   */
  listen(filter: SubscriptionFilter, options?: ListenOptions): Promise<Listening>;

  /** Ends the connection; calls under way reject. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The client of a server's type; of any server, where its tools are not known. */
export type ClientOf<S> = Client<ToolsOfServer<S>, PromptsOfServer<S>>;
