import type { RpcError } from "../../base/errors.ts";
import { INTERNAL_ERROR, INVALID_PARAMS } from "../../jsonrpc/error-code.ts";
import type { JsonRpcErrorObject } from "../../jsonrpc/message.ts";
import {
  HEADER_MISMATCH,
  MISSING_CLIENT_CAPABILITY,
  UNSUPPORTED_PROTOCOL_VERSION,
} from "../../jsonrpc/error-code.ts";

/** "Resource not found" of revisions before; this one has `-32602` for it. */
const LEGACY_RESOURCE_NOT_FOUND = -32002;

/**
 * What a peer is sent for an error.
 *
 * A code this revision does not allow to be sent goes out as an internal error, or as invalid params
 * where it was the old "resource not found"; message and data stay.
 */
export function toErrorObject(error: RpcError): JsonRpcErrorObject {
  const code = sendableCode(error.rpcCode);
  return error.data === undefined
    ? { code, message: error.message }
    : { code, message: error.message, data: error.data };
}

function sendableCode(code: number): number {
  if (code === LEGACY_RESOURCE_NOT_FOUND) return INVALID_PARAMS;
  return isSendableCode(code) ? code : INTERNAL_ERROR;
}

/** An integer, and none of those that are reserved: -32000 … -32019 belong to nobody any more, -32020 … -32099 to the specification alone. */
export function isSendableCode(code: number): boolean {
  if (!Number.isSafeInteger(code)) return false;
  return (
    code < -32_099 ||
    code > -32_000 ||
    code === HEADER_MISMATCH ||
    code === MISSING_CLIENT_CAPABILITY ||
    code === UNSUPPORTED_PROTOCOL_VERSION
  );
}
