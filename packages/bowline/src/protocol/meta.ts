import type { ClientCapabilities } from "./capabilities.ts";
import type { LoggingLevel } from "./deprecated/logging.ts";
import type { Implementation } from "./implementation.ts";
import type { ProgressToken } from "./progress.ts";

/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic#_meta */
export const META_PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion";
export const META_CLIENT_INFO = "io.modelcontextprotocol/clientInfo";
export const META_CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
export const META_LOG_LEVEL = "io.modelcontextprotocol/logLevel";
export const META_SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId";
export const META_SERVER_INFO = "io.modelcontextprotocol/serverInfo";

/** The checked `_meta` of a request. */
export interface Meta {
  readonly protocolVersion: string;
  readonly clientCapabilities: ClientCapabilities;
  readonly clientInfo?: Implementation | undefined;
  readonly logLevel?: LoggingLevel | undefined;
  readonly progressToken?: ProgressToken | undefined;
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
  readonly baggage?: string | undefined;
  /** The request's `_meta` as received, keys of others included. */
  readonly raw: { readonly [key: string]: unknown };
}
