import type { RpcError } from "../base/errors.ts";
import { createFaultReport } from "../base/fault-report.ts";
import { isJsonObject, type JsonObject } from "../json/value.ts";
import type { Exchange } from "../protocol/exchange.ts";
import type { HeaderParameter } from "../protocol/header-parameters.ts";
import { overloaded } from "../protocol/errors.ts";
import { META_SERVER_INFO } from "../protocol/meta.ts";
import type { Result } from "../protocol/result.ts";
import { toAnswer } from "./call/fault.ts";
import { RunningCalls } from "./call/running-calls.ts";
import type { Runtime } from "./call/runtime.ts";
import type { ToolDefinition } from "./define-tool.ts";
import { createDispatch } from "./dispatch.ts";
import { CursorSeal } from "./lists/cursor.ts";
import { createDefinition, wrong } from "./lists/definition.ts";
import { Subscriptions } from "./listen.ts";
import { composeMiddleware, type Middleware } from "./middleware.ts";
import {
  assertInfo,
  createSettings,
  type ServerInfo,
  type ServerOptions,
  type Settings,
} from "./options.ts";
import { createPromptEntry, type PromptEntry } from "./prompt.ts";
import type { PromptConfig } from "./prompt-types.ts";
import { Registry } from "./registry.ts";
import {
  createResourceEntry,
  createTemplateEntry,
  type ResourceEntry,
  type TemplateEntry,
} from "./resource.ts";
import type { ResourceConfig, TemplateConfig } from "./resource-types.ts";
import type { Server } from "./server.ts";
import { createToolEntry } from "./tool.ts";

export type { ServerOptions } from "./options.ts";

/**
 * A server without anything on it yet. Serve it with `serveHttp`, `listen` or `serveStdio`, or hand it to
 * `createClient` as it is.
 *
 * Throws a `TypeError` or `RangeError` for a description or an option that makes no sense. `close()` ends
 * what it keeps open.
 *
 * @example
 * const server = createServer({ name: "clock", version: "1.0.0" }).tool(
 *   "now",
 *   { description: "Current time" },
 *   () => new Date().toISOString(),
 * );
 */
export function createServer(info: ServerInfo, options: ServerOptions = {}): Server {
  assertInfo(info);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the class knows nothing of the types that registration accumulates
  return new LiveServer(info, options) as unknown as Server;
}

class LiveServer {
  readonly #registry: Registry;
  readonly #runtime: Runtime;
  readonly #subscriptions: Subscriptions;
  readonly #settings: Settings;
  readonly #dispatch: Exchange;
  #layers: readonly Middleware[] = [];
  #entrance: Exchange;
  #closed: Promise<void> | undefined;

  constructor({ instructions, ...info }: ServerInfo, options: ServerOptions) {
    const implementation = describe(info);
    this.#settings = createSettings(options);
    this.#runtime = {
      meta:
        options.serverInfo === false
          ? undefined
          : Object.freeze({ [META_SERVER_INFO]: implementation }),
      running: new RunningCalls(this.#settings.handlerTimeoutMs),
      now: () => performance.now(),
      report: createFaultReport(options),
    };
    this.#registry = new Registry((kind) => this.#subscriptions.listChanged(kind));
    this.#subscriptions = new Subscriptions(this.#registry, this.#runtime);
    this.#dispatch = createDispatch({
      registry: this.#registry,
      runtime: this.#runtime,
      subscriptions: this.#subscriptions,
      seal: new CursorSeal(options.cursorKey),
      settings: this.#settings,
      instructions,
    });
    this.#entrance = this.#dispatch;
  }

  readonly exchange: Exchange = (call, context) =>
    this.#closed === undefined
      ? this.#entrance(call, context)
      : Promise.reject(overloaded("the server is closing"));

  headerParameters(toolName: string): readonly HeaderParameter[] {
    return this.#registry.tools.get(toolName)?.headers ?? [];
  }

  tool(name: string, config: ToolDefinition["config"], handler: ToolDefinition["handler"]): this {
    return this.add({ name, config, handler });
  }

  add(...tools: readonly ToolDefinition[]): this {
    this.#registry.add(this.#registry.tools, tools.map(createToolEntry));
    return this;
  }

  prompt(name: string, config: PromptConfig, handler: PromptEntry["handler"]): this {
    this.#registry.add(this.#registry.prompts, [createPromptEntry(name, config, handler)]);
    return this;
  }

  resource(uri: string, config: ResourceConfig, handler: ResourceEntry["handler"]): this {
    this.#registry.add(this.#registry.resources, [createResourceEntry(uri, config, handler)]);
    return this;
  }

  resourceTemplate(
    template: string,
    config: TemplateConfig,
    handler: TemplateEntry["handler"],
  ): this {
    const entry = createTemplateEntry(template, config, handler);
    this.#registry.add(this.#registry.templates, [entry]);
    return this;
  }

  use(middleware: Middleware): this {
    if (typeof middleware !== "function") throw new TypeError("use: that is not a function");
    this.#layers = [...this.#layers, middleware];
    this.#entrance = guard(composeMiddleware(this.#layers, this.#dispatch), this.#runtime);
    return this;
  }

  removeTool(name: string): boolean {
    return this.#registry.remove(this.#registry.tools, name);
  }

  removePrompt(name: string): boolean {
    return this.#registry.remove(this.#registry.prompts, name);
  }

  removeResource(uri: string): boolean {
    return this.#registry.remove(this.#registry.resources, uri);
  }

  removeResourceTemplate(template: string): boolean {
    return this.#registry.remove(this.#registry.templates, template);
  }

  resourceUpdated(uri: string): void {
    this.#subscriptions.resourceUpdated(uri);
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    const { running } = this.#runtime;
    this.#subscriptions.endAll();
    const timer = setTimeout(
      () => running.endAll(overloaded("the server is closing")),
      this.#settings.closeGraceMs,
    );
    await running.whenIdle();
    clearTimeout(timer);
  }
}

function describe(info: Omit<ServerInfo, "instructions">): JsonObject {
  for (const member of ["name", "version"] as const) {
    if (typeof info[member] !== "string" || info[member] === "") {
      throw wrong("server", `${member} is empty or not a string`);
    }
  }
  return createDefinition("server", info);
}

/** Middleware is code of the author like any handler: what it throws or returns wrongly is answered, too. */
function guard(exchange: Exchange, runtime: Runtime): Exchange {
  const refuse = (error: unknown, method: string): RpcError => toAnswer(error, runtime, method);
  return async (call, context) => {
    try {
      return assertResult(await exchange(call, context));
    } catch (error) {
      throw context.signal.aborted ? context.signal.reason : refuse(error, call.method);
    }
  };
}

function assertResult(value: unknown): Result {
  if (isResult(value)) return value;
  throw new TypeError("a middleware gave something that is no result");
}

function isResult(value: unknown): value is Result {
  return isJsonObject(value) && typeof value["resultType"] === "string";
}
