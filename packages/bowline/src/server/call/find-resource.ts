import type { Principal } from "../../protocol/exchange.ts";
import type { matchUriTemplate } from "../../uri/match.ts";
import type { Context } from "../context.ts";
import { type Collection, isVisible } from "../lists/collection.ts";
import {
  isUri,
  type ReadableEntry,
  type ResourceEntry,
  type TemplateEntry,
  type TemplateVariables,
} from "../resource.ts";

/** What answers for a URI. */
export interface Found {
  readonly entry: ReadableEntry;
  readonly call: (context: Context) => unknown;
}

type Match = typeof matchUriTemplate;

/**
 * Finds what answers for a URI and is visible to the caller: a resource before a template, the first
 * template before others. At once but for the first URI that may be a template's: what matches comes
 * with it, because many servers have no templates.
 */
export class ResourceFinder {
  readonly #resources: Collection<ResourceEntry>;
  readonly #templates: Collection<TemplateEntry>;
  #match: Match | undefined;

  constructor(resources: Collection<ResourceEntry>, templates: Collection<TemplateEntry>) {
    this.#resources = resources;
    this.#templates = templates;
  }

  find(
    uri: string,
    principal: Principal | undefined,
  ): Found | undefined | Promise<Found | undefined> {
    const resource = this.#resources.get(uri);
    if (resource !== undefined && isVisible(resource, principal)) {
      return { entry: resource, call: (context) => resource.handler(context) };
    }
    if (this.#templates.size === 0 || !isUri(uri)) return undefined;
    return this.#match === undefined
      ? this.#load().then((match) => this.#search(match, uri, principal))
      : this.#search(this.#match, uri, principal);
  }

  #search(match: Match, uri: string, principal: Principal | undefined): Found | undefined {
    for (const { entry } of this.#templates.inOrder()) {
      const variables = match(entry.template, uri);
      if (variables === undefined || !isHarmless(variables) || !isVisible(entry, principal)) {
        continue;
      }
      return { entry, call: (context) => entry.handler(variables, context) };
    }
    return undefined;
  }

  async #load(): Promise<Match> {
    const { matchUriTemplate } = await import("../../uri/match.ts");
    return (this.#match ??= matchUriTemplate);
  }
}

/** NUL, a back-slash, or `..` as a whole segment: what makes a name into a way out of a folder. */
const TRAVERSAL = /[\0\\]|(?:^|\/)\.\.(?:\/|$)/;

function isHarmless(variables: TemplateVariables): boolean {
  return Object.values(variables).every((value) =>
    typeof value === "string"
      ? !TRAVERSAL.test(value)
      : !value.some((item) => TRAVERSAL.test(item)),
  );
}
