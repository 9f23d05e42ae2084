/**
 * A plain JSON Schema, of dialect 2020-12 unless `$schema` names draft-07; other dialects are refused.
 * `format` is an annotation, references stay inside the schema, and a `$dynamicRef` must have one
 * possible target.
 *
 * Written as a literal it types arguments and results; `as const` is not needed. Keywords that are not
 * named here are allowed. A value whose type says little (an imported JSON file) works as well, but
 * types nothing.
 */
export interface JsonSchema {
  readonly "~standard"?: "this library cannot say its JSON Schema: wrap the schema with withJsonSchema()";
  readonly $schema?: string | undefined;
  readonly $id?: string | undefined;
  readonly $ref?: string | undefined;
  readonly $defs?: { readonly [name: string]: JsonSchema | boolean } | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly type?: JsonSchemaType | readonly JsonSchemaType[] | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string | undefined;
  readonly properties?: { readonly [name: string]: JsonSchema | boolean } | undefined;
  readonly required?: readonly string[] | undefined;
  readonly patternProperties?: { readonly [pattern: string]: JsonSchema | boolean } | undefined;
  readonly additionalProperties?: JsonSchema | boolean | undefined;
  readonly items?: JsonSchema | boolean | readonly (JsonSchema | boolean)[] | undefined;
  readonly prefixItems?: readonly (JsonSchema | boolean)[] | undefined;
  readonly allOf?: readonly (JsonSchema | boolean)[] | undefined;
  readonly anyOf?: readonly (JsonSchema | boolean)[] | undefined;
  readonly oneOf?: readonly (JsonSchema | boolean)[] | undefined;
  readonly not?: JsonSchema | boolean | undefined;
}

export type JsonSchemaType =
  | "string"
  | "number"
  | "integer"
  | "boolean"
  | "null"
  | "array"
  | "object"
  | (string & {});

/** The values a JSON Schema accepts, as far as its static type says: `unknown` where it says nothing. */
export type FromJsonSchema<S> = S extends { readonly const: infer C }
  ? C
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
    : S extends { readonly anyOf: readonly (infer B)[] }
      ? FromJsonSchema<B>
      : S extends { readonly oneOf: readonly (infer B)[] }
        ? FromJsonSchema<B>
        : S extends { readonly allOf: infer A extends readonly unknown[] }
          ? FromAll<A>
          : S extends { readonly type: infer N }
            ? FromType<N extends readonly (infer M)[] ? M : N, S>
            : S extends false
              ? never
              : unknown;

type FromType<N, S> = N extends "string"
  ? string
  : N extends "number" | "integer"
    ? number
    : N extends "boolean"
      ? boolean
      : N extends "null"
        ? null
        : N extends "array"
          ? FromArray<S>
          : N extends "object"
            ? FromObject<S>
            : unknown;

type FromArray<S> = S extends { readonly items: readonly unknown[] }
  ? readonly unknown[]
  : S extends { readonly prefixItems: readonly unknown[] }
    ? readonly unknown[]
    : S extends { readonly items: infer I }
      ? readonly FromJsonSchema<I>[]
      : readonly unknown[];

type FromObject<S> = S extends { readonly properties: infer P }
  ? Flat<
      { readonly [K in keyof P as K extends RequiredOf<S> ? K : never]: FromJsonSchema<P[K]> } & {
        readonly [K in keyof P as K extends RequiredOf<S> ? never : K]?: FromJsonSchema<P[K]>;
      }
    >
  : { readonly [name: string]: unknown };

type RequiredOf<S> = S extends { readonly required: readonly (infer R)[] } ? R : never;

type FromAll<A extends readonly unknown[]> = A extends readonly [infer First, ...infer Rest]
  ? FromJsonSchema<First> & FromAll<Rest>
  : unknown;

type Flat<O> = { [K in keyof O]: O[K] };
