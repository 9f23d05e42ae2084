import { PACKAGE_VERSION } from "../base/version.ts";
import { MAX_TOTAL_TIMEOUT_MS, REQUEST_TIMEOUT_MS } from "../base/limits.ts";
import type { JsonObject } from "../json/value.ts";
import type { ClientCapabilities } from "../protocol/capabilities.ts";
import { toExchangeHolder } from "../protocol/exchange.ts";
import type { ExchangeSource } from "../protocol/exchange.ts";
import type { Implementation } from "../protocol/implementation.ts";
import type { Page } from "../protocol/pagination.ts";
import type { Result } from "../protocol/result.ts";
import type { CallOptions, Client, ClientOf } from "./client.ts";
import { collectPages, iteratePages } from "./pages.ts";
import { createRequester, type Requester } from "./request.ts";
import { assertShape, type ResultShape } from "./result.ts";
import * as shapes from "./result.ts";

export interface ClientOptions {
  /** Told to servers for display and logs. */
  readonly info?: Implementation | undefined;
  /** What this client can do; sent with every request. */
  readonly capabilities?: ClientCapabilities | undefined;
  /** Longest silence before a call fails, in milliseconds. Default 60,000. */
  readonly timeoutMs?: number | undefined;
  /** Longest wait for one answer whatever its progress, in milliseconds. Default 300,000. */
  readonly maxTotalTimeoutMs?: number | undefined;
  /** Ends what the exchange runs over; called once, by `client.close()`. */
  readonly onClose?: (() => Promise<void>) | undefined;
}

/**
 * A client over anything that answers calls: a server in the same process, or one end of a transport.
 *
 * Closing the client does not close a server given to it.
 */
export function createClient<S extends ExchangeSource>(
  source: S,
  options: ClientOptions = {},
): ClientOf<S> {
  const requester = createRequester(toExchangeHolder(source).exchange, {
    info: options.info ?? { name: "bowline", version: PACKAGE_VERSION },
    capabilities: options.capabilities ?? {},
    timeoutMs: options.timeoutMs ?? REQUEST_TIMEOUT_MS,
    maxTotalTimeoutMs: options.maxTotalTimeoutMs ?? MAX_TOTAL_TIMEOUT_MS,
  });
  const close = async (): Promise<void> => {
    requester.close();
    await options.onClose?.();
  };
  const client: Client = {
    ...listMembers(requester),
    ...callMembers(requester),
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

function listMembers(requester: Requester): ListMembers {
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
  const tools = list("tools/list", shapes.TOOLS, (page) => page.tools);
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

type CallMembers = Pick<
  Client,
  "discover" | "callTool" | "readResource" | "getPrompt" | "complete"
>;

function callMembers(requester: Requester): CallMembers {
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
    callTool: (name, args, options) =>
      call("tools/call", shapes.TOOL_RESULT, { name, arguments: args ?? {} }, options),
    readResource: (uri, options) => call("resources/read", shapes.READ_RESOURCE, { uri }, options),
    getPrompt: (name, args, options) =>
      call("prompts/get", shapes.PROMPT, { name, arguments: args ?? {} }, options),
    complete: async (params, options) =>
      (await call("completion/complete", shapes.COMPLETION, params, options)).completion,
  };
}
