import { isJsonObject } from "../../json/value.ts";
import type { CacheEntry, CacheStore } from "./store.ts";

export interface MemoryStoreLimits {
  readonly maxEntries: number;
  /** Estimated: characters, and a little for every value. */
  readonly maxBytes: number;
}

interface Kept {
  readonly entry: CacheEntry;
  readonly bytes: number;
}

/** What a value takes besides its characters. */
const VALUE_BYTES = 16;

/** Keeps entries in this process. Where there is no room, what was used longest ago goes first. */
export class MemoryStore implements CacheStore {
  /** In the order of use. */
  readonly #kept = new Map<string, Kept>();
  readonly #limits: MemoryStoreLimits;
  #bytes = 0;

  constructor(limits: MemoryStoreLimits) {
    this.#limits = limits;
  }

  get(key: string): CacheEntry | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.entry;
  }

  set(key: string, entry: CacheEntry): void {
    this.delete(key);
    const bytes = key.length + sizeOf(entry.result);
    // One that is too large would only push out all others.
    if (bytes > this.#limits.maxBytes) return;
    this.#kept.set(key, { entry, bytes });
    this.#bytes += bytes;
    this.#makeRoom();
  }

  delete(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0;
    this.#kept.delete(key);
  }

  #makeRoom(): void {
    const { maxEntries, maxBytes } = this.#limits;
    for (const key of this.#kept.keys()) {
      if (this.#kept.size <= maxEntries && this.#bytes <= maxBytes) return;
      this.delete(key);
    }
  }
}

/** Recursion is safe: what is kept was copied with a bound on its depth. */
function sizeOf(value: unknown): number {
  if (typeof value === "string") return VALUE_BYTES + value.length;
  if (Array.isArray(value)) return value.reduce(addSize, VALUE_BYTES);
  if (!isJsonObject(value)) return VALUE_BYTES;
  return Object.entries(value).reduce(
    (sum, [name, member]) => sum + name.length + sizeOf(member),
    VALUE_BYTES,
  );
}

const addSize = (sum: number, value: unknown): number => sum + sizeOf(value);
