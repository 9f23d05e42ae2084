/**
 * Recognises names that a lax peer would take for a known one: other case, compatibility forms,
 * invisible characters.
 */
export interface NameGuard {
  /** Whether `name` is one of the known names or like none of them. Own-property rules are the caller's. */
  isPlain(name: string): boolean;
}

/** Names longer than this are like no known name only if they are plain ASCII. */
const MAX_FOLDED_CHARS = 256;
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
const INVISIBLE = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu;

export function guardNames(known: readonly string[]): NameGuard {
  const exact = new Set(known);
  const folded = new Set(known.map((name) => name.toLowerCase()));
  return {
    isPlain: (name) => exact.has(name) || (name !== "__proto__" && !isLike(name, folded)),
  };
}

function isLike(name: string, folded: ReadonlySet<string>): boolean {
  if (PRINTABLE_ASCII.test(name)) return folded.has(name.toLowerCase());
  return name.length > MAX_FOLDED_CHARS || folded.has(fold(name));
}

/** Upper case first: it also unites the letters that have no lower case of their own, such as `ſ` and `ı`. */
function fold(name: string): string {
  const compatible = name.normalize("NFKC").replace(INVISIBLE, "");
  return compatible.toUpperCase().toLowerCase().normalize("NFKC");
}
