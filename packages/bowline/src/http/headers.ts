import { mirroredArgument } from "../protocol/header-parameters.ts";
import { trimWhitespace } from "../base/whitespace.ts";
import type { RpcError } from "../base/errors.ts";
import { MAX_QUOTED_CHARS } from "../base/limits.ts";
import { isJsonObject, type JsonValue } from "../json/value.ts";
import type { JsonRpcNotification, JsonRpcRequest } from "../jsonrpc/message.ts";
import type { Call } from "../protocol/call.ts";
import { headerMismatch, unsupportedVersion } from "../protocol/errors.ts";
import type { HeaderParameter } from "../protocol/header-parameters.ts";
import { META_PROTOCOL_VERSION } from "../protocol/meta.ts";
import { PROTOCOL_VERSION, refuseHandshake, SUPPORTED_VERSIONS } from "../protocol/versioning.ts";
import { isPlainFieldValue } from "./field-value.ts";
import { isMirror, type Head } from "./request/head.ts";
import {
  decodeHeaderValue,
  equalsArgument,
  formatArgument,
  paramHeaderName,
} from "./param-headers.ts";

const VERSION = "MCP-Protocol-Version";
const METHOD = "Mcp-Method";
const NAME = "Mcp-Name";

/** The member of `params` that `Mcp-Name` repeats. */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/get", "taskId"],
  ["tasks/update", "taskId"],
  ["tasks/cancel", "taskId"],
]);

/** Throws where a mirrored header came twice, or a compulsory one not at all. */
export function assertMirrorsPresent(head: Head, request: JsonRpcRequest): void {
  assertNotRepeated(head);
  if (head.header("mcp-protocol-version") === undefined) {
    throw missing(VERSION, metaVersion(request) ?? PROTOCOL_VERSION);
  }
  if (head.header("mcp-method") === undefined) throw missing(METHOD, request.method);
  const member = NAMED_BY.get(request.method);
  if (member !== undefined && head.header("mcp-name") === undefined) {
    throw missing(NAME, request.params?.[member]);
  }
}

/** Throws unless the compulsory headers, which are present, say what the body says. */
export function assertMirrorsMatch(head: Head, call: Call, maxBytes: number): void {
  assertText(VERSION, head.header("mcp-protocol-version"), call.meta.protocolVersion);
  assertText(METHOD, head.header("mcp-method"), call.method);
  const member = NAMED_BY.get(call.method);
  if (member !== undefined) {
    assertEncoded(NAME, head.header("mcp-name") ?? "", call.params[member], maxBytes);
  }
}

/** Throws unless the `Mcp-Param-*` headers of a tool call say what its arguments say. */
export function assertParamsMatch(
  head: Head,
  parameters: readonly HeaderParameter[],
  args: JsonValue | undefined,
  maxBytes: number,
): void {
  for (const parameter of parameters) {
    const name = paramHeaderName(parameter);
    const value = head.header(name.toLowerCase());
    const argument = mirroredArgument(parameter, args);
    if (value !== undefined) assertEncoded(name, value, argument, maxBytes);
    else if (argument !== undefined) throw missing(name, argument);
  }
}

/**
 * Throws where a mirrored header disagrees with a message that need not carry any: a notification, or
 * a message of an older revision. A proxy may have trusted the header all the same.
 */
export function assertNoForeignMirrors(
  head: Head,
  message: JsonRpcRequest | JsonRpcNotification,
  maxBytes: number,
): void {
  assertNotRepeated(head);
  const method = head.header("mcp-method");
  if (method !== undefined) assertText(METHOD, method, message.method);
  const version = head.header("mcp-protocol-version");
  const stated = metaVersion(message);
  if (version !== undefined && stated !== undefined) assertText(VERSION, version, stated);
  const name = head.header("mcp-name");
  const member = NAMED_BY.get(message.method);
  if (name !== undefined && member !== undefined) {
    assertEncoded(NAME, name, message.params?.[member], maxBytes);
  }
}

/**
 * The error for a message of an older revision, which is known by its method or by its header; or
 * undefined.
 */
export function refuseOlderRevision(
  head: Head,
  message: JsonRpcRequest | JsonRpcNotification,
): RpcError | undefined {
  if (metaVersion(message) !== undefined) return undefined;
  if (message.method === "initialize") return refuseHandshake(message.params);
  const version = head.header("mcp-protocol-version");
  if (version === undefined || SUPPORTED_VERSIONS.includes(version)) return undefined;
  return unsupportedVersion(version, SUPPORTED_VERSIONS);
}

function metaVersion(message: JsonRpcRequest | JsonRpcNotification): string | undefined {
  const meta = message.params?.["_meta"];
  const version = isJsonObject(meta) ? meta[META_PROTOCOL_VERSION] : undefined;
  return typeof version === "string" ? version : undefined;
}

function assertNotRepeated(head: Head): void {
  if (head.repeated !== undefined && isMirror(head.repeated)) {
    throw headerMismatch(`header ${head.repeated} came more than once`);
  }
}

/** For headers that never carry the encoding: what they mirror is plain by definition. */
function assertText(name: string, value: string | undefined, expected: string): void {
  if (value === expected && isPlainFieldValue(value)) return;
  const text = trimWhitespace(value ?? "");
  if (!isPlainFieldValue(text)) throw headerMismatch(`header ${name} has characters not allowed`);
  if (text !== expected) throw headerMismatch(`header ${name} differs from the body`);
}

function assertEncoded(
  name: string,
  value: string,
  expected: JsonValue | undefined,
  maxBytes: number,
): void {
  if (value.length > maxBytes) throw headerMismatch(`header ${name} exceeds ${maxBytes} bytes`);
  // A value that begins like the marker is decoded even where it equals the text in the body.
  if (value === expected && value.charCodeAt(0) !== 61 && isPlainFieldValue(value)) return;
  const text = decodeHeaderValue(value);
  if (text === undefined) throw headerMismatch(`header ${name} is not encoded as it must be`);
  if (expected === undefined || !equalsArgument(text, expected)) {
    throw headerMismatch(`header ${name} differs from the body`);
  }
}

/** Says what the header should have been, unless that is very long or nothing a header can say. */
function missing(name: string, expected: JsonValue | undefined): RpcError {
  const value = expected === undefined ? undefined : formatArgument(expected);
  const isShown = value !== undefined && value.length <= MAX_QUOTED_CHARS;
  const hint = isShown ? `: expected ${JSON.stringify(value)}` : "";
  return headerMismatch(`header ${name} is missing${hint}`);
}
