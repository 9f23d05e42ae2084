import { LimitError } from "../../base/errors.ts";
import { MAX_SWEPT_PER_CALL, type MemoryEngineLimits } from "../../base/limits.ts";
import { Heap, type HeapMember } from "./heap.ts";

/** Something that is gone when its time has come. */
export interface Perishable extends HeapMember {
  readonly expiresAt: number;
  /** Takes it from wherever it is held; what it took up is freed with it. */
  drop(): void;
}

/**
 * The time and the room of one store: what it holds is counted, and what is past its time is cleared
 * away as calls come in. There is no timer.
 */
export class Room {
  readonly limits: MemoryEngineLimits;
  readonly #now: () => number;
  readonly #perishables: Heap<Perishable> = new Heap(
    (one, other) => one.expiresAt < other.expiresAt,
  );
  #time = -Infinity;
  #entries = 0;
  #bytes = 0;

  constructor(limits: MemoryEngineLimits, now: () => number) {
    this.limits = limits;
    this.#now = now;
  }

  /** The time of the call at work. */
  get time(): number {
    return this.#time;
  }

  /** Begins a call: its time is the same throughout, and never before that of an earlier call. */
  enter(): void {
    const now = this.#now();
    if (!Number.isFinite(now)) throw new RangeError(`the clock says ${now}`);
    this.#time = Math.max(this.#time, now);
    for (let swept = 0; swept < MAX_SWEPT_PER_CALL; swept++) if (!this.#dropFirst()) return;
  }

  isPast(expiresAt: number): boolean {
    return expiresAt <= this.#time;
  }

  /** Counts what is about to be held, or less of it. Throws, and counts nothing, where it would be too much. */
  claim(entries: number, bytes: number): void {
    const { maxEntries, maxBytes } = this.limits;
    const isOver = (): boolean =>
      (entries > 0 && this.#entries + entries > maxEntries) ||
      (bytes > 0 && this.#bytes + bytes > maxBytes);
    while (isOver() && this.#dropFirst());
    if (entries > 0 && this.#entries + entries > maxEntries) {
      throw new LimitError("maxEntries", maxEntries, `the store holds ${maxEntries} entries`);
    }
    if (bytes > 0 && this.#bytes + bytes > maxBytes) {
      throw new LimitError("maxBytes", maxBytes, `the store holds no more than ${maxBytes} bytes`);
    }
    this.#entries += entries;
    this.#bytes += bytes;
  }

  free(entries: number, bytes: number): void {
    this.#entries -= entries;
    this.#bytes -= bytes;
  }

  watch(perishable: Perishable): void {
    this.#perishables.add(perishable);
  }

  unwatch(perishable: Perishable): void {
    this.#perishables.remove(perishable);
  }

  #dropFirst(): boolean {
    const { first } = this.#perishables;
    if (first === undefined || !this.isPast(first.expiresAt)) return false;
    first.drop();
    return true;
  }
}
