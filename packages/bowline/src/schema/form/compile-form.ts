import { fitsBytes } from "../../base/bytes.ts";
import { MAX_FORM_BYTES, MAX_FORM_FIELDS } from "../../base/limits.ts";
import type { MaybePromise } from "../../base/maybe-promise.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json/value.ts";
import { type Check, compileSchema } from "../compile.ts";
import { assertPlainSchema, convertSchema, isStandardSchema } from "../convert.ts";
import { copySchema } from "../copy.ts";
import { itemsOf } from "../plain/keyword.ts";
import type { StandardSchema } from "../schema.ts";
import { answerIssues, faultOf, offeredBy } from "./check-answer.ts";
import { assertSimple, STRUCTURAL, toField } from "./field.ts";
import type { FormSchema } from "./form-schema.ts";
import { withoutReferences } from "./references.ts";
import type { RequestedField, RequestedSchema } from "./requested-schema.ts";

/** A form ready for use: what is asked, and the check that goes with it. */
export interface CompiledForm {
  readonly requestedSchema: RequestedSchema;
  /** Checks what was filled in, also by what the form could not say. Fields nobody asked for are left out. */
  check(content: unknown): MaybePromise<Check>;
}

/** Throws a `TypeError` that starts with the label and names the field where a client could not show it. */
export function compileForm(schema: FormSchema, label: string): CompiledForm {
  const requestedSchema = labelled(`${label}: `, () => requestedOf(schema));
  const compiled = compileSchema(schema, { io: "input", label });
  const fields = Object.keys(requestedSchema.properties);
  // Libraries read a field that is missing as the inherited member of its name.
  const prototype = fields.some((name) => name in Object.prototype) ? null : Object.prototype;
  return {
    requestedSchema,
    check: async (content) => {
      if (!isJsonObject(content)) {
        return { ok: false, issues: [{ path: "", message: "must be an object" }] };
      }
      // First as it was asked: a library that coerces or catches would take anything.
      const issues = answerIssues(requestedSchema, content, !isStandardSchema(schema));
      if (issues.length > 0) return { ok: false, issues };
      const known = Object.entries(content).filter(([name]) => fields.includes(name));
      return compiled.check(Object.setPrototypeOf(Object.fromEntries(known), prototype));
    },
  };
}

/** Says at the start of an error where it belongs. */
function labelled<T>(label: string, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(label + reason, { cause });
  }
}

const named = <T>(name: string, run: () => T): T =>
  labelled(`field ${JSON.stringify(name)}: `, run);

function requestedOf(schema: FormSchema): RequestedSchema {
  if (!isStandardSchema(schema)) {
    assertPlainSchema(schema);
    return asWritten(copySchema(schema).json);
  }
  const form = toForm(convertByField(schema));
  if (!Object.hasOwn(form.properties, "__proto__")) return form;
  throw new TypeError('field "__proto__": a library loses it: rename it');
}

/** Converters do not say at which field they failed; those of zod can be asked one by one. */
function convertByField(schema: StandardSchema): JsonValue {
  try {
    return convertSchema(schema, "input");
  } catch (error) {
    const shape: unknown = "shape" in schema ? schema.shape : undefined;
    for (const [name, field] of Object.entries(isJsonObject(shape) ? shape : {})) {
      if (!isJsonObject(field) || !isStandardSchema(field)) continue;
      named(name, () => convertSchema(field, "input"));
    }
    throw error;
  }
}

/** Keywords that say more of an object than a list of its fields. */
const BEYOND_FIELDS: readonly string[] = [
  ...STRUCTURAL,
  "anyOf",
  "oneOf",
  "patternProperties",
  "dependentRequired",
  "dependentSchemas",
];

function toForm(written: JsonValue): RequestedSchema {
  const json = withoutReferences(written);
  const root = isJsonObject(json) ? json : {};
  const { additionalProperties, properties, required, type } = root;
  assertSimple(root, BEYOND_FIELDS);
  if (
    type !== "object" ||
    (isJsonObject(additionalProperties) && !isAnything(additionalProperties))
  ) {
    throw new TypeError("a form is an object with fields that are known beforehand");
  }
  const entries = Object.entries(isJsonObject(properties) ? properties : {});
  if (entries.length > MAX_FORM_FIELDS) {
    throw new TypeError(`more than ${MAX_FORM_FIELDS} fields are too many for a form`);
  }
  const fields = Object.fromEntries(
    entries.map(([name, property]) => [name, named(name, () => fieldOf(property ?? null))]),
  );
  const names = itemsOf(required).map(String);
  for (const name of names) {
    if (Object.hasOwn(fields, name)) continue;
    throw new TypeError(`field ${JSON.stringify(name)}: required, but no property`);
  }
  const form: RequestedSchema = {
    type: "object",
    properties: fields,
    ...(names.length > 0 ? { required: names } : {}),
  };
  if (fitsBytes(JSON.stringify(form), MAX_FORM_BYTES)) return form;
  throw new TypeError(`the form has more than ${MAX_FORM_BYTES} bytes`);
}

const isAnything = (schema: JsonObject): boolean => Object.keys(schema).length === 0;

function fieldOf(property: JsonValue): RequestedField {
  const field = toField(property);
  if (offeredBy(field)?.length === 0) throw new TypeError("there is nothing to choose from");
  if (field.default === undefined || faultOf(field, field.default, false) === undefined) {
    return field;
  }
  throw new TypeError(`the default ${JSON.stringify(field.default)} does not fit`);
}

/** JSON Schema of the author's, word for word where it is a form already. */
function asWritten(json: JsonValue): RequestedSchema {
  const form = toForm(json);
  return isJsonObject(json) && isSame(form, json) ? verbatim(json) : form;
}

/** Whether a schema says nothing but what the form made of it says, whatever the order of its members. */
function isSame(form: RequestedSchema, root: JsonObject): boolean {
  return sortedText(form) === sortedText({ ...root, $schema: undefined });
}

function sortedText(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) => {
    if (!isJsonObject(inner)) return inner;
    const names = Object.keys(inner).toSorted();
    return Object.fromEntries(names.map((name) => [name, inner[name]]));
  });
}

function verbatim(root: JsonObject): RequestedSchema {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- member by member the same as a form
  return root as unknown as RequestedSchema;
}
