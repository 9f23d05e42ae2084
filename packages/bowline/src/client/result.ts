import { DecodeError } from "../base/errors.ts";
import { isJsonObject } from "../json/value.ts";
import type { CompletionResult } from "../protocol/completion.ts";
import type { DiscoverResult } from "../protocol/discover.ts";
import type { Page } from "../protocol/pagination.ts";
import type { GetPromptResult, ListPromptsResult } from "../protocol/prompts.ts";
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
} from "../protocol/resources.ts";
import type { Result } from "../protocol/result.ts";
import type { ToolResult } from "./client.ts";

/** Tells whether a result has the shape of its method. Members beyond it are kept as they came. */
export interface ResultShape<R> {
  readonly expected: string;
  readonly matches: (result: Result) => result is R & Result;
}

/** The result as what its method promises, or a `DecodeError` that names what was expected. */
export function assertShape<R>(result: Result, method: string, shape: ResultShape<R>): R & Result {
  if (shape.matches(result)) return result;
  throw new DecodeError(`the answer to ${method} lacks ${shape.expected}`, {
    expected: shape.expected,
  });
}

type Check = (value: unknown) => boolean;

const isString: Check = (value) => typeof value === "string";
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const objectWith =
  (member: string, check: Check): Check =>
  (value) =>
    isJsonObject(value) && check(value[member]);

/** A page of tools as it came. */
export interface ToolsPage extends Page {
  readonly tools: readonly unknown[];
}

/** A page of a list: the list itself, and a cursor unless it is the last. */
const isPage = (result: Result, list: string, item: Check): boolean =>
  listOf(item)(result[list]) &&
  (result["nextCursor"] === undefined || isString(result["nextCursor"]));

export const DISCOVER: ResultShape<DiscoverResult> = {
  expected: "supportedVersions and capabilities",
  matches: (result): result is DiscoverResult =>
    listOf(isString)(result["supportedVersions"]) && isJsonObject(result["capabilities"]),
};

/** What is no tool is left out later, alone. */
export const TOOLS: ResultShape<ToolsPage> = {
  expected: "a list of tools",
  matches: (result): result is ToolsPage & Result => isPage(result, "tools", () => true),
};

export const RESOURCES: ResultShape<ListResourcesResult> = {
  expected: "a list of resources with URIs",
  matches: (result): result is ListResourcesResult =>
    isPage(result, "resources", objectWith("uri", isString)),
};

export const RESOURCE_TEMPLATES: ResultShape<ListResourceTemplatesResult> = {
  expected: "a list of resource templates",
  matches: (result): result is ListResourceTemplatesResult =>
    isPage(result, "resourceTemplates", objectWith("uriTemplate", isString)),
};

export const PROMPTS: ResultShape<ListPromptsResult> = {
  expected: "a list of prompts with names",
  matches: (result): result is ListPromptsResult =>
    isPage(result, "prompts", objectWith("name", isString)),
};

/** Blocks of unknown types are kept: a newer server may know more than this client. */
export const TOOL_RESULT: ResultShape<ToolResult> = {
  expected: "a list of content blocks",
  matches: (result): result is ToolResult & Result =>
    listOf(objectWith("type", isString))(result["content"]) &&
    (result["isError"] === undefined || typeof result["isError"] === "boolean"),
};

export const READ_RESOURCE: ResultShape<ReadResourceResult> = {
  expected: "a list of contents with URIs",
  matches: (result): result is ReadResourceResult & Result =>
    listOf(objectWith("uri", isString))(result["contents"]),
};

export const PROMPT: ResultShape<GetPromptResult> = {
  expected: "a list of messages",
  matches: (result): result is GetPromptResult & Result =>
    listOf(
      (message) =>
        objectWith("role", isString)(message) && objectWith("content", isJsonObject)(message),
    )(result["messages"]),
};

export const COMPLETION: ResultShape<CompletionResult> = {
  expected: "a completion with values",
  matches: (result): result is CompletionResult =>
    objectWith("values", listOf(isString))(result["completion"]),
};
