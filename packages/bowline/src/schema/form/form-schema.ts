import type { StandardSchema } from "../schema.ts";
import type { JsonSchema } from "../json-schema.ts";
export type FormInput = {
  readonly [field: string]: string | number | boolean | readonly string[] | undefined;
};
export type FormSchema = StandardSchema<FormInput, unknown> | JsonSchema;
