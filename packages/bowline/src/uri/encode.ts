const LONE_SURROGATE = /\p{Surrogate}/u;

/** Whether the text has a UTF-8 form: no half of a surrogate pair stands alone. */
export function isEncodable(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}

/** Percent-encode everything but unreserved characters. The text must be encodable. */
export function encodeUnreserved(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * Percent-encode everything but unreserved and reserved characters and triplets that are already
 * encoded. The text must be encodable.
 */
export function encodeReserved(text: string): string {
  return encodeURI(text)
    .replace(/%5B/g, "[")
    .replace(/%5D/g, "]")
    .replace(/%25([\dA-Fa-f]{2})/g, "%$1");
}
