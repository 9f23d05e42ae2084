import { isJsonObject, type JsonObject } from "../../json/value.ts";
import type { Result } from "../../protocol/result.ts";
import { assertBlock } from "./blocks.ts";
import { metaOfWhole } from "./whole-result.ts";

/** The result of a prompt. Throws a `TypeError` for a value that is none. */
export function promptToResult(
  value: unknown,
  description: string | undefined,
  meta: JsonObject | undefined,
): Result {
  if (typeof value === "string") {
    return complete([{ role: "user", content: { type: "text", text: value } }], description, meta);
  }
  if (Array.isArray(value)) return complete(checked(value), description, meta);
  if (!isJsonObject(value))
    throw new TypeError("a prompt returns text, messages or a whole result");
  const { messages } = value;
  if (!Array.isArray(messages)) return complete(checked([value]), description, meta);
  const own = value["description"] ?? description;
  if (own !== undefined && typeof own !== "string")
    throw new TypeError("description is not a string");
  return complete(checked(messages), own, metaOfWhole(value, meta));
}

function complete(
  messages: readonly unknown[],
  description: string | undefined,
  _meta: JsonObject | undefined,
): Result {
  return { resultType: "complete", description, messages, _meta };
}

function checked(messages: readonly unknown[]): readonly unknown[] {
  messages.forEach((message, index) => {
    const where = `messages[${index}]`;
    if (!isJsonObject(message)) throw new TypeError(`${where} is not a message`);
    const { role, content } = message;
    if (role !== "user" && role !== "assistant") {
      throw new TypeError(`${where}.role is neither "user" nor "assistant"`);
    }
    assertBlock(content, `${where}.content`);
  });
  return messages;
}
