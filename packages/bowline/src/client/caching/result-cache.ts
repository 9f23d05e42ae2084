import { MAX_CACHE_TTL_MS, MAX_LIST_PAGES } from "../../base/limits.ts";
import { isJsonObject } from "../../json/value.ts";
import type { SubscriptionNotification } from "../../protocol/subscriptions.ts";
import type { Result } from "../../protocol/result.ts";
import type { OnWarning } from "../tools/catalogue.ts";
import { Changes } from "./changes.ts";
import { cachedRequest, changedLists, pageKey, type Cached } from "./key.ts";
import type { CacheEntry, CacheStore } from "./store.ts";

export interface CacheSettings {
  readonly store: CacheStore;
  readonly partition: string;
  readonly staleOnErrorMs: number;
  readonly now: () => number;
  readonly warn: OnWarning;
  /** Of calls that name no times of their own. */
  readonly timeoutMs: number;
  readonly maxTotalTimeoutMs: number;
}

/** What one client knows from a store: entries that no change has made outdated. */
export class ResultCache {
  readonly #settings: CacheSettings;
  readonly #changes = new Changes();
  #isOpen = true;

  constructor(settings: CacheSettings) {
    this.#settings = settings;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  close(): void {
    this.#isOpen = false;
  }

  /** An entry that is fresh, or may serve where its server does not answer. */
  async find({ key, subject }: Cached): Promise<CacheEntry | undefined> {
    const { now, staleOnErrorMs, warn } = this.#settings;
    const found: unknown = await this.#try((store) => store.get(key));
    if (found === undefined) return undefined;
    if (!isEntry(found)) {
      warn(`the cache gave what is no entry for ${key}`);
      return undefined;
    }
    const { receivedAt, expiresAt } = found;
    // A clock that is ahead, of this process or of the one that wrote, must not lengthen what a server allowed.
    const isPlausible = receivedAt <= now() && expiresAt - receivedAt <= MAX_CACHE_TTL_MS;
    const isUsable = now() < expiresAt + staleOnErrorMs;
    return isPlausible && isUsable && !this.isOutdated(subject, receivedAt) ? found : undefined;
  }

  isFresh(entry: CacheEntry): boolean {
    return this.#settings.now() < entry.expiresAt;
  }

  /** Whether it has changed since. */
  isOutdated(subject: string, since: number): boolean {
    return this.#changes.isOutdated(subject, since);
  }

  /** Keeps a complete result that was asked for at `askedAt`. */
  keep({ key, subject }: Cached, result: Result, askedAt: number): void {
    if (this.isOutdated(subject, askedAt)) return;
    const { now, staleOnErrorMs } = this.#settings;
    const ttlMs = ttlOf(result);
    const receivedAt = now();
    const entry: CacheEntry = {
      result,
      cacheScope: result["cacheScope"] === "public" ? "public" : "private",
      receivedAt,
      expiresAt: receivedAt + ttlMs,
    };
    void this.#try((store) =>
      ttlMs > 0 || staleOnErrorMs > 0 ? store.set(key, entry) : store.delete(key),
    );
  }

  changed(notification: SubscriptionNotification): void {
    for (const method of changedLists(notification)) this.forgetList(method);
    if (notification.method !== "notifications/resources/updated") return;
    const { partition, now } = this.#settings;
    const read = cachedRequest(partition, "resources/read", { uri: notification.params.uri });
    if (read === undefined) return;
    this.#changes.note(read.subject, now());
    void this.#try((store) => store.delete(read.key));
  }

  /** All pages of a list are outdated from now on. */
  forgetList(method: string): void {
    this.#changes.note(method, this.#settings.now());
    void this.#deletePages(method);
  }

  /** For the sake of room, and of other processes with the same store: a page names the next one. */
  async #deletePages(method: string): Promise<void> {
    let key = pageKey(this.#settings.partition, method, null);
    for (let pages = 0; pages < MAX_LIST_PAGES; pages += 1) {
      // oxlint-disable-next-line no-await-in-loop -- the next page is not known before
      const page: unknown = await this.#try((store) => store.get(key));
      // oxlint-disable-next-line no-await-in-loop -- see above
      await this.#try((store) => store.delete(key));
      const cursor = isEntry(page) ? page.result["nextCursor"] : undefined;
      if (typeof cursor !== "string") return;
      key = pageKey(this.#settings.partition, method, cursor);
    }
  }

  /** A store that fails holds nothing. */
  async #try<T>(run: (store: CacheStore) => T | PromiseLike<T>): Promise<T | undefined> {
    try {
      return await run(this.#settings.store);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#settings.warn(`the cache failed: ${reason}`);
      return undefined;
    }
  }
}

/** Anything but a whole number above 0 is stale at once. */
function ttlOf({ ttlMs }: Result): number {
  const isPositive = typeof ttlMs === "number" && Number.isInteger(ttlMs) && ttlMs > 0;
  return isPositive ? Math.min(ttlMs, MAX_CACHE_TTL_MS) : 0;
}

/** A store may give back what another program, or an older one, has written. */
function isEntry(value: unknown): value is CacheEntry {
  if (!isJsonObject(value)) return false;
  const { result, receivedAt, expiresAt } = value;
  return (
    isJsonObject(result) &&
    (result["resultType"] === undefined || result["resultType"] === "complete") &&
    Number.isFinite(receivedAt) &&
    Number.isFinite(expiresAt)
  );
}
