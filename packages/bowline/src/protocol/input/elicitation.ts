import type { RequestedSchema } from "../../schema/form/requested-schema.ts";

/** Asks the user to fill in a form. @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation */
export interface ElicitFormParams {
  readonly mode?: "form";
  readonly message: string;
  readonly requestedSchema: RequestedSchema;
}

/** Asks the user to open a page. */
export interface ElicitUrlParams {
  readonly mode: "url";
  readonly message: string;
  readonly url: string;
}

export interface ElicitResult {
  /** `decline` refuses; `cancel` closes the question without a choice. */
  readonly action: "accept" | "decline" | "cancel";
  /** What was filled in; only with `accept`, and only of a form. */
  readonly content?: { readonly [field: string]: string | number | boolean | readonly string[] };
}
