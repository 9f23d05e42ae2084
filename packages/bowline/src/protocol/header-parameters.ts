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
