import { fitsBytes } from "../../base/bytes.ts";
import { MAX_FORM_BYTES, MAX_FORM_FIELDS } from "../../base/limits.ts";
import type { MaybePromise } from "../../base/maybe-promise.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json/value.ts";
import { type Check, compileSchema } from "../compile.ts";
import { assertPlainSchema, convertSchema, isStandardSchema } from "../convert.ts";
import { copySchema } from "../copy.ts";
import { assertAnswerable } from "./answerable.ts";
import { answerIssues } from "./check-answer.ts";
import { toField } from "./field.ts";
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
  const isStandard = isStandardSchema(schema);
  const json = jsonOf(schema, label);
  const requestedSchema = isStandard ? toForm(json, label) : asWritten(json, label);
  if (isStandard && Object.hasOwn(requestedSchema.properties, "__proto__")) {
    throw refused(label, 'field "__proto__": libraries lose a field of this name: rename it');
  }
  const compiled = compileSchema(schema, { io: "input", label });
  const fields = new Set(Object.keys(requestedSchema.properties));
  return {
    requestedSchema,
    check: async (content) => {
      if (!isJsonObject(content)) {
        return { ok: false, issues: [{ path: "", message: "must be an object" }] };
      }
      // First as it was asked: a library that coerces or catches would take anything.
      const issues = answerIssues(requestedSchema, content, { isFormatChecked: !isStandard });
      if (issues.length > 0) return { ok: false, issues };
      const known = Object.entries(content).filter(([name]) => fields.has(name));
      return compiled.check(toRead(Object.fromEntries(known), requestedSchema));
    },
  };
}

/** Libraries read a field that is missing as the inherited member of its name. */
function toRead(content: JsonObject, { properties }: RequestedSchema): JsonObject {
  const isInherited = Object.keys(properties).some((name) => name in Object.prototype);
  return isInherited ? Object.assign(Object.create(null), content) : content;
}

function jsonOf(schema: FormSchema, label: string): JsonValue {
  try {
    if (isStandardSchema(schema)) return convertSchema(schema, "input");
    assertPlainSchema(schema);
    return copySchema(schema).json;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const field = unconvertibleField(schema);
    const place = field === undefined ? "" : `field ${JSON.stringify(field)}: `;
    throw new TypeError(`${label}: ${place}${reason}`, { cause });
  }
}

/** Converters do not say at which field they failed; those of zod can be asked one by one. */
function unconvertibleField(schema: FormSchema): string | undefined {
  const shape: unknown = "shape" in schema ? schema.shape : undefined;
  const fields = isStandardSchema(schema) && isJsonObject(shape) ? Object.entries(shape) : [];
  return fields.find(([, field]) => !isConvertible(field))?.[0];
}

function isConvertible(field: unknown): boolean {
  if (!isJsonObject(field) || !isStandardSchema(field)) return true;
  try {
    convertSchema(field, "input");
    return true;
  } catch {
    // What is told is the failure of the whole; this one says where it is.
    return false;
  }
}

/** Keywords that say more of an object than a list of its fields. */
const STRUCTURAL: readonly string[] = [
  "$ref",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "patternProperties",
  "dependentRequired",
  "dependentSchemas",
];

function toForm(written: JsonValue, label: string): RequestedSchema {
  const json = followed(written, label);
  const root = isJsonObject(json) ? json : {};
  const { additionalProperties, properties, required, type } = root;
  const structural = STRUCTURAL.find((keyword) => root[keyword] !== undefined);
  if (structural !== undefined) throw refused(label, `${structural} has no place in a form`);
  if (
    type !== "object" ||
    (isJsonObject(additionalProperties) && !isAnything(additionalProperties))
  ) {
    throw refused(label, "a form is an object with fields that are known beforehand");
  }
  const entries = Object.entries(isJsonObject(properties) ? properties : {});
  if (entries.length > MAX_FORM_FIELDS) {
    throw refused(label, `more than ${MAX_FORM_FIELDS} fields are too many for a form`);
  }
  const fields = entries.map(([name, property]) => [name, fieldOf(label, name, property)] as const);
  const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  const lost = names.find((name) => !entries.some(([field]) => field === name));
  if (lost !== undefined) {
    throw refused(label, `field ${JSON.stringify(lost)}: it is required, but is no property`);
  }
  const form: RequestedSchema = {
    type: "object",
    properties: Object.fromEntries(fields),
    ...(names.length > 0 ? { required: names } : {}),
  };
  if (fitsBytes(JSON.stringify(form), MAX_FORM_BYTES)) return form;
  throw refused(label, `the form has more than ${MAX_FORM_BYTES} bytes`);
}

function followed(json: JsonValue, label: string): JsonValue {
  try {
    return withoutReferences(json);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`${label}: ${reason}`, { cause });
  }
}

const isAnything = (schema: JsonObject): boolean => Object.keys(schema).length === 0;

const refused = (label: string, reason: string): TypeError => new TypeError(`${label}: ${reason}`);

function fieldOf(label: string, name: string, property: JsonValue | undefined): RequestedField {
  try {
    const field = toField(property ?? null);
    assertAnswerable(field);
    return field;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`${label}: field ${JSON.stringify(name)}: ${reason}`, { cause });
  }
}

/** JSON Schema of the author's, word for word where it is a form already. */
function asWritten(json: JsonValue, label: string): RequestedSchema {
  const form = toForm(json, label);
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
