/** What every adapter refuses, in the same words. No message holds a name: names may be secrets. */
import { utf8Length } from "../base/bytes.ts";
import { LimitError } from "../base/errors.ts";
import { MAX_ENGINE_DURATION_MS, MAX_ENGINE_NAME_BYTES } from "../base/limits.ts";
import { isWellFormed } from "../json/well-formed.ts";
import type { Revision, TopicListener } from "./contract.ts";

/** The bytes of a key, topic, queue or counter. Throws where it is no name. */
export function measureName(name: string, what: string): number {
  if (typeof name !== "string" || name === "") {
    throw new TypeError(`a ${what} is a text that is not empty`);
  }
  // A text has at least as many bytes as units: one that is far too long is not read at all.
  const bytes = name.length > MAX_ENGINE_NAME_BYTES ? name.length : utf8Length(name);
  if (bytes > MAX_ENGINE_NAME_BYTES) {
    throw new LimitError(
      "maxNameBytes",
      MAX_ENGINE_NAME_BYTES,
      `a ${what} is longer than ${MAX_ENGINE_NAME_BYTES} bytes`,
    );
  }
  if (name.includes("\0") || !isWellFormed(name)) {
    throw new TypeError(`a ${what} holds U+0000 or an unpaired surrogate`);
  }
  return bytes;
}

export function assertDuration(value: number, what: string): void {
  if (typeof value !== "number") throw new TypeError(`${what} is not a number`);
  if (!Number.isInteger(value) || value < 1 || value > MAX_ENGINE_DURATION_MS) {
    throw new RangeError(`${what}: ${value} is not a whole number of milliseconds in range`);
  }
}

/** A duration that may be left out. */
export function assertOptionalDuration(value: number | undefined, what: string): void {
  if (value !== undefined) assertDuration(value, what);
}

export function assertAddend(by: number): void {
  if (typeof by !== "number") throw new TypeError("what is added is not a number");
  if (!Number.isSafeInteger(by)) throw new RangeError(`cannot add ${by}: no safe integer`);
}

/** The sum, which a counter has to be able to hold. */
export function sumOf(value: number, by: number): number {
  const sum = value + by;
  if (!Number.isSafeInteger(sum)) throw new RangeError("the sum lies beyond the safe integers");
  return sum;
}

/** `expected`, or `undefined` where the caller left it out. Throws if it is there and no text. */
export function readExpected(options: { readonly expected?: Revision }): Revision | undefined {
  if (!("expected" in options)) return undefined;
  if (typeof options.expected !== "string") {
    throw new TypeError("expected is there and no revision: leave it out to write in any case");
  }
  return options.expected;
}

export function assertListener(listener: TopicListener): void {
  if (typeof listener !== "object" || listener === null) {
    throw new TypeError("a listener is an object");
  }
  if (typeof listener.onMessage !== "function") {
    throw new TypeError("a listener has a method onMessage");
  }
  if (listener.onGap !== undefined && typeof listener.onGap !== "function") {
    throw new TypeError("onGap of a listener is no function");
  }
}
