import type { Question } from "./question.ts";

const MAX_KEY_LENGTH = 64;

/** The next number of a conversation for a key that is made up. */
export type NextNumber = () => number;

/**
 * What a question is called on the wire: by its own key, with a number where it is put again or the key is taken; or
 * by its kind and a number of the conversation.
 */
export function wireKey(
  { kind, options: { key } }: Question,
  times: number,
  taken: ReadonlySet<string>,
  nextNumber: NextNumber,
): string {
  let number = times;
  let name = key === undefined ? `${kind}-${nextNumber()}` : numbered(key, number);
  while (taken.has(name)) {
    number += 1;
    name = key === undefined ? `${kind}-${nextNumber()}` : numbered(key, number);
  }
  return name;
}

/** Still a key: a long one gives up its end for the number. */
function numbered(key: string, number: number): string {
  const suffix = number === 1 ? "" : `-${number}`;
  return key.slice(0, MAX_KEY_LENGTH - suffix.length) + suffix;
}
