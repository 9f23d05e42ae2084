import { MAX_PEER_TEXT_CHARS } from "../base/limits.ts";

/** Text of a peer for a person to read: short, in one line, and without characters that act or hide. */
export function printable(text: string): string {
  return text
    .slice(0, MAX_PEER_TEXT_CHARS)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "\u{FFFD}");
}

/** The same in quotation marks: where it ends is told from where ours goes on. */
export const quoted = (text: string): string => JSON.stringify(printable(text));
