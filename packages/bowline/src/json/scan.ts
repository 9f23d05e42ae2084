import { LimitError } from "../base/errors.ts";
import type { JsonLimits } from "../base/limits.ts";

/** What the bytes of a document say before it is parsed. Exact for valid JSON, meaningless for other bytes. */
export interface JsonScan {
  readonly members: number;
  /** Some string is written with `\u`, the only way an unpaired surrogate can get into valid UTF-8. */
  readonly hasUnicodeEscape: boolean;
  /** Some number is written with a fraction or an exponent. */
  readonly hasFraction: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

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
  const strings = new StringSkipper(bytes);
  let depth = 0;
  // Every comma and every opening bracket announces a value, the bracket of an empty container none.
  let nodes = 1;
  let members = 0;
  let hasFraction = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    if (byte === QUOTE) index = strings.skip(index + 1);
    else if (byte === 0x3a) members++;
    else if (byte === 0x2c) nodes++;
    else if ((byte | 0x20) === 0x7b) {
      // `[` and `{`
      nodes++;
      if (++depth > maxJsonDepth) throw exceeded("maxJsonDepth", maxJsonDepth);
    } else if ((byte | 0x20) === 0x7d) {
      depth--;
      if (closesEmpty(bytes, index)) nodes--;
    } else if (byte === 0x2e) hasFraction = true;
    else if ((byte | 0x20) === 0x65 && isDigit(bytes[index - 1])) hasFraction = true;
  }
  if (nodes > limits.maxJsonNodes) throw exceeded("maxJsonNodes", limits.maxJsonNodes);
  if (members > limits.maxJsonMembers) throw exceeded("maxJsonMembers", limits.maxJsonMembers);
  return { members, hasUnicodeEscape: strings.hasUnicodeEscape, hasFraction };
}

/** Finds the ends of the strings of one document, in time linear in its bytes whatever they are. */
class StringSkipper {
  hasUnicodeEscape: boolean = false;
  private readonly bytes: Uint8Array;
  private readonly words: DataView | undefined;
  /** Next place of each byte at or after the last place asked for: never searched twice. */
  private nextQuote: number = -1;
  private nextBackslash: number = -1;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.words =
      bytes.length < WIDE_FROM_BYTES
        ? undefined
        : new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** From the first byte inside a string to its closing quote, or to the end of the document. */
  skip(start: number): number {
    const { bytes, words } = this;
    let index = start;
    for (;;) {
      index = words === undefined ? findNarrow(bytes, index) : this.findWide(words, index);
      if (index >= bytes.length || bytes[index] === QUOTE) return index;
      if (bytes[index + 1] === LETTER_U) this.hasUnicodeEscape = true;
      index += 2;
    }
  }

  /** The next quote or backslash: four bytes at a time, then by `indexOf`. */
  private findWide(words: DataView, start: number): number {
    const { bytes } = this;
    const end = Math.min(start + JUMP_AFTER_BYTES, bytes.length - 3);
    let index = start;
    while (index < end && !holdsMark(words.getInt32(index))) index += 4;
    if (index >= start + JUMP_AFTER_BYTES) return this.jump(index);
    return findNarrow(bytes, index);
  }

  private jump(start: number): number {
    if (this.nextQuote < start) this.nextQuote = indexFrom(this.bytes, QUOTE, start);
    if (this.nextBackslash < start) this.nextBackslash = indexFrom(this.bytes, BACKSLASH, start);
    return Math.min(this.nextQuote, this.nextBackslash);
  }
}

function findNarrow(bytes: Uint8Array, start: number): number {
  let index = start;
  while (index < bytes.length && bytes[index] !== QUOTE && bytes[index] !== BACKSLASH) index++;
  return index;
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

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function exceeded(limit: keyof JsonLimits, max: number): LimitError {
  return new LimitError(limit, max, `the document exceeds ${limit} ${max}`);
}
