/** Keeps a quiet stream open; readers skip it. */
export const KEEP_ALIVE = ": keep-alive\n\n";

/**
 * One event with JSON text as its data.
 *
 * Throws `TypeError` if the text holds a line break: JSON from `JSON.stringify` never does, and
 * anything else could end the event early.
 */
export function encodeEvent(data: string): string {
  if (data.includes("\n") || data.includes("\r"))
    throw new TypeError("event data has a line break");
  return `data: ${data}\n\n`;
}
