import { fitsBytes } from "../../base/bytes.ts";
import { MAX_CURSOR_BYTES } from "../../base/limits.ts";
import { invalidParams } from "../../protocol/errors.ts";
import type { KeyRing } from "../seal/key-ring.ts";
import type { Seal } from "../seal/seal.ts";

const PLACE_BYTES = 4;

/**
 * Seals places in a list into cursors and opens them again, on every replica with the same keys.
 *
 * The same place gives the same cursor, so lists stay byte-identical. What it is bound to (list, caller) has
 * to be the same when it is opened.
 */
export class CursorSeal {
  readonly #ring: KeyRing;
  #seal: Promise<Seal> | undefined;

  constructor(ring: KeyRing) {
    this.#ring = ring;
  }

  async seal(place: number, boundTo: string): Promise<string> {
    const plain = new Uint8Array(PLACE_BYTES);
    new DataView(plain.buffer).setUint32(0, place);
    return (await this.#loaded()).seal(plain, boundTo);
  }

  /** Rejects with invalid params, for every cause alike. */
  async open(cursor: string, boundTo: string): Promise<number> {
    const isShort = fitsBytes(cursor, MAX_CURSOR_BYTES);
    const opened = isShort ? await (await this.#loaded()).open(cursor, boundTo) : undefined;
    if (!(opened instanceof Uint8Array) || opened.byteLength !== PLACE_BYTES) {
      throw invalidParams("invalid cursor");
    }
    return new DataView(opened.buffer).getUint32(0);
  }

  /** Most lists have one page, and their servers never need it. */
  #loaded(): Promise<Seal> {
    return (this.#seal ??= import("../seal/seal.ts").then(
      ({ Seal }) => new Seal(this.#ring, "cursor"),
    ));
  }
}
