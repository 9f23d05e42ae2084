import { NoteError } from "./path.ts";
import { excerpt, SearchIndex } from "./search.ts";
import type { NoteStore } from "./store.ts";

export interface Hit {
  readonly path: string;
  readonly title: string;
  readonly excerpt: string;
}

/** Told of every change, as soon as it is on disk and in the index. */
export interface LibraryListener {
  readonly onAdded: (path: string) => void;
  readonly onRemoved: (path: string) => void;
  readonly onChanged: (path: string) => void;
}

export interface IndexingOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number, path: string) => Promise<void>;
}

export interface IndexSummary {
  readonly notes: number;
  readonly words: number;
}

/** A store of notes and the index over it, kept in step. */
export class Library {
  readonly store: NoteStore;
  readonly #listener: LibraryListener;
  #index = new SearchIndex();
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: NoteStore, listener: LibraryListener) {
    this.store = store;
    this.#listener = listener;
  }

  get paths(): readonly string[] {
    return this.#index.paths.toSorted();
  }

  titleOf(path: string): string {
    return this.#index.get(path)?.title ?? path;
  }

  /** The best notes for a query, and how many there are in all. */
  async search(query: string, limit: number): Promise<{ hits: readonly Hit[]; total: number }> {
    const ranked = this.#index.search(query);
    const hits = await Promise.all(
      ranked.slice(0, limit).map(async ({ path }) => {
        // A note may have gone since it was indexed: then there is nothing to quote from.
        const text = (await this.#read(path)) ?? "";
        return { path, title: this.titleOf(path), excerpt: excerpt(text, query) };
      }),
    );
    return { hits, total: ranked.length };
  }

  create(path: string, text: string): Promise<void> {
    return this.#inTurn(async () => {
      await this.store.create(path, text);
      this.#take(path, text);
    });
  }

  /** Gives the whole text of the note as it is then. */
  append(path: string, text: string): Promise<string> {
    return this.#inTurn(async () => {
      await this.store.append(path, text);
      const whole = await this.store.read(path);
      this.#take(path, whole);
      return whole;
    });
  }

  rename(from: string, to: string): Promise<void> {
    return this.#inTurn(async () => {
      await this.store.rename(from, to);
      this.#drop(from);
      this.#take(to, await this.store.read(to));
    });
  }

  delete(path: string): Promise<void> {
    return this.#inTurn(async () => {
      await this.store.delete(path);
      this.#drop(path);
    });
  }

  /** Reads the whole folder again and tells of what others changed in it. */
  reindex({ signal, onProgress }: IndexingOptions = {}): Promise<IndexSummary> {
    return this.#inTurn(async () => {
      const paths = await this.store.list();
      const gone = new Set(this.#index.paths);
      for (const [at, path] of paths.entries()) {
        signal?.throwIfAborted();
        // oxlint-disable-next-line no-await-in-loop -- one note in memory at a time
        const text = await this.#read(path);
        if (text !== undefined) {
          gone.delete(path);
          this.#take(path, text);
        }
        // oxlint-disable-next-line no-await-in-loop -- as above
        await onProgress?.(at + 1, paths.length, path);
      }
      for (const path of gone) this.#drop(path);
      return { notes: this.#index.paths.length, words: this.#index.distinctWords };
    });
  }

  #take(path: string, text: string): void {
    const before = this.#index.get(path);
    this.#index.set(path, text);
    const now = this.#index.get(path);
    if (before?.digest === now?.digest) return;
    if (before !== undefined && before.title === now?.title) {
      this.#listener.onChanged(path);
      return;
    }
    // The title is part of the list: a note with another one is listed anew.
    if (before !== undefined) this.#listener.onRemoved(path);
    this.#listener.onAdded(path);
    if (before !== undefined) this.#listener.onChanged(path);
  }

  #drop(path: string): void {
    if (this.#index.get(path) === undefined) return;
    this.#index.delete(path);
    this.#listener.onRemoved(path);
  }

  /** The text of a note; undefined if it is gone, or is no text. */
  async #read(path: string): Promise<string | undefined> {
    try {
      return await this.store.read(path);
    } catch (error) {
      if (error instanceof NoteError) return undefined;
      throw error;
    }
  }

  /** Changes come one after the other, so that the index never takes in an older state. */
  #inTurn<R>(change: () => Promise<R>): Promise<R> {
    const done = this.#last.then(change);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
