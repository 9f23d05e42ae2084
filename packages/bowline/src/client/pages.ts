import { DecodeError, LimitError } from "../base/errors.ts";
import { MAX_LIST_ITEMS, MAX_LIST_PAGES } from "../base/limits.ts";

/** One page of a list, and where the next one begins. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  /** Absent on the last page; the empty string is a cursor like any other. */
  readonly nextCursor?: string | undefined;
}

export type FetchPage<Item> = (cursor: string | undefined) => Promise<ListPage<Item>>;

/**
 * Items of a list as its pages come. Ends with a `LimitError` at 64 pages or 10,000 items, and with a
 * `DecodeError` if a cursor comes a second time.
 */
export async function* iteratePages<Item>(
  method: string,
  fetchPage: FetchPage<Item>,
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set<string>();
  let cursor: string | undefined;
  let items = 0;
  for (let pages = 1; pages <= MAX_LIST_PAGES; pages += 1) {
    // A page names the next one, so they cannot be fetched side by side.
    // oxlint-disable-next-line no-await-in-loop
    const page = await fetchPage(cursor);
    items += page.items.length;
    if (items > MAX_LIST_ITEMS) {
      throw new LimitError(
        "maxListItems",
        MAX_LIST_ITEMS,
        `${method}: more than ${MAX_LIST_ITEMS} items`,
      );
    }
    yield* page.items;
    cursor = page.nextCursor;
    if (cursor === undefined) return;
    if (seen.has(cursor)) throw new DecodeError(`${method}: the server repeats a cursor`);
    seen.add(cursor);
  }
  throw new LimitError(
    "maxListPages",
    MAX_LIST_PAGES,
    `${method}: more than ${MAX_LIST_PAGES} pages`,
  );
}

/** The whole list. */
export async function collectPages<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
