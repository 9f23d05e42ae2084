/** Bytes turned into text at a time: calls with more arguments overflow the stack of some engines. */
const CHUNK = 0x8000;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Standard Base64 with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  if (bytes.length <= CHUNK) return btoa(String.fromCharCode(...bytes));
  const parts: string[] = [];
  for (let start = 0; start < bytes.length; start += CHUNK) {
    parts.push(String.fromCharCode(...bytes.subarray(start, start + CHUNK)));
  }
  return btoa(parts.join(""));
}

/** Whether a text is standard Base64 with padding. */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && BASE64.test(text);
}

/** Base64 with the alphabet for URLs, without padding. */
export function encodeBase64Url(bytes: Uint8Array): string {
  return encodeBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The bytes; undefined for anything `encodeBase64Url` does not write. */
export function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (unit) => unit.charCodeAt(0));
  return encodeBase64Url(bytes) === text ? bytes : undefined;
}
