import type {
  StandardJSONSchemaV1,
  StandardSchemaV1,
  StandardTypedV1,
} from "@standard-schema/spec";
import type { FromJsonSchema, JsonSchema } from "./json-schema.ts";

/** A schema of any library that validates (Standard Schema) and can say its JSON Schema. */
export interface StandardSchema<I = unknown, O = I> {
  readonly "~standard": StandardSchemaV1.Props<I, O> & StandardJSONSchemaV1.Props<I, O>;
}

/** What a tool or prompt takes as a schema. */
export type Schema = StandardSchema | JsonSchema;

/** What goes in: what a client sends to a tool, what a handler returns for an `outputSchema`. */
export type InputOf<S> = S extends StandardTypedV1<infer I, unknown> ? I : FromJsonSchema<S>;

/** What comes out of validation: what a handler gets, what a client is given. */
export type OutputOf<S> = S extends StandardTypedV1<unknown, infer O> ? O : FromJsonSchema<S>;
