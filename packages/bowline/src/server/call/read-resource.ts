import type { MaybePromise } from "../../base/maybe-promise.ts";
import { invalidParams } from "../../protocol/errors.ts";
import type { Result } from "../../protocol/result.ts";
import type { Principal } from "../../protocol/exchange.ts";
import { type Context, HandlerContext } from "../context.ts";
import { isVisible, type Placed } from "../lists/collection.ts";
import type { Registry } from "../registry.ts";
import {
  isUri,
  type ReadableEntry,
  resourceNotFound,
  type TemplateEntry,
  type TemplateVariables,
} from "../resource.ts";
import { resourceToResult } from "../results/resource-result.ts";
import type { MethodHandler } from "./method.ts";
import { isPromiseLike, run, type Work } from "./run.ts";
import type { Runtime } from "./runtime.ts";

interface Found {
  readonly uri: string;
  readonly entry: ReadableEntry;
  readonly call: (context: Context) => unknown;
}

/**
 * What answers for a URI and is visible to the caller: a resource before a template, the first template before others.
 * A promise only where templates have to be tried.
 */
export function findResource(
  registry: Registry,
  uri: string,
  principal: Principal | undefined,
): MaybePromise<Found | undefined> {
  const resource = registry.resources.get(uri);
  if (resource !== undefined && isVisible(resource, principal)) {
    return { uri, entry: resource, call: (context) => resource.handler(context) };
  }
  const templates = registry.templates.inOrder();
  return templates.length > 0 && isUri(uri) ? findTemplate(templates, uri, principal) : undefined;
}

async function findTemplate(
  templates: readonly Placed<TemplateEntry>[],
  uri: string,
  principal: Principal | undefined,
): Promise<Found | undefined> {
  // Most servers have no templates, and never need it.
  const { matchUriTemplate } = await import("../../uri/match.ts");
  for (const { entry } of templates) {
    const match = matchUriTemplate(entry.template, uri);
    if (match === undefined || !isHarmless(match) || !isVisible(entry, principal)) continue;
    return { uri, entry, call: (context) => entry.handler(match, context) };
  }
  return undefined;
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

/** Answers `resources/read`. */
export function createResourceReader(registry: Registry, runtime: Runtime): MethodHandler {
  const { meta } = runtime;
  const work: Work<Found, undefined> = {
    start: (found, _input, context) => found.call(context),
    convert: ({ entry, uri }, value) =>
      resourceToResult(value, { uri, mimeType: entry.mimeType, hints: entry.hints, meta }),
  };
  return (call, transport) => {
    const { uri } = call.params;
    if (typeof uri !== "string") throw invalidParams("params.uri is not a string");
    const read = (found: Found | undefined): Result | Promise<Result> => {
      if (found === undefined) throw resourceNotFound(uri);
      const context = new HandlerContext(runtime, call, transport);
      return run(work, found, undefined, { runtime, context });
    };
    const found = findResource(registry, uri, transport.principal);
    return isPromiseLike(found) ? Promise.resolve(found).then(read) : read(found);
  };
}
