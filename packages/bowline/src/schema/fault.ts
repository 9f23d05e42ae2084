/** A place in a schema as a reader writes it: `#/properties/city`. */
export function pointer(path: readonly string[]): string {
  return `#${toPointer(path)}`;
}

/** A JSON Pointer. */
export function toPointer(path: readonly string[]): string {
  return path.map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
