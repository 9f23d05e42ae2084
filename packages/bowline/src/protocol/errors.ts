import { RpcError } from "../base/errors.ts";
import {
  HEADER_MISMATCH,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  LIMIT_REACHED,
  METHOD_NOT_FOUND,
  MISSING_CLIENT_CAPABILITY,
  OVERLOADED,
  RATE_LIMITED,
  UNSUPPORTED_PROTOCOL_VERSION,
} from "../jsonrpc/error-code.ts";
import type { ClientCapabilities } from "./capabilities.ts";

/** The errors of the specification, made where the code is known and the caller only has the case. */

export const invalidRequest = (message: string): RpcError => new RpcError(INVALID_REQUEST, message);

export const invalidParams = (message: string, data?: unknown): RpcError =>
  new RpcError(INVALID_PARAMS, message, data === undefined ? {} : { data });

export const methodNotFound = (method: string): RpcError =>
  new RpcError(METHOD_NOT_FOUND, `method ${JSON.stringify(method)} not found`);

export const headerMismatch = (message: string): RpcError => new RpcError(HEADER_MISMATCH, message);

export const missingCapability = (requiredCapabilities: ClientCapabilities): RpcError =>
  new RpcError(MISSING_CLIENT_CAPABILITY, "the client lacks a capability this request needs", {
    data: { requiredCapabilities },
  });

export const unsupportedVersion = (requested: string, supported: readonly string[]): RpcError =>
  new RpcError(
    UNSUPPORTED_PROTOCOL_VERSION,
    `protocol version ${JSON.stringify(requested)} is not served`,
    { data: { supported, requested } },
  );

/** What a peer learns of an unexpected fault: a reference to look up in the server's own log. */
export const internalError = (ref: string, cause: unknown): RpcError =>
  new RpcError(INTERNAL_ERROR, "Internal error", { data: { ref }, cause });

/** One caller asks for too much; others are served. */
export const rateLimited = (message: string): RpcError => new RpcError(RATE_LIMITED, message);

/** One caller has as much open as anyone may; others are served. */
export const limitReached = (message: string): RpcError => new RpcError(LIMIT_REACHED, message);

/** The whole process has no room, or is closing. */
export const overloaded = (message: string): RpcError => new RpcError(OVERLOADED, message);

/** Whether a server refused a request because its headers do not say what its body says. */
export const isHeaderMismatch = (error: unknown): boolean =>
  RpcError.is(error) && error.rpcCode === HEADER_MISMATCH;

/** Whether a server does not serve the revision of a request; it did not begin with it. */
export const isUnsupportedVersion = (error: unknown): boolean =>
  RpcError.is(error) && error.rpcCode === UNSUPPORTED_PROTOCOL_VERSION;

/** Whether a server refused the parameters: among them a cursor that it gave once and takes no longer. */
export const isInvalidParams = (error: unknown): boolean =>
  RpcError.is(error) && error.rpcCode === INVALID_PARAMS;

/** Whether a server turned a request away for now, and did not begin with it. */
export const isOverload = (error: unknown): boolean =>
  RpcError.is(error) && (error.rpcCode === RATE_LIMITED || error.rpcCode === OVERLOADED);
