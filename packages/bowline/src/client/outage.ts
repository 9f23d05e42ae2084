import { RpcError, TransportError, type Stage } from "../base/errors.ts";
import { isOverload } from "../protocol/errors.ts";

const BEFORE_AN_ANSWER: ReadonlySet<Stage> = new Set(["resolve", "connect", "tls", "http"]);
const REQUEST_TIMEOUT = 408;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;

/** Whether a server cannot be reached or has no room now. An answer that refuses a request for good is none such. */
export function isOutage(error: unknown): boolean {
  if (RpcError.is(error)) return isOverload(error);
  if (!TransportError.is(error)) return false;
  const { stage, status } = error;
  const isPassing =
    status === undefined ||
    status >= SERVER_ERROR ||
    status === REQUEST_TIMEOUT ||
    status === TOO_MANY_REQUESTS;
  return isPassing && BEFORE_AN_ANSWER.has(stage);
}
