import { RpcError } from "../base/errors.ts";
import type { JsonObject } from "../json/value.ts";
import { UNSUPPORTED_PROTOCOL_VERSION } from "../jsonrpc/error-code.ts";
import { unsupportedVersion } from "./errors.ts";

/** The revision this package speaks. */
export const PROTOCOL_VERSION = "2026-07-28";

/** What a server names wherever it says which revisions it serves. */
export const SUPPORTED_VERSIONS: readonly string[] = /* @__PURE__ */ Object.freeze([
  PROTOCOL_VERSION,
]);

/** Throws the error that answers a request of another revision. */
export function assertServed(version: string): void {
  if (!SUPPORTED_VERSIONS.includes(version)) throw unsupportedVersion(version, SUPPORTED_VERSIONS);
}

/**
 * The answer to `initialize`, by which older revisions begin. It names what is served: all a client of such a
 * revision can show its user is this error.
 */
export function refuseHandshake(params: JsonObject | undefined): RpcError {
  const wanted = params?.["protocolVersion"];
  return new RpcError(
    UNSUPPORTED_PROTOCOL_VERSION,
    `there is no handshake in the versions served here: ${SUPPORTED_VERSIONS.join(", ")}`,
    {
      data: { supported: SUPPORTED_VERSIONS, requested: typeof wanted === "string" ? wanted : "" },
    },
  );
}
