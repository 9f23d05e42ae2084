/** Header text that every party reads alike: visible ASCII, with spaces and tabs inside only. */
const PLAIN = /^(?:[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)?$/;

/** Whether a text can be a header value just as it is. */
export function isPlainFieldValue(text: string): boolean {
  return PLAIN.test(text);
}
