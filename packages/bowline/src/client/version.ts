import { RpcError, TransportError } from "../base/errors.ts";
import { MAX_TOLD_VERSIONS, MAX_VERSION_CHARS } from "../base/limits.ts";
import { isJsonObject } from "../json/value.ts";
import { isUnsupportedVersion } from "../protocol/errors.ts";
import { PROTOCOL_VERSION } from "../protocol/versioning.ts";
import { quoted } from "./printable.ts";
import type { Send } from "./send.ts";

/**
 * Makes a request of a revision that is not served fail as what it is: this client speaks a single one, so there is no
 * other to try. A server that names that one all the same ran nothing, and is asked once more. Every request says its
 * revision; none is sent to find out.
 */
export function withVersion(send: Send): Send {
  return async (...request) => {
    try {
      return await send(...request);
    } catch (error) {
      if (!isRefused(error)) throw error;
      if (!supportedOf(error.data).includes(PROTOCOL_VERSION)) throw toVersionError(error);
    }
    try {
      return await send(...request);
    } catch (error) {
      throw isRefused(error) ? toVersionError(error) : error;
    }
  };
}

const isRefused = (error: unknown): error is RpcError =>
  RpcError.is(error) && isUnsupportedVersion(error);

function toVersionError(error: RpcError): TransportError {
  const spoken = supportedOf(error.data);
  return new TransportError(`${refusal(spoken)}; this client speaks ${PROTOCOL_VERSION}`, {
    stage: "negotiate",
    hint: hintOf(spoken),
    cause: error,
  });
}

function refusal(spoken: readonly string[]): string {
  if (spoken.length === 0)
    return "the server refuses the revision, and does not say what it speaks";
  const told = spoken
    .slice(0, MAX_TOLD_VERSIONS)
    .map((version) => quoted(version.slice(0, MAX_VERSION_CHARS)))
    .join(", ");
  return `the server speaks ${told}${spoken.length > MAX_TOLD_VERSIONS ? ", …" : ""}`;
}

/** Revisions are dates: text order is the order of time. */
function hintOf(spoken: readonly string[]): string {
  if (spoken.includes(PROTOCOL_VERSION)) {
    return "it names this revision and refuses it all the same: that is a fault of the server, or of what is between";
  }
  if (spoken.length === 0) return "update the server";
  return spoken.some((version) => version > PROTOCOL_VERSION)
    ? "a newer version of this client may speak one of them"
    : "update the server, or use a client that speaks one of them";
}

function supportedOf(data: unknown): readonly string[] {
  const supported = isJsonObject(data) ? data["supported"] : undefined;
  return Array.isArray(supported) ? supported.filter((version) => typeof version === "string") : [];
}
