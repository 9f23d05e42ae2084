import type { JsonRpcNotification, JsonRpcRequest } from "../../jsonrpc/message.ts";
import { decodeCall, type Call } from "../../protocol/call.ts";
import type { ExchangeHolder } from "../../protocol/exchange.ts";
import { assertServed, PROTOCOL_VERSION } from "../../protocol/versioning.ts";
import type { Head } from "./head.ts";
import {
  assertMirrorsMatch,
  assertMirrorsPresent,
  assertNoForeignMirrors,
  assertParamsMatch,
  refuseOlderRevision,
} from "../headers.ts";

/**
 * The call a request makes. Throws the `RpcError` that refuses it; of several faults the first in the
 * order headers present, `_meta`, headers equal to the body, version.
 */
export function admitRequest(
  head: Head,
  request: JsonRpcRequest,
  source: ExchangeHolder,
  maxMirroredBytes: number,
): Call {
  if (head.header("mcp-protocol-version") !== PROTOCOL_VERSION) {
    refuseOlder(head, request, maxMirroredBytes);
  }
  assertMirrorsPresent(head, request);
  const call = decodeCall(request);
  assertMirrorsMatch(head, call, maxMirroredBytes);
  if (call.method === "tools/call" && source.headerParameters !== undefined) {
    const { name, arguments: args } = call.params;
    if (typeof name === "string") {
      assertParamsMatch(head, source.headerParameters(name), args, maxMirroredBytes);
    }
  }
  assertServed(call.meta.protocolVersion);
  return call;
}

/** Throws the `RpcError` that refuses a notification. None of this revision has anything to do here. */
export function admitNotification(
  head: Head,
  notification: JsonRpcNotification,
  maxMirroredBytes: number,
): void {
  refuseOlder(head, notification, maxMirroredBytes);
}

function refuseOlder(
  head: Head,
  message: JsonRpcRequest | JsonRpcNotification,
  maxMirroredBytes: number,
): void {
  const refusal = refuseOlderRevision(head, message);
  if (refusal === undefined && "id" in message) return;
  // A proxy may have trusted the headers, whatever the revision.
  assertNoForeignMirrors(head, message, maxMirroredBytes);
  if (refusal !== undefined) throw refusal;
}
