/** What is known of one member: only its name, or also what `typeof` says of a right value. */
export type Kind = "any" | "boolean" | "function" | "number" | "object" | "string";

/** Every member of `T`, so that the compiler finds one that is missing. */
export type Known<T> = { readonly [K in keyof T]-?: Kind };

export interface AssertOptions {
  /** What the value is called where it is no object. */
  readonly what?: string;
  /** Names that are taken for others. */
  readonly meant?: { readonly [name: string]: string };
}

/**
 * Throws a `TypeError` for options that are no object or have a member nobody reads: a slip of the pen would
 * else be passed over in silence.
 */
export function assertOptions(
  label: string,
  options: unknown,
  known: { readonly [name: string]: Kind },
  { what = "options", meant = {} }: AssertOptions = {},
): void {
  if (typeof options !== "object" || options === null) {
    throw new TypeError(`${label}: ${what} must be an object, not ${kindOf(options)}`);
  }
  for (const [name, value] of Object.entries(options)) {
    const kind = Object.hasOwn(known, name) ? known[name] : undefined;
    if (kind === undefined) throw unknownOption(label, name, Object.keys(known), meant);
    if (value !== undefined && kind !== "any" && typeof value !== kind) {
      throw new TypeError(`${label}: ${name} is not a ${kind} but ${kindOf(value)}`);
    }
  }
}

function unknownOption(
  label: string,
  name: string,
  known: readonly string[],
  meant: { readonly [name: string]: string },
): TypeError {
  const folded = name.toLowerCase();
  const wanted =
    known.find((other) => other.toLowerCase() === folded) ??
    (Object.hasOwn(meant, folded) ? meant[folded] : undefined);
  const hint = wanted === undefined ? "" : `, ${wanted} is meant`;
  return new TypeError(
    `${label}: unknown option ${JSON.stringify(name)}${hint}; known are ${known.join(", ")}`,
  );
}

export function kindOf(value: unknown): string {
  return value === null ? "null" : typeof value;
}
