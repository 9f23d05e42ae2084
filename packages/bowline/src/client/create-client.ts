import { assertOptions, type Known } from "../base/known-members.ts";
import { PACKAGE_VERSION } from "../base/version.ts";
import { MAX_TOTAL_TIMEOUT_MS, REQUEST_TIMEOUT_MS } from "../base/limits.ts";
import type { JsonObject } from "../json/value.ts";
import type { ClientCapabilities } from "../protocol/capabilities.ts";
import { toExchangeHolder } from "../protocol/exchange.ts";
import type { ExchangeSource } from "../protocol/exchange.ts";
import { isHeaderMismatch } from "../protocol/errors.ts";
import type { Implementation } from "../protocol/implementation.ts";
import type { Page } from "../protocol/pagination.ts";
import type { Result } from "../protocol/result.ts";
import type { CallOptions, Client, ClientOf } from "./client.ts";
import { collectPages, iteratePages } from "./pages.ts";
import { createRequester, type Requester } from "./request.ts";
import { assertShape, type ResultShape } from "./result.ts";
import * as shapes from "./result.ts";
import { ToolCatalogue, type OnWarning } from "./tool-catalogue.ts";

export interface ClientOptions {
  /** Told to servers for display and logs. */
  readonly info?: Implementation | undefined;
  /** What this client can do; sent with every request. */
  readonly capabilities?: ClientCapabilities | undefined;
  /** Longest silence before a call fails, in milliseconds. Default 60,000. */
  readonly timeoutMs?: number | undefined;
  /** Longest wait for one answer whatever its progress, in milliseconds. Default 300,000. */
  readonly maxTotalTimeoutMs?: number | undefined;
  /** Hears of tools that are left out of lists, and why. Default: the console. */
  readonly onWarning?: OnWarning | undefined;
  /** Ends what the exchange runs over; called once, by `client.close()`. */
  readonly onClose?: (() => Promise<void>) | undefined;
}

export const CLIENT_OPTIONS: Known<ClientOptions> = {
  info: "object",
  capabilities: "object",
  timeoutMs: "number",
  maxTotalTimeoutMs: "number",
  onWarning: "function",
  onClose: "function",
};

/**
 * A client over anything that answers calls: a server in the same process, or one end of a transport.
 *
 * Closing the client does not close a server given to it. Throws a `TypeError` for what answers no calls and for
 * options nobody reads.
 */
export function createClient<S extends ExchangeSource>(
  source: S,
  options: ClientOptions = {},
): ClientOf<S> {
  if (typeof source === "string" || source instanceof URL) {
    throw new TypeError("createClient: the first argument is a URL: await connect(url) reaches it");
  }
  assertOptions("createClient", options, CLIENT_OPTIONS);
  const { exchange, mirrorsArguments = false } = toExchangeHolder(source, "createClient");
  const requester = createRequester(exchange, {
    info: options.info ?? { name: "bowline", version: PACKAGE_VERSION },
    capabilities: options.capabilities ?? {},
    timeoutMs: options.timeoutMs ?? REQUEST_TIMEOUT_MS,
    maxTotalTimeoutMs: options.maxTotalTimeoutMs ?? MAX_TOTAL_TIMEOUT_MS,
  });
  const close = async (): Promise<void> => {
    requester.close();
    await options.onClose?.();
  };
  const catalogue = mirrorsArguments
    ? new ToolCatalogue(options.onWarning ?? warnOnConsole)
    : undefined;
  const lists = listMembers(requester, catalogue);
  const client: Client = {
    ...lists,
    ...callMembers(requester, toolCaller(requester, lists, catalogue)),
    close,
    [Symbol.asyncDispose]: close,
  };
  return client;
}

type ListMembers = Pick<
  Client,
  | "listTools"
  | "tools"
  | "listResources"
  | "resources"
  | "listResourceTemplates"
  | "resourceTemplates"
  | "listPrompts"
  | "prompts"
>;

function listMembers(requester: Requester, catalogue: ToolCatalogue | undefined): ListMembers {
  const list =
    <R extends Page, Item>(
      method: string,
      shape: ResultShape<R>,
      items: (page: R) => readonly Item[],
    ) =>
    (options?: CallOptions): AsyncGenerator<Item, void, undefined> =>
      iteratePages(method, async (cursor) => {
        const result = await requester.send(
          method,
          cursor === undefined ? {} : { cursor },
          options,
        );
        const page = assertShape(result, method, shape);
        return { items: items(page), nextCursor: page.nextCursor };
      });
  const tools = list(
    "tools/list",
    shapes.TOOLS,
    (page) => catalogue?.take(page.tools) ?? page.tools,
  );
  const resources = list("resources/list", shapes.RESOURCES, (page) => page.resources);
  const resourceTemplates = list(
    "resources/templates/list",
    shapes.RESOURCE_TEMPLATES,
    (page) => page.resourceTemplates,
  );
  const prompts = list("prompts/list", shapes.PROMPTS, (page) => page.prompts);
  return {
    tools,
    resources,
    resourceTemplates,
    prompts,
    listTools: (options) => collectPages(tools(options)),
    listResources: (options) => collectPages(resources(options)),
    listResourceTemplates: (options) => collectPages(resourceTemplates(options)),
    listPrompts: (options) => collectPages(prompts(options)),
  };
}

type ToolCaller = (name: string, args: object, options?: CallOptions) => Promise<Result>;

/**
 * Calls a tool with the arguments its definition marks, where the transport mirrors them. A server that
 * finds marks missing or outdated ran nothing: the tools are listed again, and the call is sent once more.
 */
function toolCaller(
  requester: Requester,
  lists: ListMembers,
  catalogue: ToolCatalogue | undefined,
): ToolCaller {
  return async (name, args, options) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- typed arguments have no index signature
    const params = { name, arguments: args as JsonObject };
    const send = (): Promise<Result> => {
      const headerParameters = catalogue?.parametersOf(name);
      return requester.send("tools/call", params, options, { headerParameters });
    };
    try {
      return await send();
    } catch (error) {
      if (catalogue === undefined || !isHeaderMismatch(error)) throw error;
      await lists.listTools({ signal: options?.signal });
      return send();
    }
  };
}

type CallMembers = Pick<
  Client,
  "discover" | "callTool" | "readResource" | "getPrompt" | "complete"
>;

function callMembers(requester: Requester, callTool: ToolCaller): CallMembers {
  const call = async <R>(
    method: string,
    shape: ResultShape<R>,
    params: object,
    options?: CallOptions,
  ): Promise<R & Result> =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- typed arguments have no index signature
    assertShape(await requester.send(method, params as JsonObject, options), method, shape);
  return {
    discover: (options) => call("server/discover", shapes.DISCOVER, {}, options),
    callTool: async (name, args, options) =>
      assertShape(await callTool(name, args ?? {}, options), "tools/call", shapes.TOOL_RESULT),
    readResource: (uri, options) => call("resources/read", shapes.READ_RESOURCE, { uri }, options),
    getPrompt: (name, args, options) =>
      call("prompts/get", shapes.PROMPT, { name, arguments: args ?? {} }, options),
    complete: async (params, options) =>
      (await call("completion/complete", shapes.COMPLETION, params, options)).completion,
  };
}

function warnOnConsole(message: string): void {
  // oxlint-disable-next-line no-console -- a tool that is missing without a word is worse than a line on the console
  console.warn(`bowline: ${message}`);
}
