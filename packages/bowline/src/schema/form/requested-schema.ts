/** One choice with the text that a user sees. */
export interface TitledChoice {
  readonly const: string;
  readonly title: string;
}

interface Described {
  readonly title?: string;
  readonly description?: string;
}

export interface StringField extends Described {
  readonly type: "string";
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: "email" | "uri" | "date" | "date-time";
  readonly default?: string;
}

export interface NumberField extends Described {
  readonly type: "number" | "integer";
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
}

export interface BooleanField extends Described {
  readonly type: "boolean";
  readonly default?: boolean;
}

export interface ChoiceField extends Described {
  readonly type: "string";
  readonly enum?: readonly string[];
  /** Texts for `enum`, in its order; better written as `oneOf`. */
  readonly enumNames?: readonly string[];
  readonly oneOf?: readonly TitledChoice[];
  readonly default?: string;
}

export interface ChoicesField extends Described {
  readonly type: "array";
  readonly items:
    | { readonly type: "string"; readonly enum: readonly string[] }
    | { readonly anyOf: readonly TitledChoice[] };
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: readonly string[];
}

/** One field of a form that a client can show. */
export type RequestedField = StringField | NumberField | BooleanField | ChoiceField | ChoicesField;

/**
 * The restricted JSON Schema of a form.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
 */
export interface RequestedSchema {
  readonly $schema?: string;
  readonly type: "object";
  readonly properties: { readonly [field: string]: RequestedField };
  readonly required?: readonly string[];
}
