import type { JsonRpcErrorObject, JsonRpcRequest, RequestId } from "./message.ts";

/** What follows `resultHead` and the JSON text of the result. */
export const RESULT_TAIL = "}";

/** How half a surrogate pair is written, which a peer that decodes strictly refuses; `\\ud` is a back-slash and two letters. */
const HALF_PAIR = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/**
 * The text of a success response. `encoding` is the JSON text of the result, where it is known already.
 *
 * Throws what `JSON.stringify` throws, and a `TypeError` for an unpaired surrogate: a handler may have
 * returned a cycle, a `bigint`, or text that was cut in the middle of a character.
 */
export function encodeResult(id: RequestId, result: object, encoding?: string): string {
  if (encoding !== undefined) return resultHead(id) + encoding + RESULT_TAIL;
  const text = JSON.stringify({ jsonrpc: "2.0", id, result });
  if (text.includes("\\ud") && HALF_PAIR.test(text)) {
    throw new TypeError("a string holds an unpaired surrogate");
  }
  return text;
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
