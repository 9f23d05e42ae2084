import { decodeBase64Url, encodeBase64Url } from "../../base/base64.ts";
import type { KeyRing } from "./key-ring.ts";

const ID_BYTES = 4;
const NONCE_BYTES = 12;

const encoder: TextEncoder = new TextEncoder();

interface Keys {
  /** Says which secret sealed a text; nothing about the secret. */
  readonly id: Uint8Array<ArrayBuffer>;
  readonly encryption: CryptoKey;
  readonly nonce: CryptoKey;
}

/** `foreign`: sealed by nobody who has one of these secrets, as far as can be told. */
export type Opened = Uint8Array<ArrayBuffer> | "foreign" | undefined;

/**
 * Seals bytes into text for one purpose, with AES-256-GCM, and opens them again on every replica with the same secret.
 *
 * The same bytes bound to the same text give the same text: the nonce is derived from both. What they are bound to
 * is not in the text, but has to be the same when it is opened.
 */
export class Seal {
  readonly #ring: KeyRing;
  readonly #purpose: string;
  #keys: Promise<readonly Keys[]> | undefined;

  constructor(ring: KeyRing, purpose: string) {
    this.#ring = ring;
    this.#purpose = purpose;
  }

  async seal(plain: Uint8Array<ArrayBuffer>, boundTo: string): Promise<string> {
    const [first] = await this.#derived();
    if (first === undefined) throw new TypeError("there is no key");
    const bound = encoder.encode(boundTo);
    const length = new Uint8Array(new Uint32Array([bound.length]).buffer);
    const mac = await crypto.subtle.sign("HMAC", first.nonce, join(length, bound, plain));
    const nonce = new Uint8Array(mac, 0, NONCE_BYTES);
    const parameters = { name: "AES-GCM", iv: nonce, additionalData: bound };
    const sealed = await crypto.subtle.encrypt(parameters, first.encryption, plain);
    return encodeBase64Url(join(first.id, nonce, new Uint8Array(sealed)));
  }

  /** Undefined where the text was changed, cut, or is bound to something else. */
  async open(text: string, boundTo: string): Promise<Opened> {
    const bytes = decodeBase64Url(text);
    if (bytes === undefined || bytes.length <= ID_BYTES + NONCE_BYTES) return undefined;
    const id = bytes.subarray(0, ID_BYTES).join();
    const keys = (await this.#derived()).find((candidate) => candidate.id.join() === id);
    if (keys === undefined) return "foreign";
    const parameters = {
      name: "AES-GCM",
      iv: bytes.slice(ID_BYTES, ID_BYTES + NONCE_BYTES),
      additionalData: encoder.encode(boundTo),
    };
    return crypto.subtle
      .decrypt(parameters, keys.encryption, bytes.slice(ID_BYTES + NONCE_BYTES))
      .then((plain) => new Uint8Array(plain))
      .catch(() => undefined);
  }

  #derived(): Promise<readonly Keys[]> {
    return (this.#keys ??= Promise.all(
      this.#ring.secrets.map((secret) => derive(secret, this.#purpose)),
    ));
  }
}

/** Keys of their own for each purpose and use, by HKDF (RFC 5869). */
async function derive(secret: Uint8Array<ArrayBuffer>, purpose: string): Promise<Keys> {
  const { subtle } = crypto;
  const root = await subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]);
  const bits = (use: string, bytes: number): Promise<ArrayBuffer> => {
    const info = encoder.encode(`bowline ${purpose} ${use}`);
    const parameters = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info };
    return subtle.deriveBits(parameters, root, bytes * 8);
  };
  const hmac = { name: "HMAC", hash: "SHA-256" };
  return {
    id: new Uint8Array(await bits("id", ID_BYTES)),
    encryption: await subtle.importKey("raw", await bits("encryption", 32), "AES-GCM", false, [
      "encrypt",
      "decrypt",
    ]),
    nonce: await subtle.importKey("raw", await bits("nonce", 32), hmac, false, ["sign"]),
  };
}

function join(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((total, { length }) => total + length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}
