import { fitsBytes } from "../../base/bytes.ts";
import { assertOptions, type Kind } from "../../base/known-members.ts";
import { MAX_DESCRIPTION_BYTES, MAX_NAME_BYTES } from "../../base/limits.ts";
import { isJsonObject, type JsonObject } from "../../json/value.ts";
import { isMetaKey } from "../../protocol/request/meta-key.ts";
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

/** What every config may have; `createDefinition` and `visibilityOf` look at the values. */
export const DESCRIBED = {
  title: "any",
  description: "any",
  icons: "any",
  _meta: "any",
  scopes: "any",
  visible: "any",
} as const;

export function assertConfig(
  label: string,
  config: unknown,
  known: { readonly [name: string]: Kind },
  meant?: { readonly [name: string]: string },
): void {
  const what = "what comes before the handler, such as { description },";
  assertOptions(label, config, known, { what, ...(meant && { meant }) });
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

export function assertHandler(label: string, handler: unknown): void {
  if (typeof handler !== "function") throw wrong(label, "the handler is not a function");
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

const isBoolean = (value: unknown): boolean => typeof value === "boolean";
const isRoles = (value: unknown): boolean =>
  Array.isArray(value) && value.every((role) => role === "user" || role === "assistant");
const isPriority = (value: unknown): boolean =>
  typeof value === "number" && value >= 0 && value <= 1;
const isTime = (value: unknown): boolean => isText(value) && !Number.isNaN(Date.parse(value));

const IS_NO_BOOLEAN = "is not a boolean";

type Rule = readonly [name: string, isRight: (value: unknown) => boolean, rule: string];
const ANNOTATIONS: readonly Rule[] = [
  ["title", isText, "is not a string"],
  ["readOnlyHint", isBoolean, IS_NO_BOOLEAN],
  ["destructiveHint", isBoolean, IS_NO_BOOLEAN],
  ["idempotentHint", isBoolean, IS_NO_BOOLEAN],
  ["openWorldHint", isBoolean, IS_NO_BOOLEAN],
  ["audience", isRoles, 'is not a list of "user" and "assistant"'],
  ["priority", isPriority, "is not a number from 0 to 1"],
  ["lastModified", isTime, "is not an ISO 8601 time"],
];

function assertAnnotations(label: string, annotations: unknown): void {
  if (!isJsonObject(annotations)) throw wrong(label, "annotations is not an object");
  for (const [name, isRight, rule] of ANNOTATIONS) {
    const value = annotations[name];
    if (value !== undefined && !isRight(value)) throw wrong(label, `annotations.${name} ${rule}`);
  }
}

function assertMetaKeys(label: string, meta: unknown): void {
  if (!isJsonObject(meta)) throw wrong(label, "_meta is not an object");
  for (const key of Object.keys(meta)) {
    if (!isMetaKey(key)) throw wrong(label, `_meta has the malformed key ${JSON.stringify(key)}`);
  }
}

function freezeCopy(label: string, members: object): JsonObject {
  const copy = parseCopy(label, members);
  deepFreeze(copy);
  if (!isJsonObject(copy)) throw wrong(label, "the definition is not an object");
  return copy;
}

function parseCopy(label: string, members: object): unknown {
  try {
    return JSON.parse(JSON.stringify(members));
  } catch (cause) {
    throw new TypeError(`${label}: the definition has no JSON form`, { cause });
  }
}

function deepFreeze(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const member of Object.values(value)) deepFreeze(member);
  Object.freeze(value);
}
