import type { JsonObject } from "../../json/value.ts";

/** A folder or file of the client's. It informs; it gives no access. @see https://modelcontextprotocol.io/specification/2026-07-28/client/roots */
export interface Root {
  /** Starts with `file://`. */
  readonly uri: string;
  readonly name?: string;
  readonly _meta?: JsonObject;
}

export interface ListRootsResult {
  readonly roots: readonly Root[];
}
