import { createHash } from "node:crypto";

/** What is known of a note. */
export interface Entry {
  readonly title: string;
  /** Changes with the text. */
  readonly digest: string;
  /** Words in all. */
  readonly length: number;
  /** How often each word occurs. */
  readonly counts: ReadonlyMap<string, number>;
}

export interface Ranked {
  readonly path: string;
  readonly score: number;
}

/** The usual constants of the BM25 ranking: how soon repetition stops to count, and how much length does. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;
const TITLE_WEIGHT = 3;
const MAX_QUERY_WORDS = 32;

/** A full-text index over notes. */
export class SearchIndex {
  readonly #entries = new Map<string, Entry>();
  readonly #pathsByWord = new Map<string, Set<string>>();
  #words = 0;

  get paths(): readonly string[] {
    return [...this.#entries.keys()];
  }

  get distinctWords(): number {
    return this.#pathsByWord.size;
  }

  get(path: string): Entry | undefined {
    return this.#entries.get(path);
  }

  /** Adds a note, or takes in its new text. */
  set(path: string, text: string): void {
    this.delete(path);
    const title = titleIn(text) ?? path;
    const words = wordsIn(text);
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const word of wordsIn(title)) counts.set(word, (counts.get(word) ?? 0) + TITLE_WEIGHT);
    for (const word of counts.keys()) {
      const paths = this.#pathsByWord.get(word);
      if (paths === undefined) this.#pathsByWord.set(word, new Set([path]));
      else paths.add(path);
    }
    const digest = createHash("sha256").update(text).digest("base64");
    this.#entries.set(path, { title, digest, length: words.length, counts });
    this.#words += words.length;
  }

  delete(path: string): void {
    const entry = this.#entries.get(path);
    if (entry === undefined) return;
    this.#entries.delete(path);
    this.#words -= entry.length;
    for (const word of entry.counts.keys()) {
      const paths = this.#pathsByWord.get(word);
      paths?.delete(path);
      if (paths?.size === 0) this.#pathsByWord.delete(word);
    }
  }

  /** The notes that hold any word of the query, best first. */
  search(query: string): readonly Ranked[] {
    const scores = new Map<string, number>();
    for (const word of new Set(wordsIn(query).slice(0, MAX_QUERY_WORDS))) {
      for (const path of this.#pathsByWord.get(word) ?? []) {
        scores.set(path, (scores.get(path) ?? 0) + this.#scoreOf(word, path));
      }
    }
    return [...scores]
      .map(([path, score]) => ({ path, score }))
      .toSorted((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
  }

  #scoreOf(word: string, path: string): number {
    const entry = this.#entries.get(path);
    const count = entry?.counts.get(word) ?? 0;
    if (entry === undefined || count === 0) return 0;
    const holders = this.#pathsByWord.get(word)?.size ?? 0;
    const rarity = Math.log(1 + (this.#entries.size - holders + 0.5) / (holders + 0.5));
    const relativeLength = entry.length / Math.max(1, this.#words / this.#entries.size);
    const damping = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * relativeLength);
    return (rarity * count * (SATURATION + 1)) / (count + damping);
  }
}

function wordsIn(text: string): readonly string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  );
}

/** The first heading of a Markdown text. */
function titleIn(text: string): string | undefined {
  return /^#{1,6}[ \t]+(\S[^\r\n]{0,199})/m.exec(text)?.[1]?.trim();
}

/** The first line that holds a word of the query, shortened around it. */
export function excerpt(text: string, query: string, length = 200): string {
  const wanted = new Set(wordsIn(query));
  const lines = text.split(/\r?\n/);
  const line = lines.find((each) => wordsIn(each).some((word) => wanted.has(word))) ?? "";
  const trimmed = line.trim();
  if (trimmed.length <= length) return trimmed;
  const positions = [...wanted].map((word) => trimmed.toLowerCase().indexOf(word));
  const first = Math.min(...positions.filter((position) => position >= 0), trimmed.length);
  const start = Math.max(0, Math.min(first - length / 4, trimmed.length - length));
  const end = start + length;
  return `${start > 0 ? "…" : ""}${trimmed.slice(start, end)}${end < trimmed.length ? "…" : ""}`;
}
