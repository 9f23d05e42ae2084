import type { RequestId } from "../jsonrpc/message.ts";

/** Whether a value can be compared to ids. A number that no id may be equals none. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || typeof value === "number";
}
