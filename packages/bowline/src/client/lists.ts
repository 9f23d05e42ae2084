import type { MaybePromise } from "../base/maybe-promise.ts";
import { isInvalidParams } from "../protocol/errors.ts";
import type { Page } from "../protocol/pagination.ts";
import type { CallOptions, Client } from "./client.ts";
import { collectPages, iteratePages } from "./pages.ts";
import { assertShape, type ResultShape } from "./result.ts";
import * as shapes from "./result.ts";
import type { Send } from "./send.ts";
import type { ToolCatalogue } from "./tools/catalogue.ts";

export type ListMembers = Pick<
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

/** The members of a client that list: each as its pages come, and gathered. */
export function listMembers(send: Send, catalogue: ToolCatalogue): ListMembers {
  const list =
    <R extends Page, Item>(
      method: string,
      shape: ResultShape<R>,
      items: (page: R) => MaybePromise<readonly Item[]>,
    ) =>
    (options?: CallOptions): AsyncGenerator<Item, void, undefined> =>
      iteratePages(method, async (cursor) => {
        const result = await send(method, cursor === undefined ? {} : { cursor }, options);
        const page = assertShape(result, method, shape);
        return { items: await items(page), nextCursor: page.nextCursor };
      });
  const tools = list("tools/list", shapes.TOOLS, (page) => catalogue.take(page.tools));
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
    listTools: (options) => gather(tools, options),
    listResources: (options) => gather(resources, options),
    listResourceTemplates: (options) => gather(resourceTemplates, options),
    listPrompts: (options) => gather(prompts, options),
  };
}

/**
 * All items. A cursor that is refused is of a list that has changed since: what came before it is given up, and the server
 * is asked from the beginning, once.
 */
async function gather<Item>(
  list: (options?: CallOptions) => AsyncIterable<Item>,
  options: CallOptions | undefined,
): Promise<readonly Item[]> {
  const all: Item[] = [];
  try {
    for await (const item of list(options)) all.push(item);
    return all;
  } catch (error) {
    if (all.length === 0 || !isInvalidParams(error)) throw error;
    return collectPages(list({ ...options, cache: "reload" }));
  }
}
