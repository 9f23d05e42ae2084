import { assertAddend, assertOptionalDuration, measureName, sumOf } from "../arguments.ts";
import type { AddOptions } from "../contract.ts";
import type { Room } from "./room.ts";
import { Shelf } from "./shelf.ts";

/** What a number is taken to occupy beside its name. */
const NUMBER_BYTES = 8;

/** The counters of one store. */
export class MemoryCounters {
  readonly #room: Room;
  readonly #shelf: Shelf<number>;

  constructor(room: Room) {
    this.#room = room;
    this.#shelf = new Shelf(room);
  }

  add(name: string, by: number, options: AddOptions): number {
    const nameBytes = measureName(name, "counter");
    assertAddend(by);
    assertOptionalDuration(options.ttlMs, "ttlMs");
    this.#room.enter();
    const before = this.#shelf.get(name);
    const sum = sumOf(before ?? 0, by);
    if (sum === 0) this.#shelf.delete(name);
    else if (before === undefined) {
      this.#shelf.set(name, sum, nameBytes + NUMBER_BYTES, options.ttlMs);
    } else this.#shelf.change(name, sum);
    return sum;
  }
}
