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
