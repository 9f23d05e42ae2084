import { fitsBytes } from "../../base/bytes.ts";
import { MAX_DESCRIPTION_BYTES, MAX_NAME_BYTES } from "../../base/limits.ts";
import { isJsonObject, type JsonObject } from "../../json/value.ts";
import type { Visibility } from "../tool-types.ts";

/** The members that tools, prompts, resources and templates describe themselves with. */
interface Described {
  readonly name?: unknown;
  readonly title?: unknown;
  readonly description?: unknown;
  readonly icons?: unknown;
  readonly annotations?: unknown;
  readonly _meta?: unknown;
  readonly [member: string]: unknown;
}

/**
 * The definition as it is listed: a frozen copy of its members, without those that are undefined.
 *
 * Throws a `TypeError` that starts with `label` for a member that no client could use.
 */
export function createDefinition(label: string, members: Described): JsonObject {
  const { title, description, icons, annotations, _meta } = members;
  if (title !== undefined && typeof title !== "string") throw wrong(label, "title is not a string");
  if (description !== undefined) {
    if (typeof description !== "string") throw wrong(label, "description is not a string");
    if (!fitsBytes(description, MAX_DESCRIPTION_BYTES)) {
      throw wrong(label, `description has more than ${MAX_DESCRIPTION_BYTES} bytes`);
    }
  }
  if (icons !== undefined) assertIcons(label, icons);
  if (annotations !== undefined) assertAnnotations(label, annotations);
  if (_meta !== undefined) assertMetaKeys(label, _meta);
  return freezeCopy(label, members);
}

export function wrong(label: string, reason: string): TypeError {
  return new TypeError(`${label}: ${reason}`);
}

/** Characters nobody sees, and those that turn text around: names that hold them could pass for others. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

export function assertName(label: string, name: unknown): asserts name is string {
  if (typeof name !== "string" || name === "")
    throw wrong(label, "the name is empty or not a string");
  if (!fitsBytes(name, MAX_NAME_BYTES))
    throw wrong(label, `the name has more than ${MAX_NAME_BYTES} bytes`);
  if (HIDDEN.test(name)) throw wrong(label, "the name holds a character that cannot be seen");
}

/** Undefined where everyone sees the entry. */
export function visibilityOf(label: string, config: Visibility): Visibility | undefined {
  const { scopes, visible } = config;
  if (scopes === undefined && visible === undefined) return undefined;
  if (scopes !== undefined && !(Array.isArray(scopes) && scopes.every(isText))) {
    throw wrong(label, "scopes is not a list of strings");
  }
  if (visible !== undefined && typeof visible !== "function") {
    throw wrong(label, "visible is not a function");
  }
  return { scopes: scopes?.slice(), visible };
}

const isText = (value: unknown): value is string => typeof value === "string";

function assertIcons(label: string, icons: unknown): void {
  if (!Array.isArray(icons)) throw wrong(label, "icons is not a list");
  for (const icon of icons as unknown[]) {
    const src = isJsonObject(icon) ? icon["src"] : undefined;
    if (typeof src !== "string" || !/^(?:https?:\/\/|data:image\/)/i.test(src)) {
      throw wrong(label, "the src of an icon is neither an http(s) URL nor a data URL of an image");
    }
  }
}

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
const ROLES: readonly unknown[] = ["user", "assistant"];

function assertAnnotations(label: string, annotations: unknown): void {
  if (!isJsonObject(annotations)) throw wrong(label, "annotations is not an object");
  const { title, audience, priority, lastModified } = annotations;
  if (title !== undefined && !isText(title))
    throw wrong(label, "annotations.title is not a string");
  for (const hint of HINTS) {
    const value = annotations[hint];
    if (value !== undefined && typeof value !== "boolean") {
      throw wrong(label, `annotations.${hint} is not a boolean`);
    }
  }
  if (
    audience !== undefined &&
    !(Array.isArray(audience) && audience.every((r) => ROLES.includes(r)))
  ) {
    throw wrong(label, 'annotations.audience is not a list of "user" and "assistant"');
  }
  if (priority !== undefined && !(typeof priority === "number" && priority >= 0 && priority <= 1)) {
    throw wrong(label, "annotations.priority is not a number from 0 to 1");
  }
  if (
    lastModified !== undefined &&
    !(isText(lastModified) && !Number.isNaN(Date.parse(lastModified)))
  ) {
    throw wrong(label, "annotations.lastModified is not an ISO 8601 time");
  }
}

/** Dot-separated labels and a slash, then a name; every part starts and ends with a letter or digit. */
const META_KEY =
  /^(?:(?:[a-z](?:[a-z\d-]*[a-z\d])?)(?:\.[a-z](?:[a-z\d-]*[a-z\d])?)*\/)?(?:[a-z\d](?:[\w.-]*[a-z\d])?)?$/i;

function assertMetaKeys(label: string, meta: unknown): void {
  if (!isJsonObject(meta)) throw wrong(label, "_meta is not an object");
  for (const key of Object.keys(meta)) {
    if (!META_KEY.test(key))
      throw wrong(label, `_meta has the malformed key ${JSON.stringify(key)}`);
  }
}

function freezeCopy(label: string, members: object): JsonObject {
  let copy: unknown;
  try {
    copy = JSON.parse(JSON.stringify(members));
  } catch (cause) {
    throw new TypeError(`${label}: the definition has no JSON form`, { cause });
  }
  deepFreeze(copy);
  return copy as JsonObject;
}

function deepFreeze(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const member of Object.values(value)) deepFreeze(member);
  Object.freeze(value);
}
