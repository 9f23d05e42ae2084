/** @see https://www.jsonrpc.org/specification#error_object */
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic#error-codes */
export const HEADER_MISMATCH = -32020;
export const MISSING_CLIENT_CAPABILITY = -32021;
export const UNSUPPORTED_PROTOCOL_VERSION = -32022;

/** Codes of our own, outside the range JSON-RPC reserves. */
export const LIMIT_REACHED = -31001;
export const RATE_LIMITED = -31002;
export const OVERLOADED = -31003;
