import type { JsonObject } from "../json/value.ts";

/** What the client of one request can do. `{}` is nothing optional at all. */
export interface ClientCapabilities {
  readonly experimental?: { readonly [name: string]: JsonObject };
  readonly elicitation?: { readonly form?: JsonObject; readonly url?: JsonObject };
  readonly sampling?: { readonly context?: JsonObject; readonly tools?: JsonObject };
  readonly roots?: JsonObject;
  readonly extensions?: { readonly [id: string]: JsonObject };
}

/** What a server offers, as told by `server/discover`. */
export interface ServerCapabilities {
  readonly experimental?: { readonly [name: string]: JsonObject };
  readonly logging?: JsonObject;
  readonly completions?: JsonObject;
  readonly prompts?: { readonly listChanged?: boolean };
  readonly resources?: { readonly subscribe?: boolean; readonly listChanged?: boolean };
  readonly tools?: { readonly listChanged?: boolean };
  readonly extensions?: { readonly [id: string]: JsonObject };
}
