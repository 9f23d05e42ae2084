import { fitsBytes } from "../base/bytes.ts";
import type { RpcError } from "../base/errors.ts";
import type { Known } from "../base/known-members.ts";
import { MAX_URI_BYTES } from "../base/limits.ts";
import type { CacheHints } from "../protocol/caching.ts";
import { invalidParams } from "../protocol/errors.ts";
import { parseUriTemplate, type UriTemplate } from "../uri/template.ts";
import { completersOf } from "./call/completers.ts";
import type { Context } from "./context.ts";
import type { Entry } from "./lists/collection.ts";
import {
  assertConfig,
  assertHandler,
  assertName,
  createDefinition,
  DESCRIBED,
  visibilityOf,
  wrong,
} from "./lists/definition.ts";
import type { Completer } from "./prompt-types.ts";
import type { ResourceConfig, TemplateConfig } from "./resource-types.ts";
import { DEFAULT_HINTS, withHints } from "./results/cache-hints.ts";

/** What resources and templates have in common. */
export interface ReadableEntry extends Entry {
  readonly mimeType: string | undefined;
  readonly hints: CacheHints;
}

/** A registered resource. */
export interface ResourceEntry extends ReadableEntry {
  readonly handler: (ctx: Context) => unknown;
}

/** A registered template. */
export interface TemplateEntry extends ReadableEntry {
  readonly template: UriTemplate;
  /** Names of its variables. */
  readonly names: ReadonlySet<string>;
  readonly completers: ReadonlyMap<string, Completer>;
  readonly handler: (variables: TemplateVariables, ctx: Context) => unknown;
}

export interface TemplateVariables {
  readonly [name: string]: string | readonly string[];
}

/** A scheme, and then the characters of RFC 3986 alone. */
const URI = /^[a-z][a-z\d+.-]*:(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[\da-f]{2})*$/i;

export const isUri = (text: string): boolean => fitsBytes(text, MAX_URI_BYTES) && URI.test(text);

/**
 * The answer for a resource that does not exist, to be thrown by a handler that finds nothing under a URI. Hidden
 * resources are answered the same way.
 */
export function resourceNotFound(uri: string): RpcError {
  return invalidParams(`resource ${JSON.stringify(uri)} not found`, { uri });
}

const READABLE = {
  ...DESCRIBED,
  name: "any",
  mimeType: "any",
  annotations: "any",
  cacheHints: "object",
} as const;
const CONFIG: Known<ResourceConfig> = { ...READABLE, size: "any" };
const TEMPLATE_CONFIG: Known<TemplateConfig> = { ...READABLE, complete: "object" };

/** Checks a resource. Throws a `TypeError` that starts with its URI. */
export function createResourceEntry(
  uri: string,
  config: ResourceConfig,
  handler: ResourceEntry["handler"],
): ResourceEntry {
  const label = `resource ${JSON.stringify(uri)}`;
  if (typeof uri !== "string" || !isUri(uri)) throw wrong(label, "that is not an absolute URI");
  assertConfig(label, config, CONFIG);
  const { size } = config;
  if (size !== undefined && !(Number.isSafeInteger(size) && size >= 0)) {
    throw wrong(label, "size is not a whole number of bytes");
  }
  assertHandler(label, handler);
  return { ...createReadable(label, uri, config, { uri, size }), handler };
}

/** Checks a template. Throws a `TypeError` that starts with it. */
export function createTemplateEntry(
  source: string,
  config: TemplateConfig,
  handler: TemplateEntry["handler"],
): TemplateEntry {
  const label = `resource template ${JSON.stringify(source)}`;
  assertConfig(label, config, TEMPLATE_CONFIG);
  assertHandler(label, handler);
  const template = parse(label, source);
  const names = new Set(template.variables.map(({ name }) => name));
  return {
    ...createReadable(label, source, config, { uriTemplate: source }),
    handler,
    template,
    names,
    completers: completersOf(label, { complete: config.complete, names }),
  };
}

function parse(label: string, source: string): UriTemplate {
  try {
    return parseUriTemplate(source);
  } catch (cause) {
    throw new TypeError(`${label}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

function createReadable(
  label: string,
  key: string,
  config: ResourceConfig | TemplateConfig,
  own: object,
): ReadableEntry {
  const { title, description, mimeType, annotations, icons, _meta } = config;
  const name = config.name ?? key;
  if (config.name !== undefined) assertName(label, name);
  if (mimeType !== undefined && typeof mimeType !== "string") {
    throw wrong(label, "mimeType is not a string");
  }
  const members = { ...own, name, title, description, mimeType, icons, annotations, _meta };
  return {
    key,
    label,
    definition: createDefinition(label, members),
    visibility: visibilityOf(label, config),
    mimeType,
    hints: withHints(DEFAULT_HINTS, config.cacheHints),
  };
}
