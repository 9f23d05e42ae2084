import { measureName, assertOptionalDuration, readExpected } from "../arguments.ts";
import type { DeleteOptions, PutOptions, Revision, Versioned } from "../contract.ts";
import { decodeText, encodeValue } from "../encode.ts";
import type { JsonValue } from "../../json/value.ts";
import type { Room } from "./room.ts";
import { Shelf } from "./shelf.ts";

interface StoredValue {
  readonly text: string;
  readonly revision: Revision;
}

/** The values of one store. */
export class MemoryValues {
  readonly #room: Room;
  readonly #shelf: Shelf<StoredValue>;
  #writes = 0;

  constructor(room: Room) {
    this.#room = room;
    this.#shelf = new Shelf(room);
  }

  get(key: string): Versioned | undefined {
    measureName(key, "key");
    this.#room.enter();
    const stored = this.#shelf.get(key);
    if (stored === undefined) return undefined;
    return { value: decodeText(stored.text), revision: stored.revision };
  }

  put(key: string, value: JsonValue, options: PutOptions): Revision | undefined {
    const nameBytes = measureName(key, "key");
    const expected = readExpected(options);
    assertOptionalDuration(options.ttlMs, "ttlMs");
    const { text, bytes } = encodeValue(value);
    this.#room.enter();
    if (expected !== undefined && expected !== this.#revisionOf(key)) return undefined;
    const revision = String(this.#writes + 1);
    this.#shelf.set(key, { text, revision }, nameBytes + bytes, options.ttlMs);
    this.#writes++;
    return revision;
  }

  delete(key: string, options: DeleteOptions): boolean {
    measureName(key, "key");
    const expected = readExpected(options);
    this.#room.enter();
    if (expected === undefined) return this.#shelf.delete(key);
    return this.#shelf.get(key)?.revision === expected && this.#shelf.delete(key);
  }

  #revisionOf(key: string): Revision {
    return this.#shelf.get(key)?.revision ?? "absent";
  }
}
