import { fitsBytes } from "../base/bytes.ts";
import { DecodeError, LimitError } from "../base/errors.ts";
import { type JsonLimits, MAX_NAME_BYTES } from "../base/limits.ts";
import { type ParsedJson, parseJson } from "../json/parse.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/value.ts";
import { type Envelope, openEnvelope, requestIdOf } from "./envelope.ts";
import { INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR } from "./error-code.ts";
import type {
  JsonRpcError,
  JsonRpcErrorObject,
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResult,
  RequestId,
} from "./message.ts";
import { MessageRefusal, UnexpectedRequest } from "./refusal.ts";

/**
 * Reads one message of a client: exactly one request or notification.
 *
 * Throws `MessageRefusal`, which is the answer to send.
 */
export function decodeClientMessage(
  source: Uint8Array | string,
  limits?: JsonLimits,
): JsonRpcRequest | JsonRpcNotification {
  const parsed = parseForAnswer(source, limits);
  if (!isJsonObject(parsed.value)) {
    throw new MessageRefusal(INVALID_REQUEST, "a message is one JSON object");
  }
  const envelope = openEnvelope(parsed.value);
  const id = requestIdOf(envelope.id, parsed);
  const fault = faultOf(envelope, id);
  if (fault !== undefined) throw new MessageRefusal(INVALID_REQUEST, fault, { id });
  const method = methodOf(envelope, id);
  const { params } = envelope;
  if (params !== undefined && !isJsonObject(params)) {
    throw new MessageRefusal(INVALID_PARAMS, "params is not an object", { id });
  }
  if (parsed.hasUnsafeInteger) {
    throw new MessageRefusal(INVALID_PARAMS, "an integer is outside the safe range", { id });
  }
  return messageOf(method, params, id);
}

/** Whether a message asks for an answer. */
export function isRequest(message: JsonRpcMessage): message is JsonRpcRequest {
  return Object.hasOwn(message, "method") && Object.hasOwn(message, "id");
}

function parseForAnswer(source: Uint8Array | string, limits?: JsonLimits): ParsedJson {
  try {
    return parseJson(source, limits);
  } catch (error) {
    if (error instanceof DecodeError) {
      throw new MessageRefusal(PARSE_ERROR, error.message, { cause: error });
    }
    if (error instanceof LimitError) {
      throw new MessageRefusal(INVALID_REQUEST, error.message, { cause: error });
    }
    throw error;
  }
}

/** Why an object is neither a request nor a notification, its method aside. */
function faultOf(envelope: Envelope, id: RequestId | undefined): string | undefined {
  if (envelope.isSuspect) return "a member has a misleading name";
  if (envelope.id !== undefined && id === undefined) return "id is not a string or an integer";
  if (envelope.jsonrpc !== "2.0") return 'jsonrpc is not "2.0"';
  if (envelope.result !== undefined || envelope.error !== undefined) {
    return "responses are not taken here";
  }
  return undefined;
}

function methodOf({ method }: Envelope, id: RequestId | undefined): string {
  if (typeof method !== "string") {
    throw new MessageRefusal(INVALID_REQUEST, "method is not a string", { id });
  }
  if (!fitsBytes(method, MAX_NAME_BYTES)) {
    throw new MessageRefusal(INVALID_REQUEST, "method is too long", { id });
  }
  if (id !== undefined && method.startsWith("notifications/")) {
    throw new MessageRefusal(INVALID_REQUEST, "a notification has no id", { id });
  }
  return method;
}

function messageOf(
  method: string,
  params: JsonObject | undefined,
  id: RequestId | undefined,
): JsonRpcRequest | JsonRpcNotification {
  if (id === undefined) {
    return params === undefined ? { jsonrpc: "2.0", method } : { jsonrpc: "2.0", method, params };
  }
  return params === undefined
    ? { jsonrpc: "2.0", id, method }
    : { jsonrpc: "2.0", id, method, params };
}

/**
 * Reads one message of a server: exactly one notification, result or error.
 *
 * An error without a readable request id comes without `id`, also where the server wrote `null`.
 * Throws `DecodeError` (`UnexpectedRequest` for a request), and `LimitError` where the document is over
 * a limit.
 */
export function decodeServerMessage(
  source: Uint8Array | string,
  limits?: JsonLimits,
): JsonRpcNotification | JsonRpcResult | JsonRpcError {
  const parsed = parseJson(source, limits);
  if (!isJsonObject(parsed.value)) throw mismatch("", "one JSON object");
  const envelope = openEnvelope(parsed.value);
  if (envelope.isSuspect) throw new DecodeError("a member has a misleading name");
  if (envelope.jsonrpc !== "2.0") throw mismatch("/jsonrpc", '"2.0"');
  if (envelope.method !== undefined) return notificationOf(envelope);
  if (envelope.result !== undefined) return resultOf(envelope, parsed);
  if (envelope.error !== undefined) return errorOf(envelope, parsed);
  throw mismatch("", "a method, a result or an error");
}

function notificationOf(envelope: Envelope): JsonRpcNotification {
  const { method, params } = envelope;
  if (typeof method !== "string") throw mismatch("/method", "a string");
  if (envelope.result !== undefined || envelope.error !== undefined) {
    throw mismatch("", "either a notification or a response");
  }
  if (envelope.id !== undefined) throw new UnexpectedRequest("servers send no requests");
  if (params === undefined) return { jsonrpc: "2.0", method };
  if (!isJsonObject(params)) throw mismatch("/params", "an object");
  return { jsonrpc: "2.0", method, params };
}

function resultOf(envelope: Envelope, parsed: ParsedJson): JsonRpcResult {
  const { result } = envelope;
  if (envelope.error !== undefined) throw mismatch("", "either a result or an error");
  const id = requestIdOf(envelope.id, parsed);
  if (id === undefined) throw mismatch("/id", "a string or an integer");
  if (!isJsonObject(result)) throw mismatch("/result", "an object");
  return { jsonrpc: "2.0", id, result };
}

function errorOf(envelope: Envelope, parsed: ParsedJson): JsonRpcError {
  const error = errorObjectOf(envelope.error);
  // JSON-RPC itself writes `null` where the id of the request could not be read.
  if (envelope.id === undefined || envelope.id === null) return { jsonrpc: "2.0", error };
  const id = requestIdOf(envelope.id, parsed);
  if (id === undefined) throw mismatch("/id", "a string or an integer");
  return { jsonrpc: "2.0", id, error };
}

function errorObjectOf(error: JsonValue | undefined): JsonRpcErrorObject {
  if (!isJsonObject(error)) throw mismatch("/error", "an object");
  const own = (name: string) => (Object.hasOwn(error, name) ? error[name] : undefined);
  const code = own("code");
  const message = own("message");
  const data = own("data");
  if (typeof code !== "number" || !Number.isSafeInteger(code))
    throw mismatch("/error/code", "an integer");
  if (typeof message !== "string") throw mismatch("/error/message", "a string");
  return data === undefined ? { code, message } : { code, message, data };
}

function mismatch(path: string, expected: string): DecodeError {
  const where = path === "" ? "the message" : path.slice(1).replaceAll("/", ".");
  return new DecodeError(`${where} is not ${expected}`, { path, expected });
}
