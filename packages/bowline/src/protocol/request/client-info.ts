import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "../../json/value.ts";
import { invalidParams } from "../errors.ts";
import type { Implementation } from "../implementation.ts";
import { META_CLIENT_INFO } from "../meta.ts";
import { own } from "./checks.ts";

const WHERE = `params._meta["${META_CLIENT_INFO}"]`;
const OPTIONAL_TEXTS = ["title", "description", "websiteUrl"] as const;

/** Checks what a client says of itself. Throws the `RpcError` to answer with. */
export function decodeClientInfo(value: JsonValue): Implementation {
  if (!isJsonObject(value)) throw invalidParams(`${WHERE} is not an object`);
  if (!isImplementation(value)) throw invalidParams(`${WHERE} is malformed`);
  return value;
}

function isImplementation(value: JsonObject): value is JsonObject & Implementation {
  const icons = own(value, "icons");
  return (
    typeof own(value, "name") === "string" &&
    typeof own(value, "version") === "string" &&
    OPTIONAL_TEXTS.every((name) => isOptionalText(value, name)) &&
    (icons === undefined || (isJsonArray(icons) && icons.every(isIcon)))
  );
}

function isIcon(icon: JsonValue): boolean {
  if (!isJsonObject(icon) || typeof own(icon, "src") !== "string") return false;
  const sizes = own(icon, "sizes");
  return (
    isOptionalText(icon, "mimeType") &&
    isOptionalText(icon, "theme") &&
    (sizes === undefined || (isJsonArray(sizes) && sizes.every((size) => typeof size === "string")))
  );
}

function isOptionalText(object: JsonObject, name: string): boolean {
  const value = own(object, name);
  return value === undefined || typeof value === "string";
}
