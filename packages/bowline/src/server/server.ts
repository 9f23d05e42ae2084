import type { MaybePromise } from "../base/maybe-promise.ts";
import type { Exchange } from "../protocol/exchange.ts";
import type { HeaderParameter } from "../protocol/header-parameters.ts";
import type { PromptTypes, ToolTypes } from "../schema/registered.ts";
import type { Schema } from "../schema/schema.ts";
import type { VariablesOf } from "../uri/variables.ts";
import type { Context } from "./context.ts";
import type { ToolDefinition, ToolsOf } from "./define-tool.ts";
import type { Extension } from "./extensions/extension.ts";
import type { Middleware } from "./middleware.ts";
import type { ArgsSchema, PromptConfig, PromptReturn } from "./prompt-types.ts";
import type { ResourceConfig, ResourceReturn, TemplateConfig } from "./resource-types.ts";
import type {
  ArgumentsOf,
  GotFrom,
  ReturnOf,
  SentTo,
  ToolConfig,
  ToolReturn,
} from "./tool-types.ts";

/**
 * An MCP server: an exchange that answers every request from one registry and remembers no peer.
 *
 * Registration chains and adds to the type, so that a client made with `typeof server` knows the tools
 * and prompts (`T`, `P`, by name). `K` and `C` are what extensions add to a tool's configuration and to a handler's
 * context. Registering throws a `TypeError` that names the tool, prompt or resource and what is wrong.
 */
export interface Server<T extends object = {}, P extends object = {}, K = {}, C = {}> {
  /** For the compiler only; never set. */
  readonly "~tools"?: T;
  /** For the compiler only; never set. */
  readonly "~prompts"?: P;
  /** For the compiler only; never set. */
  readonly "~extended"?: { readonly config: K; readonly context: C };

  /** Answers a call; what transports and in-memory clients use. */
  readonly exchange: Exchange;
  /** Arguments of a tool that HTTP clients mirror in headers; none for an unknown tool. */
  headerParameters(toolName: string): readonly HeaderParameter[];

  /** Registers a tool. Its handler gets checked arguments; what it throws is answered, never lost. */
  tool<
    const N extends string,
    const I extends Schema | undefined = undefined,
    const O extends Schema | undefined = undefined,
  >(
    name: N,
    config: ToolConfig<I, O> & K,
    handler: (
      args: ArgumentsOf<I>,
      ctx: Context & C,
    ) => MaybePromise<ToolReturn<ReturnOf<NoInfer<O>>>>,
  ): Server<T & { readonly [X in N]: ToolTypes<SentTo<I>, GotFrom<O>> }, P, K, C>;

  /** Registers tools made with `defineTool`; all of them, or none if one is refused. */
  add<const D extends readonly ToolDefinition[]>(
    ...tools: D
  ): Server<T & ToolsOf<D[number]>, P, K, C>;

  /** Registers a prompt. */
  prompt<const N extends string, const A extends ArgsSchema | undefined = undefined>(
    name: N,
    config: PromptConfig<A>,
    handler: (args: ArgumentsOf<A>, ctx: Context & C) => MaybePromise<PromptReturn>,
  ): Server<T, P & { readonly [X in N]: PromptTypes<SentTo<A>> }, K, C>;

  /** Registers a resource under a fixed URI. */
  resource(
    uri: string,
    config: ResourceConfig,
    handler: (ctx: Context & C) => MaybePromise<ResourceReturn>,
  ): Server<T, P, K, C>;

  /** Registers all resources whose URI matches an RFC 6570 template. */
  resourceTemplate<const U extends string>(
    template: U,
    config: TemplateConfig<VariablesOf<U>>,
    handler: (variables: VariablesOf<U>, ctx: Context & C) => MaybePromise<ResourceReturn>,
  ): Server<T, P, K, C>;

  /** Wraps every method, discovery and subscriptions included; the one added first is outermost. */
  use(middleware: Middleware): Server<T, P, K, C>;

  /**
   * Adds what goes beyond the core of the protocol. Comes before the tools that use its members. Throws a `TypeError`
   * for an extension that is there already, or that takes what another one has.
   */
  extend<K2 extends object, C2 extends object>(
    extension: Extension<K2, C2>,
  ): Server<T, P, K & K2, C & C2>;

  /** Takes a tool out and tells listeners; `false` if there was none. The static type keeps it. */
  removeTool(name: string): boolean;
  removePrompt(name: string): boolean;
  removeResource(uri: string): boolean;
  removeResourceTemplate(template: string): boolean;

  /** Tells subscribers of a resource that it changed. */
  resourceUpdated(uri: string): void;

  /** Ends subscriptions with their final results and refuses further calls. */
  close(): Promise<void>;
}
