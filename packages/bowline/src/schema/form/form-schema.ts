import type { JsonSchema } from "../json-schema.ts";
import type { StandardSchema } from "../schema.ts";

/** What a user can fill in: nothing nested, and nothing unknown. */
export type FormInput = {
  readonly [field: string]: string | number | boolean | readonly string[] | undefined;
};

/** A form, as a schema of any library or as JSON Schema. */
export type FormSchema = StandardSchema<FormInput, unknown> | FormJsonSchema;

/** A form as JSON Schema: an object whose properties are simple. */
export interface FormJsonSchema extends JsonSchema {
  readonly type: "object";
  readonly properties: { readonly [field: string]: FormField };
}

interface FormField extends JsonSchema {
  readonly type?: "string" | "number" | "integer" | "boolean" | "array" | undefined;
}
