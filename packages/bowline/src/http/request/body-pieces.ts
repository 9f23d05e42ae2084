/** Small pieces that are put together: as objects they would weigh a hundred times their bytes. */
const MAX_LOOSE = 256;

const EMPTY = new Uint8Array();

/** Gathers a body that mostly comes in one piece, at a cost linear in its bytes however it comes. */
export class BodyPieces {
  size = 0;
  #first: Uint8Array | undefined;
  #rest: Uint8Array[] | undefined;
  /** Pieces at the front of `#rest` that were put together already. */
  #packed = 0;

  /** Objects that hold the body so far. */
  get count(): number {
    return this.#rest?.length ?? (this.#first === undefined ? 0 : 1);
  }

  add(piece: Uint8Array): void {
    this.size += piece.byteLength;
    if (this.#first === undefined) this.#first = piece;
    else if (this.#rest === undefined) this.#rest = [this.#first, piece];
    else {
      this.#rest.push(piece);
      if (this.#rest.length - this.#packed >= MAX_LOOSE) {
        this.#rest.push(concat(this.#rest.splice(this.#packed)));
        this.#packed += 1;
      }
    }
  }

  join(): Uint8Array {
    return this.#rest === undefined ? (this.#first ?? EMPTY) : concat(this.#rest);
  }

  clear(): void {
    this.#first = undefined;
    this.#rest = undefined;
  }
}

/** Copies pieces into one, which shares its memory with none of them. */
export function concat(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  let size = 0;
  for (const piece of pieces) size += piece.byteLength;
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.byteLength;
  }
  return whole;
}
