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
import { createDispatch, type Dispatch } from "./dispatch.ts";
import { Extensions } from "./extensions/extensions.ts";
import { CursorSeal } from "./lists/cursor.ts";
import { createDefinition, wrong } from "./lists/definition.ts";
import { Listening } from "./listening/listening.ts";
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
import type { RoundsOptions } from "./rounds/rounds.ts";
import { createKeyRing } from "./seal/key-ring.ts";
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
  readonly #subscriptions: Listening;
  readonly #settings: Settings;
  readonly #extensions = new Extensions();
  readonly #hasEngine: boolean;
  readonly #dispatch: Dispatch;
  #hasServed = false;
  #layers: readonly Middleware[] = [];
  #entrance: Exchange;
  #closed: Promise<void> | undefined;

  constructor({ instructions, ...info }: ServerInfo, options: ServerOptions) {
    const implementation = describe(info);
    this.#settings = createSettings(options);
    this.#hasEngine = options.engine !== undefined;
    const ring = createKeyRing(options.stateKeys);
    const meta =
      options.serverInfo === false
        ? undefined
        : Object.freeze({ [META_SERVER_INFO]: implementation });
    this.#runtime = {
      meta,
      running: new RunningCalls(this.#settings.handlerTimeoutMs),
      now: () => performance.now(),
      report: createFaultReport(options),
      extensions: this.#extensions,
      rounds: createRoundsLoader(options, { ring, meta, ttlMs: this.#settings.stateTtlMs }),
    };
    this.#registry = new Registry((kind) => {
      // What is registered before anyone calls is no change.
      if (this.#hasServed) this.#subscriptions.listChanged(kind);
    });
    this.#subscriptions = new Listening({
      registry: this.#registry,
      runtime: this.#runtime,
      hub: options.engine?.pubsub,
      maxStreams: this.#settings.maxListenStreams,
      maxStreamsPerPrincipal: this.#settings.maxListenStreamsPerPrincipal,
      topic: `bowline:changes:${info.name}`,
    });
    this.#dispatch = createDispatch({
      registry: this.#registry,
      runtime: this.#runtime,
      subscriptions: this.#subscriptions,
      seal: new CursorSeal(ring),
      settings: this.#settings,
      instructions,
    });
    this.#entrance = this.#dispatch.exchange;
  }

  readonly boundsSubscriptions = true;

  readonly exchange: Exchange = (call, context) => {
    if (this.#closed !== undefined) return Promise.reject(overloaded("the server is closing"));
    this.#hasServed = true;
    return this.#entrance(call, context);
  };

  headerParameters(toolName: string): readonly HeaderParameter[] {
    return this.#registry.tools.get(toolName)?.headers ?? [];
  }

  tool(name: string, config: ToolDefinition["config"], handler: ToolDefinition["handler"]): this {
    return this.add({ name, config, handler });
  }

  add(...tools: readonly ToolDefinition[]): this {
    const entries = tools.map((tool) => createToolEntry(this.#extensions.extendTool(tool)));
    const once = entries.find(({ isOnce }) => isOnce);
    if (once !== undefined && !this.#hasEngine)
      throw wrong(once.label, "once needs the option engine");
    this.#registry.add(this.#registry.tools, entries);
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
    this.#compose();
    return this;
  }

  extend(extension: Parameters<Extensions["add"]>[0]): this {
    this.#extensions.add(extension, this.#dispatch.isMethod);
    this.#compose();
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

  #compose(): void {
    const { isEmpty, layer } = this.#extensions;
    const layers = isEmpty ? this.#layers : [...this.#layers, layer];
    const exchange = composeMiddleware(layers, this.#dispatch.exchange);
    this.#entrance = guard(exchange, this.#runtime, this.#extensions);
  }

  async #close(): Promise<void> {
    const { running } = this.#runtime;
    this.#subscriptions.close();
    const timer = setTimeout(
      () => running.endAll(overloaded("the server is closing")),
      this.#settings.closeGraceMs,
    );
    await running.whenIdle();
    clearTimeout(timer);
  }
}

/** Loads the room of the input rounds once, with the first call that has or asks a question. */
function createRoundsLoader(
  { engine, onEvent = () => {} }: ServerOptions,
  options: Pick<RoundsOptions, "ring" | "meta" | "ttlMs">,
): Runtime["rounds"] {
  // Taken now: the fake timers of an author's test must not stop the rounds.
  const schedule = globalThis.setTimeout;
  let rounds: ReturnType<Runtime["rounds"]> | undefined;
  return () =>
    (rounds ??= import("./rounds/rounds.ts").then(
      ({ Rounds }) => new Rounds({ ...options, used: engine, onEvent, schedule }),
    ));
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
function guard(exchange: Exchange, runtime: Runtime, extensions: Extensions): Exchange {
  const refuse = (error: unknown, method: string): RpcError => toAnswer(error, runtime, method);
  return async (call, context) => {
    try {
      const result = assertResult(await exchange(call, context));
      if (extensions.isKnown(result.resultType, call)) return result;
      throw new TypeError(`${call.method} has no resultType ${result.resultType}`);
    } catch (error) {
      throw context.signal.aborted ? context.signal.reason : refuse(error, call.method);
    }
  };
}

function assertResult(value: unknown): Result {
  if (isResult(value)) return value;
  throw new TypeError("a middleware gave no result");
}

function isResult(value: unknown): value is Result {
  return isJsonObject(value) && typeof value["resultType"] === "string";
}
