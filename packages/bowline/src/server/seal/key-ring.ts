import { decodeBase64Url } from "../../base/base64.ts";

const KEY_BYTES = 32;
const ENVIRONMENT_VARIABLE = "BOWLINE_STATE_KEY";

/** Secrets of one server: the first seals, all of them open. */
export interface KeyRing {
  readonly secrets: readonly Uint8Array<ArrayBuffer>[];
  /** Made up by this process: nothing it sealed can be opened by another. */
  readonly isRandom: boolean;
}

/**
 * From the option, else from `BOWLINE_STATE_KEY` (several with commas between them), else random.
 * Throws a `RangeError` that says which key is unusable.
 */
export function createKeyRing(given: readonly (Uint8Array | string)[] | undefined): KeyRing {
  if (given !== undefined) return ring("stateKeys", given);
  const text = environmentText();
  if (text !== undefined) return ring(ENVIRONMENT_VARIABLE, text.split(","));
  return { secrets: [crypto.getRandomValues(new Uint8Array(KEY_BYTES))], isRandom: true };
}

function ring(source: string, keys: readonly (Uint8Array | string)[]): KeyRing {
  if (keys.length === 0) throw new RangeError(`${source}: there is no key in it`);
  const secrets = keys.map((key, index) => {
    const bytes = typeof key === "string" ? decodeKey(key) : Uint8Array.from(key);
    if (bytes !== undefined && bytes.byteLength >= KEY_BYTES) return bytes;
    const wanted = `${KEY_BYTES} bytes or more are needed, as bytes or as Base64`;
    throw new RangeError(`${source}: key ${index + 1} is unusable: ${wanted}`);
  });
  return { secrets, isRandom: false };
}

/** Either alphabet, with or without padding: what `openssl rand -base64 32` prints. */
function decodeKey(text: string): Uint8Array<ArrayBuffer> | undefined {
  const bare = text.trim().replace(/={1,2}$/, "");
  return decodeBase64Url(bare.replaceAll("+", "-").replaceAll("/", "_"));
}

interface Environment {
  readonly env?: { readonly [name: string]: string | undefined };
}

function environmentText(): string | undefined {
  const { process } = globalThis as { readonly process?: Environment };
  return process?.env?.[ENVIRONMENT_VARIABLE] || undefined;
}
