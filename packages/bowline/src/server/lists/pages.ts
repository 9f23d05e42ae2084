import type { JsonObject } from "../../json/value.ts";
import type { Call } from "../../protocol/call.ts";
import type { CacheHints } from "../../protocol/caching.ts";
import { principalKey, type CallContext, type Principal } from "../../protocol/exchange.ts";
import { type Result, withEncoding } from "../../protocol/result.ts";
import { invalidParams } from "../../protocol/errors.ts";
import { type Collection, type Entry, isVisible, type Placed } from "./collection.ts";
import type { CursorSeal } from "./cursor.ts";

export interface ListerOptions {
  readonly pageSize: number;
  readonly hints: CacheHints;
  readonly seal: CursorSeal;
  readonly meta: JsonObject | undefined;
}

export type Lister = (call: Call, context: CallContext) => Result | Promise<Result>;

/**
 * Answers the list requests for one collection.
 *
 * Where everyone sees the same, a page is made and encoded once for each version of the list, and asking for
 * the first page costs a look-up. A list with hidden entries is put together for each caller, is always
 * private, and its cursors are bound to the caller.
 */
export function createLister<E extends Entry>(
  collection: Collection<E>,
  options: ListerOptions,
): Lister {
  const { seal } = options;
  let version = -1;
  let pages = new Map<string | undefined, Result | Promise<Result>>();

  const shared = (cursor: string | undefined): Result | Promise<Result> => {
    if (version !== collection.version) {
      version = collection.version;
      pages = new Map();
    }
    const known = pages.get(cursor);
    if (known !== undefined) return known;
    if (cursor === undefined) return remember(pages, cursor, createPage(0));
    const target = pages;
    return seal
      .open(cursor, collection.kind)
      .then((place) => remember(target, cursor, createPage(place)));
  };

  const createPage = (after: number): Result | Promise<Result> =>
    buildPage(collection, collection.inOrder(), { ...options, after, boundTo: collection.kind });

  return (call, context) => {
    const { cursor } = call.params;
    if (cursor !== undefined && typeof cursor !== "string") {
      throw invalidParams("params.cursor is not a string");
    }
    return collection.isRestricted
      ? listFor(collection, context.principal, cursor, options)
      : shared(cursor);
  };
}

type Pages = Map<string | undefined, Result | Promise<Result>>;

/** Keeps a page for the next caller: its promise while the cursor of the next page is being sealed. */
function remember(
  pages: Pages,
  cursor: string | undefined,
  page: Result | Promise<Result>,
): Result | Promise<Result> {
  if (!(page instanceof Promise)) {
    const encoded = encode(page);
    pages.set(cursor, encoded);
    return encoded;
  }
  const pending = page.then((result) => {
    const encoded = encode(result);
    pages.set(cursor, encoded);
    return encoded;
  });
  pages.set(cursor, pending);
  pending.catch(() => pages.delete(cursor));
  return pending;
}

function encode(result: Result): Result {
  const text = JSON.stringify(result);
  return Object.freeze(withEncoding(result, { text, bytes: new TextEncoder().encode(text) }));
}

async function listFor<E extends Entry>(
  collection: Collection<E>,
  principal: Principal | undefined,
  cursor: string | undefined,
  options: ListerOptions,
): Promise<Result> {
  const boundTo = `${collection.kind} ${principalKey(principal)}`;
  const after = cursor === undefined ? 0 : await options.seal.open(cursor, boundTo);
  const visible = collection.inOrder().filter(({ entry }) => isVisible(entry, principal));
  const hints: CacheHints = { ...options.hints, cacheScope: "private" };
  return buildPage(collection, visible, { ...options, hints, after, boundTo });
}

interface PageOptions extends ListerOptions {
  readonly after: number;
  readonly boundTo: string;
}

function buildPage<E extends Entry>(
  collection: Collection<E>,
  placed: readonly Placed<E>[],
  options: PageOptions,
): Result | Promise<Result> {
  const { after, boundTo, hints, meta, pageSize, seal } = options;
  const start = firstAfter(placed, after);
  const items = placed.slice(start, start + pageSize);
  const create = (nextCursor: string | undefined): Result => ({
    resultType: "complete",
    [collection.kind]: Object.freeze(items.map(({ entry }) => entry.definition)),
    ...(nextCursor === undefined ? {} : { nextCursor }),
    ttlMs: hints.ttlMs,
    cacheScope: hints.cacheScope,
    ...(meta === undefined ? {} : { _meta: meta }),
  });
  const last = items.at(-1);
  if (last === undefined || start + items.length >= placed.length) return create(undefined);
  return seal.seal(last.place, boundTo).then(create);
}

/** Index of the first entry behind a place; entries that are gone do not matter. */
function firstAfter(placed: readonly Placed<Entry>[], after: number): number {
  let low = 0;
  let high = placed.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((placed[middle]?.place ?? 0) > after) high = middle;
    else low = middle + 1;
  }
  return low;
}
