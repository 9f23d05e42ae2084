import * as z from "zod";
import type { Fields } from "./tools.ts";

/** The arguments of a tool as its author would write them; every server gets the same schemas. */
export function zodOf(fields: Fields): z.ZodObject {
  return z.object(
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => {
        const schema = fieldOf(field);
        return [name, field.optional === true ? schema.optional() : schema];
      }),
    ),
  );
}

function fieldOf(field: Fields[string]): z.ZodType {
  return bareFieldOf(field).describe(field.description);
}

function bareFieldOf(field: Fields[string]): z.ZodType {
  if (field.type === "enum") return z.enum(field.values);
  if (field.type === "array") return z.array(fieldOf(field.items));
  if (field.type === "string") return z.string().max(field.max);
  return field.type === "number" ? z.number() : z.boolean();
}
