import { DecodeError } from "../base/errors.ts";
import { MAX_HEADER_PARAMETERS } from "../base/limits.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/value.ts";

/** The types of arguments that can be mirrored in a header. */
export type HeaderParameterType = "string" | "integer" | "boolean";

/**
 * An argument that clients mirror in the header `Mcp-Param-<name>` on Streamable HTTP.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export interface HeaderParameter {
  /** As annotated by `x-mcp-header`, without the prefix. */
  readonly name: string;
  /** Property names from the root of the arguments. */
  readonly path: readonly string[];
  readonly type: HeaderParameterType;
}

/** The annotation, beside the type of a property. */
const ANNOTATION = "x-mcp-header";
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const TYPES: ReadonlySet<string> = new Set(["string", "integer", "boolean"]);
/** What these hold is a value, not a schema: an annotation in it is not one. */
const VALUES: ReadonlySet<string> = new Set(["const", "enum", "default", "examples"]);
/** What these hold are schemas by names of the author's choice. */
const MAPS: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
  "dependencies",
]);

/**
 * The arguments an input schema marks for mirroring, in the order of the schema. Throws a `DecodeError` for
 * a mark that breaks a rule, which makes the whole tool definition unusable.
 */
export function headerParametersOf(inputSchema: JsonObject): readonly HeaderParameter[] {
  const found: HeaderParameter[] = [];
  visitSchema(inputSchema, { place: [], argument: [], isReachable: true }, found);
  const names = new Set<string>();
  for (const { name } of found) {
    const folded = name.toLowerCase();
    if (names.has(folded)) throw fault([], `${ANNOTATION} ${JSON.stringify(name)} is used twice`);
    names.add(folded);
  }
  return found;
}

interface Position {
  /** Where in the schema. */
  readonly place: readonly string[];
  /** Where in the arguments, as long as only `properties` led here. */
  readonly argument: readonly string[];
  readonly isReachable: boolean;
}

function visitSchema(schema: JsonValue, at: Position, found: HeaderParameter[]): void {
  if (Array.isArray(schema)) {
    for (const [index, item] of schema.entries()) visitSchema(item, lost(at, String(index)), found);
    return;
  }
  if (!isJsonObject(schema)) return;
  if (schema[ANNOTATION] !== undefined) {
    if (found.length === MAX_HEADER_PARAMETERS) {
      throw fault(at.place, `more than ${MAX_HEADER_PARAMETERS} parameters have ${ANNOTATION}`);
    }
    found.push(toParameter(schema, at));
  }
  for (const [keyword, value] of Object.entries(schema)) {
    if (value !== undefined && !VALUES.has(keyword)) visitKeyword(keyword, value, at, found);
  }
}

function visitKeyword(
  keyword: string,
  value: JsonValue,
  at: Position,
  found: HeaderParameter[],
): void {
  if (!MAPS.has(keyword) || !isJsonObject(value)) {
    visitSchema(value, lost(at, keyword), found);
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    const place = [...at.place, keyword, name];
    const isReachable = at.isReachable && keyword === "properties";
    if (member !== undefined) {
      visitSchema(member, { place, argument: [...at.argument, name], isReachable }, found);
    }
  }
}

const lost = (at: Position, step: string): Position => ({
  place: [...at.place, step],
  argument: [],
  isReachable: false,
});

function toParameter(schema: JsonObject, at: Position): HeaderParameter {
  const { [ANNOTATION]: name, type } = schema;
  if (typeof name !== "string" || !TOKEN.test(name)) {
    throw fault(at.place, `${ANNOTATION} ${JSON.stringify(name)} is not the name of a header`);
  }
  if (!at.isReachable || at.argument.length === 0) {
    throw fault(at.place, `${ANNOTATION} ${JSON.stringify(name)} marks no argument of its own`);
  }
  if (!isHeaderType(type)) {
    throw fault(
      at.place,
      `${ANNOTATION} ${JSON.stringify(name)} marks an argument whose type is not string, integer or boolean`,
    );
  }
  return { name, path: at.argument, type };
}

const isHeaderType = (type: JsonValue | undefined): type is HeaderParameterType =>
  typeof type === "string" && TYPES.has(type);

function fault(place: readonly string[], message: string): DecodeError {
  const path = place.map((step) => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  return new DecodeError(`${message}, at #${path}`, { path });
}

/** The argument a header mirrors; undefined where it is absent or null, and no header is due. */
export function mirroredArgument(
  parameter: HeaderParameter,
  args: JsonValue | undefined,
): JsonValue | undefined {
  let value = args;
  for (const name of parameter.path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value === null ? undefined : value;
}
