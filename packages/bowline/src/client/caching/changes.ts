import { MAX_CACHE_ENTRIES } from "../../base/limits.ts";
import type { Subject } from "./key.ts";

/** When a change was last heard of. What was asked for before it is outdated, wherever it is kept. */
export class Changes {
  readonly #times = new Map<Subject, number>();
  #earliest = Number.NEGATIVE_INFINITY;

  note(subject: Subject, now: number): void {
    if (this.#times.size >= MAX_CACHE_ENTRIES) {
      // Too many to tell apart: all that is older counts as changed.
      this.#times.clear();
      this.#earliest = now;
    }
    this.#times.set(subject, now);
  }

  isOutdated(subject: Subject, since: number): boolean {
    return since <= Math.max(this.#earliest, this.#times.get(subject) ?? Number.NEGATIVE_INFINITY);
  }
}
