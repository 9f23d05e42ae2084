import { LimitError } from "../../base/errors.ts";
import type { JsonValue } from "../../json/value.ts";
import { assertDuration, assertOptionalDuration, measureName } from "../arguments.ts";
import type { PushOptions, ReleaseOptions } from "../contract.ts";
import { decodeText, encodeValue } from "../encode.ts";
import { Heap, type HeapMember } from "./heap.ts";
import type { Room } from "./room.ts";

interface QueuedItem extends HeapMember {
  readonly id: string;
  readonly text: string;
  readonly bytes: number;
  /** While the item is leased, this is when the lease ends. */
  availableAt: number;
  /** Grows with each change of `availableAt`, and decides between equal times. */
  order: number;
  attempts: number;
  isLeased: boolean;
}

/** A lease before it has the methods of one engine. */
export interface MemoryLease {
  readonly id: string;
  readonly item: JsonValue;
  readonly attempts: number;
  extend(leaseMs: number): boolean;
  done(): boolean;
  release(options: ReleaseOptions): boolean;
}

/** The queues of one store. A queue is there while it holds an item. */
export class MemoryQueues {
  readonly #room: Room;
  readonly #queues: Map<string, Heap<QueuedItem>> = new Map();
  #pushes = 0;
  #moves = 0;

  constructor(room: Room) {
    this.#room = room;
  }

  push(name: string, item: JsonValue, options: PushOptions): string {
    const nameBytes = measureName(name, "queue");
    assertOptionalDuration(options.delayMs, "delayMs");
    const { text, bytes } = encodeValue(item);
    this.#room.enter();
    const queue = this.#queues.get(name) ?? createQueue();
    const { maxQueueLength } = this.#room.limits;
    if (queue.size >= maxQueueLength) {
      throw new LimitError("maxQueueLength", maxQueueLength, `${maxQueueLength} items are queued`);
    }
    const size = nameBytes + bytes;
    this.#room.claim(1, size);
    const id = String(++this.#pushes);
    queue.add({
      id,
      text,
      bytes: size,
      availableAt: this.#room.time + (options.delayMs ?? 0),
      order: ++this.#moves,
      attempts: 0,
      isLeased: false,
      place: -1,
    });
    this.#queues.set(name, queue);
    return id;
  }

  take(name: string, leaseMs: number): MemoryLease | undefined {
    measureName(name, "queue");
    assertDuration(leaseMs, "leaseMs");
    this.#room.enter();
    const queue = this.#queues.get(name);
    const item = queue?.first;
    if (queue === undefined || item === undefined || item.availableAt > this.#room.time) {
      return undefined;
    }
    item.attempts++;
    item.isLeased = true;
    this.#move(queue, item, leaseMs);
    return this.#lease(name, queue, item);
  }

  #lease(name: string, queue: Heap<QueuedItem>, item: QueuedItem): MemoryLease {
    const { attempts } = item;
    /** Runs `change` if the item is still in these hands. */
    const own = (change: () => void): boolean => {
      this.#room.enter();
      const isOwn =
        item.place >= 0 &&
        item.isLeased &&
        item.attempts === attempts &&
        item.availableAt > this.#room.time;
      if (isOwn) change();
      return isOwn;
    };
    return {
      id: item.id,
      item: decodeText(item.text),
      attempts,
      extend: (leaseMs) => {
        assertDuration(leaseMs, "leaseMs");
        return own(() => this.#move(queue, item, leaseMs));
      },
      done: () => own(() => this.#remove(name, queue, item)),
      release: ({ delayMs }) => {
        assertOptionalDuration(delayMs, "delayMs");
        return own(() => {
          item.isLeased = false;
          this.#move(queue, item, delayMs ?? 0);
        });
      },
    };
  }

  #move(queue: Heap<QueuedItem>, item: QueuedItem, delayMs: number): void {
    item.availableAt = this.#room.time + delayMs;
    item.order = ++this.#moves;
    queue.moved(item);
  }

  #remove(name: string, queue: Heap<QueuedItem>, item: QueuedItem): void {
    queue.remove(item);
    this.#room.free(1, item.bytes);
    if (queue.size === 0) this.#queues.delete(name);
  }
}

function createQueue(): Heap<QueuedItem> {
  return new Heap((one, other) =>
    one.availableAt === other.availableAt
      ? one.order < other.order
      : one.availableAt < other.availableAt,
  );
}
