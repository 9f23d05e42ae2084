import { isBase64 } from "../../base/base64.ts";
import { isJsonObject, type JsonObject } from "../../json/value.ts";

const MIME_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;.*)?$/;

/**
 * Checks a content block that a handler made. Blocks of types nobody knows yet pass as they are.
 *
 * Throws a `TypeError` that says what is missing: a client could not use such a block.
 */
export function assertBlock(block: unknown, where: string): void {
  if (!isJsonObject(block) || typeof block["type"] !== "string") {
    throw new TypeError(`${where} is not a content block such as { type: "text", text }`);
  }
  switch (block["type"]) {
    case "text":
      return assertText(block, ["text"], where);
    case "image":
    case "audio":
      return assertMedia(block, where);
    case "resource_link":
      return assertText(block, ["uri", "name"], where);
    case "resource":
      return assertContents(block["resource"], `${where}.resource`);
    default:
  }
}

/** Checks the contents of a resource: a URI, and text or Base64. */
export function assertContents(contents: unknown, where: string): void {
  if (!isJsonObject(contents)) throw new TypeError(`${where} is not an object`);
  assertText(contents, ["uri"], where);
  const { text, blob, mimeType } = contents;
  if ((typeof text === "string") === (typeof blob === "string")) {
    throw new TypeError(`${where} needs either text or blob`);
  }
  if (typeof blob === "string") assertBase64(blob, `${where}.blob`);
  if (mimeType !== undefined) assertMimeType(mimeType, where);
}

function assertMedia(block: JsonObject, where: string): void {
  assertText(block, ["data", "mimeType"], where);
  assertMimeType(block["mimeType"], where);
  if (typeof block["data"] === "string") assertBase64(block["data"], `${where}.data`);
}

function assertText(value: JsonObject, members: readonly string[], where: string): void {
  for (const member of members) {
    if (typeof value[member] !== "string") {
      throw new TypeError(`${where}.${member} is not a string`);
    }
  }
}

function assertMimeType(value: unknown, where: string): void {
  if (typeof value !== "string" || !MIME_TYPE.test(value)) {
    throw new TypeError(`${where}.mimeType is not a media type`);
  }
}

function assertBase64(value: string, where: string): void {
  if (!isBase64(value)) throw new TypeError(`${where} is not Base64`);
}
