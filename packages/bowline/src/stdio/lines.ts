import { LINE_GIVE_UP_FACTOR } from "../base/limits.ts";

/** What a line reader tells its owner. All calls are synchronous, in the order of the bytes. */
export interface LineHandlers {
  /** One line without its ending, never empty. The bytes are only lent: they change after the call. */
  line(bytes: Uint8Array): void;
  /** A line passed the limit. Its bytes are dropped and reading resumes after the next newline. */
  oversized(): void;
  /** A line passed the limit so far that the peer is given up. Nothing more is read. */
  runaway(): void;
}

const LF = 10;
const CR = 13;
const NOTHING = new Uint8Array(0);
/** A buffer that grew beyond this for one line is not kept for the next. */
const KEPT_BYTES = 65_536;

/**
 * Cuts a byte stream into lines, at any split of the stream into chunks. Ends of line are LF or CRLF;
 * empty lines are skipped.
 *
 * The start of an unfinished line is copied into one buffer that doubles, so that the cost is linear
 * and the memory is bounded by the limit even when every byte comes alone.
 */
export class LineReader {
  readonly #maxLineBytes: number;
  readonly #handlers: LineHandlers;
  #buffer: Uint8Array = NOTHING;
  #length = 0;
  /** Bytes dropped of the oversized line being skipped; -1 where no line is. */
  #skipped = -1;
  #ended = false;

  constructor(maxLineBytes: number, handlers: LineHandlers) {
    this.#maxLineBytes = maxLineBytes;
    this.#handlers = handlers;
  }

  push(chunk: Uint8Array): void {
    let start = 0;
    while (!this.#ended && start < chunk.length) {
      const newline = chunk.indexOf(LF, start);
      if (newline === -1) {
        this.#keep(chunk.subarray(start));
        return;
      }
      this.#finish(chunk.subarray(start, newline));
      start = newline + 1;
    }
  }

  /** The stream is over: a last line without a newline is handed on as well. */
  end(): void {
    if (this.#length > 0) this.#finish(NOTHING);
    this.stop();
  }

  /** Drops what is kept; later chunks are ignored. */
  stop(): void {
    this.#ended = true;
    this.#buffer = NOTHING;
    this.#length = 0;
  }

  #finish(rest: Uint8Array): void {
    if (this.#skipped >= 0) {
      this.#skipped = -1;
      return;
    }
    let line = rest;
    if (this.#length > 0) {
      // One byte more than the limit is allowed here, because it may be the CR of the line's end.
      if (!this.#append(rest)) {
        this.#skipped = -1;
        return;
      }
      line = this.#buffer.subarray(0, this.#length);
      this.#length = 0;
    }
    const end = line[line.length - 1] === CR ? line.length - 1 : line.length;
    if (end > this.#maxLineBytes) this.#handlers.oversized();
    else if (end > 0) this.#handlers.line(line.subarray(0, end));
    if (this.#length === 0 && this.#buffer.length > KEPT_BYTES) this.#buffer = NOTHING;
  }

  #keep(part: Uint8Array): void {
    if (this.#skipped < 0) {
      this.#append(part);
      return;
    }
    this.#skipped += part.length;
    if (this.#skipped > this.#maxLineBytes * LINE_GIVE_UP_FACTOR) {
      this.stop();
      this.#handlers.runaway();
    }
  }

  /** False if the line is too long, which is then reported and being skipped. */
  #append(part: Uint8Array): boolean {
    const length = this.#length + part.length;
    if (length > this.#maxLineBytes + 1) {
      this.#buffer = NOTHING;
      this.#skipped = this.#length;
      this.#length = 0;
      this.#handlers.oversized();
      this.#keep(part);
      return false;
    }
    if (length > this.#buffer.length) {
      const doubled = Math.max(1_024, length, this.#buffer.length * 2);
      const grown = new Uint8Array(Math.min(doubled, this.#maxLineBytes + 1));
      grown.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = grown;
    }
    this.#buffer.set(part, this.#length);
    this.#length = length;
    return true;
  }
}
