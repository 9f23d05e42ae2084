/** Header text that every party reads alike: visible ASCII, with spaces and tabs inside only. */
const PLAIN = /^(?:[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)?$/;

/** Whether a text can be a header value just as it is. */
export function isPlainFieldValue(text: string): boolean {
  return PLAIN.test(text);
}

/** Takes the white space off that is not part of a header's value. */
export function trimWhitespace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isWhitespace(text.charCodeAt(start))) start++;
  while (end > start && isWhitespace(text.charCodeAt(end - 1))) end--;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

function isWhitespace(unit: number): boolean {
  return unit === 0x20 || unit === 0x09;
}
