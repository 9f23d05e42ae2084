import { MAX_LISTEN_URIS } from "../../base/limits.ts";
import type { Change } from "./change.ts";

/**
 * Changes that the consumer has not taken yet, each once: whoever is slow costs a set, not a queue. More resources than
 * can be subscribed to become `missed`.
 */
export class ChangeSet {
  readonly #changes = new Map<string, Change>();

  add(change: Change): void {
    if (this.#changes.has("missed")) return;
    const key = change.kind === "resourceUpdated" ? `resource ${change.uri}` : change.kind;
    const isFull = this.#changes.size >= MAX_LISTEN_URIS && !this.#changes.has(key);
    if (change.kind !== "missed" && !isFull) {
      this.#changes.set(key, change);
      return;
    }
    this.#changes.clear();
    this.#changes.set("missed", { kind: "missed" });
  }

  take(): Change | undefined {
    const [first] = this.#changes;
    if (first === undefined) return undefined;
    this.#changes.delete(first[0]);
    return first[1];
  }
}
