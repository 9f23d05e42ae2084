import {
  HEADER_MISMATCH,
  LIMIT_REACHED,
  METHOD_NOT_FOUND,
  MISSING_CLIENT_CAPABILITY,
  OVERLOADED,
  RATE_LIMITED,
  UNSUPPORTED_PROTOCOL_VERSION,
} from "../jsonrpc/error-code.ts";

/** HTTP status of an error that ends a dispatched call: most of them are ordinary answers. */
export function statusOfCallError(rpcCode: number): number {
  switch (rpcCode) {
    case METHOD_NOT_FOUND:
      return 404;
    case HEADER_MISMATCH:
    case MISSING_CLIENT_CAPABILITY:
    case UNSUPPORTED_PROTOCOL_VERSION:
      return 400;
    case LIMIT_REACHED:
    case RATE_LIMITED:
      return 429;
    case OVERLOADED:
      return 503;
    default:
      return 200;
  }
}

/** HTTP status of an error found before dispatch. */
export function statusOfRefusal(rpcCode: number): number {
  return rpcCode === LIMIT_REACHED ? 413 : 400;
}
