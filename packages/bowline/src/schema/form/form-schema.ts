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

type FormField = FormText | FormNumber | FormBoolean | FormChoices | FormList;

interface FormText extends JsonSchema {
  readonly type: "string";
}

interface FormNumber extends JsonSchema {
  readonly type: "number" | "integer";
  readonly const?: undefined;
  readonly enum?: undefined;
}

interface FormBoolean extends JsonSchema {
  readonly type: "boolean";
}

interface FormList extends JsonSchema {
  readonly type: "array";
  readonly items: FormChoices;
}

/** Texts to choose from, in any of the ways in which JSON Schema says them. */
type FormChoices =
  | FormChoice
  | (JsonSchema & { readonly enum: readonly string[] })
  | (JsonSchema & { readonly anyOf: readonly FormChoice[] })
  | (JsonSchema & { readonly oneOf: readonly FormChoice[] });

interface FormChoice extends JsonSchema {
  readonly const: string;
}
