import { isJsonObject, type JsonObject } from "../../json/value.ts";
import { wrong } from "../lists/definition.ts";
import type { Completer } from "../prompt-types.ts";

export interface CompleterSource {
  readonly complete: { readonly [name: string]: Completer | undefined } | undefined;
  /** The arguments or variables there are. */
  readonly names: ReadonlySet<string>;
  /** Of the arguments, where they have one: an enumeration in it completes itself. */
  readonly schema?: JsonObject | undefined;
}

/** Completers by argument. Throws a `TypeError` where one is given for an argument that does not exist. */
export function completersOf(
  label: string,
  { complete = {}, names, schema }: CompleterSource,
): ReadonlyMap<string, Completer> {
  const completers = new Map<string, Completer>();
  for (const name of names) {
    const values = enumerated(schema, name);
    if (values.length > 0) completers.set(name, (value) => suggest(values, value));
  }
  for (const [name, completer] of Object.entries(complete)) {
    if (completer === undefined) continue;
    if (!names.has(name)) throw wrong(label, `complete: there is no ${JSON.stringify(name)}`);
    if (typeof completer !== "function") {
      throw wrong(label, `complete: ${JSON.stringify(name)} is not a function`);
    }
    completers.set(name, completer);
  }
  return completers;
}

/** The texts an argument can have, where its schema names them all. */
function enumerated(schema: JsonObject | undefined, name: string): readonly string[] {
  const properties = schema?.["properties"];
  const property =
    isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return valuesOf(property);
}

function valuesOf(schema: unknown): readonly string[] {
  if (!isJsonObject(schema)) return [];
  const { enum: values, const: value, anyOf, oneOf } = schema;
  if (typeof value === "string") return [value];
  if (Array.isArray(values)) return values.filter((item) => typeof item === "string");
  const branches = anyOf ?? oneOf;
  if (!Array.isArray(branches)) return [];
  const found = branches.map((branch) =>
    isJsonObject(branch) && typeof branch["const"] === "string" ? branch["const"] : undefined,
  );
  return found.every((item) => item !== undefined) ? found : [];
}

/** Those that start with what was typed, then those that contain it; capital letters do not matter. */
function suggest(values: readonly string[], typed: string): readonly string[] {
  const wanted = typed.toLowerCase();
  const matches = values.filter((value) => value.toLowerCase().includes(wanted));
  const first = matches.filter((value) => value.toLowerCase().startsWith(wanted));
  return [...first, ...matches.filter((value) => !first.includes(value))];
}
