import { kindOf } from "../../base/known-members.ts";
import type { MaybePromise } from "../../base/maybe-promise.ts";
import { isJsonObject, type JsonObject } from "../../json/value.ts";
import type { ContentBlock } from "../../protocol/content.ts";
import type { Result } from "../../protocol/result.ts";
import type { Check, CompiledSchema, Issue } from "../../schema/compile.ts";
import { isPromiseLike } from "../call/run.ts";
import { describeIssues } from "../../schema/issues.ts";
import { assertBlock } from "./blocks.ts";
import { metaOfWhole } from "./whole-result.ts";

type SharedMeta = JsonObject | undefined;

/** The result of a tool without `outputSchema`. Throws a `TypeError` for a value that is none. */
export function replyToResult(value: unknown, meta: SharedMeta): Result {
  if (typeof value === "string") return textResult(value, undefined, meta);
  if (Array.isArray(value)) return complete(checkBlocks(value), undefined, undefined, meta);
  if (!isJsonObject(value)) {
    throw noReply(kindOf(value));
  }
  if (Array.isArray(value["content"])) return wholeResult(value, value["structuredContent"], meta);
  if (typeof value["type"] !== "string") throw noReply("another object");
  return complete(checkBlocks([value]), undefined, undefined, meta);
}

const noReply = (given: string): TypeError =>
  new TypeError(
    `a tool returns text, content blocks or { content }, not ${given}; with an outputSchema it may return other values`,
  );

/**
 * The result of a tool with `outputSchema`: of its value, or of a whole result that carries one or tells
 * of a failure. What the schema's validation gives is what is sent.
 */
export function valueToResult(
  value: unknown,
  schema: CompiledSchema,
  meta: SharedMeta,
): MaybePromise<Result> {
  const isWhole = isJsonObject(value) && isWholeResult(value);
  // A failure need not look like a success.
  if (isWhole && value["isError"] === true) return replyToResult(value, meta);
  const finish = (check: Check): Result => {
    if (!check.ok) throw outputError(check.issues);
    if (isWhole) return wholeResult(value, check.value, meta);
    return textResult(toJson(check.value), check.value, meta);
  };
  const checked = schema.check(isWhole ? value["structuredContent"] : value);
  return isPromiseLike(checked) ? checked.then(finish) : finish(checked);
}

/** The result that tells a model what went wrong. */
export function errorResult(content: readonly ContentBlock[], meta: SharedMeta): Result {
  return complete(content, undefined, true, meta);
}

function isWholeResult(value: JsonObject): boolean {
  if (!Array.isArray(value["content"])) return false;
  return value["isError"] === true || value["structuredContent"] !== undefined;
}

/** Always the same members in the same order, which keeps the engine's view of results simple. */
function complete(
  content: readonly unknown[],
  structuredContent: unknown,
  isError: boolean | undefined,
  meta: SharedMeta,
): Result {
  return { resultType: "complete", content, structuredContent, isError, _meta: meta };
}

function textResult(text: string, structuredContent: unknown, meta: SharedMeta): Result {
  return complete([{ type: "text", text }], structuredContent, undefined, meta);
}

function checkBlocks(content: readonly unknown[]): readonly unknown[] {
  content.forEach((block, index) => assertBlock(block, `content[${index}]`));
  return content;
}

function wholeResult(value: JsonObject, structuredContent: unknown, meta: SharedMeta): Result {
  const { content, isError } = value;
  if (isError !== undefined && typeof isError !== "boolean") {
    throw new TypeError("isError is not a boolean");
  }
  const blocks = checkBlocks(Array.isArray(content) ? content : []);
  return complete(blocks, structuredContent, isError, metaOfWhole(value, meta));
}

function outputError(issues: readonly Issue[]): TypeError {
  return new TypeError(`the handler's value breaks its outputSchema\n${describeIssues(issues)}`);
}

function toJson(value: unknown): string {
  const text: unknown = JSON.stringify(value);
  if (typeof text !== "string") throw new TypeError(`${kindOf(value)} has no JSON form`);
  return text;
}
