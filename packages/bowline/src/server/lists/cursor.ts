import { fitsBytes } from "../../base/bytes.ts";
import { MAX_CURSOR_BYTES } from "../../base/limits.ts";
import { decodeBase64Url, encodeBase64Url } from "../../base/base64.ts";
import { invalidParams } from "../../protocol/errors.ts";

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const PLACE_BYTES = 4;

const encoder: TextEncoder = new TextEncoder();

interface Keys {
  readonly encryption: CryptoKey;
  readonly nonce: CryptoKey;
}

/**
 * Seals places in a list into cursors and opens them again, on every replica with the same key.
 *
 * The same place gives the same cursor: the nonce is derived from what is sealed, so lists stay
 * byte-identical. What it is bound to (list, caller) has to be the same when it is opened.
 */
export class CursorSeal {
  readonly #secret: Uint8Array<ArrayBuffer>;
  #keys: Promise<Keys> | undefined;

  /** Throws a `RangeError` for a key that is too short. */
  constructor(key: Uint8Array | undefined) {
    if (key !== undefined && key.byteLength < KEY_BYTES) {
      throw new RangeError(`cursorKey: ${KEY_BYTES} bytes are needed, not ${key.byteLength}`);
    }
    this.#secret =
      key === undefined ? crypto.getRandomValues(new Uint8Array(KEY_BYTES)) : Uint8Array.from(key);
  }

  async seal(place: number, boundTo: string): Promise<string> {
    const keys = await this.#derive();
    const plain = new Uint8Array(PLACE_BYTES);
    new DataView(plain.buffer).setUint32(0, place);
    const bound = encoder.encode(boundTo);
    const mac = await crypto.subtle.sign("HMAC", keys.nonce, join(plain, bound));
    const nonce = new Uint8Array(mac, 0, NONCE_BYTES);
    const parameters = { name: "AES-GCM", iv: nonce, additionalData: bound };
    const sealed = await crypto.subtle.encrypt(parameters, keys.encryption, plain);
    return encodeBase64Url(join(nonce, new Uint8Array(sealed)));
  }

  /** Rejects with invalid params, for every cause alike. */
  async open(cursor: string, boundTo: string): Promise<number> {
    const bytes = fitsBytes(cursor, MAX_CURSOR_BYTES) ? decodeBase64Url(cursor) : undefined;
    if (bytes === undefined) throw badCursor();
    const keys = await this.#derive();
    const parameters = {
      name: "AES-GCM",
      iv: bytes.slice(0, NONCE_BYTES),
      additionalData: encoder.encode(boundTo),
    };
    const plain = await crypto.subtle
      .decrypt(parameters, keys.encryption, bytes.slice(NONCE_BYTES))
      .catch(() => {
        throw badCursor();
      });
    if (plain.byteLength !== PLACE_BYTES) throw badCursor();
    return new DataView(plain).getUint32(0);
  }

  #derive(): Promise<Keys> {
    return (this.#keys ??= deriveKeys(this.#secret));
  }
}

const badCursor = (): Error => invalidParams("invalid cursor");

/** Both from one secret: what is sealed starts with a place and a list, and never reads like this label. */
async function deriveKeys(secret: Uint8Array<ArrayBuffer>): Promise<Keys> {
  const { subtle } = crypto;
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const nonce = await subtle.importKey("raw", secret, hmac, false, ["sign"]);
  const raw = await subtle.sign("HMAC", nonce, encoder.encode("encryption of list cursors"));
  const uses: KeyUsage[] = ["encrypt", "decrypt"];
  return { nonce, encryption: await subtle.importKey("raw", raw, "AES-GCM", false, uses) };
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}
