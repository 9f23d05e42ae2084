import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { StandardSchema } from "./schema.ts";

/**
 * Adds the JSON Schema to a schema whose library validates but cannot say it.
 *
 * `json` is asked for both sides: `"input"` is what arrives, `"output"` what validation gives. It must
 * return the same schema each time.
 *
 * @example
 * withJsonSchema(schema, (io) => z.toJSONSchema(schema, { io }));
 */
export function withJsonSchema<I, O>(
  schema: StandardSchemaV1<I, O>,
  json: (io: "input" | "output") => object,
): StandardSchema<I, O> {
  const { version, vendor, types } = schema["~standard"];
  const convert = (io: "input" | "output") => () => ({ ...json(io) });
  return {
    "~standard": {
      version,
      vendor,
      ...(types === undefined ? {} : { types }),
      validate: (value, options) => schema["~standard"].validate(value, options),
      jsonSchema: { input: convert("input"), output: convert("output") },
    },
  };
}
