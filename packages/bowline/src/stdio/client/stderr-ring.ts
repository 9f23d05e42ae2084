/** The last bytes a child wrote to its stderr. */
export class StderrRing {
  readonly #maxBytes: number;
  #buffer: Uint8Array = new Uint8Array(0);
  /** Bytes held from the start of the buffer; all of it once it went round. */
  #length = 0;
  /** Where the next byte goes. */
  #position = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Uint8Array): void {
    let rest = chunk.subarray(Math.max(0, chunk.length - this.#maxBytes));
    this.#grow(this.#length + rest.length);
    while (rest.length > 0) {
      const part = rest.subarray(0, this.#buffer.length - this.#position);
      this.#buffer.set(part, this.#position);
      this.#length = Math.max(this.#length, this.#position + part.length);
      this.#position = (this.#position + part.length) % this.#maxBytes;
      rest = rest.subarray(part.length);
    }
  }

  /** Decoded as UTF-8, broken sequences replaced: this is for people. Not safe to print as it is. */
  text(): string {
    const decoder = new TextDecoder();
    const wrapped = this.#length === this.#maxBytes;
    const older = wrapped ? this.#buffer.subarray(this.#position) : new Uint8Array(0);
    const newer = this.#buffer.subarray(0, wrapped ? this.#position : this.#length);
    return decoder.decode(older, { stream: true }) + decoder.decode(newer);
  }

  #grow(needed: number): void {
    if (needed <= this.#buffer.length || this.#buffer.length === this.#maxBytes) return;
    const length = Math.min(this.#maxBytes, Math.max(4_096, needed, this.#buffer.length * 2));
    const grown = new Uint8Array(length);
    grown.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = grown;
  }
}
