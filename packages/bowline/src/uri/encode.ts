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

const NOT_UNRESERVED = /[^\w.~%-]/;
const NOT_IN_URI = /[^\w.~%\-:/?#[\]@!$&'()*+,;=]/;
const RESERVED_TRIPLET = /%(?=2[1346-9A-CFacf5]|3[ABDFabdf]|40|5[BDbd])/g;
const PERCENT_BEFORE_TEXT = /%25(?![\dA-Fa-f]{2})/g;

/** The value that `encodeUnreserved` turns into this text; nothing if there is none. */
export function decodeUnreserved(text: string): string | undefined {
  return NOT_UNRESERVED.test(text) ? undefined : decodePercent(text);
}

/**
 * A value that `encodeReserved` turns into this text; nothing if there is none.
 *
 * A triplet for a reserved character stays as it is, because the character itself would be another
 * URI; so does `%25` in front of two hexadecimal digits, which would otherwise read as a triplet.
 */
export function decodeReserved(text: string): string | undefined {
  if (NOT_IN_URI.test(text)) return undefined;
  const decoded = decodePercent(text.replace(RESERVED_TRIPLET, "%25"));
  return decoded?.replace(PERCENT_BEFORE_TEXT, "%");
}

function decodePercent(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    // The only failure: no triplet after "%", or triplets that are not UTF-8. Such text has no value.
    return undefined;
  }
}

/** The first `count` code points. */
export function truncate(text: string, count: number): string {
  if (text.length <= count) return text;
  let end = 0;
  for (let taken = 0; taken < count && end < text.length; taken++) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}
