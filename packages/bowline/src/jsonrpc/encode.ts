import type { JsonRpcErrorObject, JsonRpcRequest, RequestId } from "./message.ts";

/** What follows `resultHead` and the JSON text of the result. */
export const RESULT_TAIL = "}";

/**
 * The text of a success response. `encoding` is the JSON text of the result, where it is known already.
 *
 * Throws what `JSON.stringify` throws: a handler may have returned a cycle or a `bigint`.
 */
export function encodeResult(id: RequestId, result: object, encoding?: string): string {
  if (encoding !== undefined) return resultHead(id) + encoding + RESULT_TAIL;
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}

/** The text before the result, for those who write the bytes of a known result after it, then `RESULT_TAIL`. */
export function resultHead(id: RequestId): string {
  return `{"jsonrpc":"2.0","id":${typeof id === "number" ? id : JSON.stringify(id)},"result":`;
}

/** The text of an error response; without an id where the request's could not be read. */
export function encodeError(id: RequestId | undefined, error: JsonRpcErrorObject): string {
  const { code, message, data } = error;
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } });
}

export function encodeNotification(notification: {
  readonly method: string;
  readonly params?: object;
}): string {
  const { method, params } = notification;
  return JSON.stringify({ jsonrpc: "2.0", method, params });
}

export function encodeRequest(request: JsonRpcRequest): string {
  const { id, method, params } = request;
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}
