import { LimitError } from "../base/errors.ts";
import type { JsonLimits } from "../base/limits.ts";

/** What the bytes of a document say before it is parsed. Exact for valid JSON, meaningless for other bytes. */
export interface JsonScan {
  readonly members: number;
  /** Some number is written with a fraction or an exponent. */
  readonly hasFraction: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Shorter documents are scanned byte by byte: there the wide steps cost more than they save. */
const WIDE_FROM_BYTES = 1024;
/** So many bytes of one string without a hit, and `indexOf` is cheaper than stepping. */
const JUMP_AFTER_BYTES = 512;

/**
 * Walks a document once, without recursion, and counts what `JSON.parse` must not be given too much of.
 *
 * Throws `LimitError` over a limit. Does not validate: the parser does that next.
 */
export function scanJson(bytes: Uint8Array, limits: JsonLimits): JsonScan {
  const { maxJsonDepth } = limits;
  const { length } = bytes;
  const wide = length < WIDE_FROM_BYTES ? undefined : new WideSkipper(bytes);
  let depth = 0;
  // Every comma and every opening bracket announces a value, the bracket of an empty container none.
  let nodes = 1;
  let members = 0;
  let hasFraction = false;
  for (let index = 0; index < length; index++) {
    const byte = bytes[index] ?? 0;
    if (byte === QUOTE) {
      index = wide === undefined ? skipNarrow(bytes, index + 1) : wide.skip(index + 1);
    } else if (byte === 0x3a) members++;
    else if (byte === 0x2c) nodes++;
    else if ((byte | 0x20) === 0x7b) {
      // `[` and `{`
      nodes++;
      if (++depth > maxJsonDepth) throw exceeded("maxJsonDepth", maxJsonDepth);
    } else if ((byte | 0x20) === 0x7d) {
      depth--;
      if (closesEmpty(bytes, index)) nodes--;
    } else if (marksFraction(byte, bytes, index)) hasFraction = true;
  }
  if (nodes > limits.maxJsonNodes) throw exceeded("maxJsonNodes", limits.maxJsonNodes);
  if (members > limits.maxJsonMembers) throw exceeded("maxJsonMembers", limits.maxJsonMembers);
  return { members, hasFraction };
}

/** From the first byte inside a string to its closing quote, or to the end of the document. */
function skipNarrow(bytes: Uint8Array, start: number): number {
  let index = start;
  for (;;) {
    const byte = bytes[index];
    if (byte === QUOTE || byte === undefined) return index;
    index += byte === BACKSLASH ? 2 : 1;
  }
}

/** Skips the strings of one long document, in time linear in its bytes whatever they are. */
class WideSkipper {
  private readonly bytes: Uint8Array;
  private readonly words: DataView;
  /** The next place of each byte from the last place asked for: never searched twice. */
  private nextQuote: number = -1;
  private nextBackslash: number = -1;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** From the first byte inside a string to its closing quote, or to the end of the document. */
  skip(start: number): number {
    const { bytes } = this;
    let index = this.findMark(start);
    while (bytes[index] === BACKSLASH) index = this.findMark(index + 2);
    return index;
  }

  /** The next quote or backslash: four bytes at a time, and by `indexOf` where that is far. */
  private findMark(start: number): number {
    const { bytes, words } = this;
    const far = start + JUMP_AFTER_BYTES;
    const end = Math.min(far, bytes.length - 3);
    let index = start;
    while (index < end && !holdsMark(words.getInt32(index))) index += 4;
    if (index >= far) return this.jump(index);
    while (index < bytes.length && bytes[index] !== QUOTE && bytes[index] !== BACKSLASH) index++;
    return index;
  }

  private jump(start: number): number {
    if (this.nextQuote < start) this.nextQuote = indexFrom(this.bytes, QUOTE, start);
    if (this.nextBackslash < start) this.nextBackslash = indexFrom(this.bytes, BACKSLASH, start);
    return Math.min(this.nextQuote, this.nextBackslash);
  }
}

/** Whether one of four bytes is a quote or a backslash: a byte that is zero borrows from its high bit. */
function holdsMark(word: number): boolean {
  const quotes = word ^ 0x22222222;
  const backslashes = word ^ 0x5c5c5c5c;
  const zeroes = ((quotes - 0x01010101) & ~quotes) | ((backslashes - 0x01010101) & ~backslashes);
  return (zeroes & 0x80808080) !== 0;
}

function indexFrom(bytes: Uint8Array, byte: number, start: number): number {
  const index = bytes.indexOf(byte, start);
  return index === -1 ? bytes.length : index;
}

/** Whether only white space lies between a closing bracket and the opening one before it. */
function closesEmpty(bytes: Uint8Array, close: number): boolean {
  let index = close - 1;
  while (isSpace(bytes[index])) index--;
  return ((bytes[index] ?? 0) | 0x20) === 0x7b;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** A point, or an `e` that follows a digit: those of `true` and `false` follow letters. */
function marksFraction(byte: number, bytes: Uint8Array, index: number): boolean {
  return byte === 0x2e || ((byte | 0x20) === 0x65 && isDigit(bytes[index - 1]));
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function exceeded(limit: keyof JsonLimits, max: number): LimitError {
  return new LimitError(limit, max, `the document exceeds ${limit} ${max}`);
}
