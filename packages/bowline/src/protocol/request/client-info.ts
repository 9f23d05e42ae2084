import { isJsonObject, type JsonObject, type JsonValue } from "../../json/value.ts";
import { invalidParams } from "../errors.ts";
import type { Implementation } from "../implementation.ts";
import { META_CLIENT_INFO } from "../meta.ts";
import { own } from "./checks.ts";

const WHERE = `params._meta["${META_CLIENT_INFO}"]`;
const OPTIONAL_TEXTS = ["title", "description", "websiteUrl"] as const;

/** Checks what a client says of itself. Throws the `RpcError` to answer with. */
export function decodeClientInfo(value: JsonValue): Implementation {
  if (!isJsonObject(value)) throw invalidParams(`${WHERE} is not an object`);
  for (const name of ["name", "version"]) {
    if (typeof own(value, name) !== "string")
      throw invalidParams(`${WHERE}.${name} is not a string`);
  }
  for (const name of OPTIONAL_TEXTS) {
    if (!isOptionalText(value, name)) throw invalidParams(`${WHERE}.${name} is not a string`);
  }
  const icons = own(value, "icons");
  if (icons !== undefined && !(Array.isArray(icons) && icons.every(isIcon))) {
    throw invalidParams(`${WHERE}.icons is not a list of icons`);
  }
  return value as unknown as Implementation;
}

function isIcon(icon: JsonValue): boolean {
  if (!isJsonObject(icon) || typeof own(icon, "src") !== "string") return false;
  const sizes = own(icon, "sizes");
  return (
    isOptionalText(icon, "mimeType") &&
    isOptionalText(icon, "theme") &&
    (sizes === undefined ||
      (Array.isArray(sizes) && sizes.every((size) => typeof size === "string")))
  );
}

function isOptionalText(object: JsonObject, name: string): boolean {
  const value = own(object, name);
  return value === undefined || typeof value === "string";
}
