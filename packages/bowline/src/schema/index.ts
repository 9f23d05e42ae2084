export type { FromJsonSchema, JsonSchema } from "./json-schema.ts";
export type { InputOf, OutputOf, Schema, StandardSchema } from "./schema.ts";
export { withJsonSchema } from "./with-json-schema.ts";
