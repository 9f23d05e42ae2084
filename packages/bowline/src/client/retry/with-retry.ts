import { MAX_RETRIES, MAX_RETRY_WAIT_MS, RETRY_WAIT_MS } from "../../base/limits.ts";
import { waitFor } from "../../base/timer.ts";
import type { JsonObject } from "../../json/value.ts";
import type { Result } from "../../protocol/result.ts";
import type { CallOptions } from "../client.ts";
import { isOutage } from "../outage.ts";
import type { Send } from "../send.ts";
import type { ToolCatalogue } from "../tools/catalogue.ts";

export interface RetrySettings {
  /** Of calls that do not say it themselves. */
  readonly retries: number;
  readonly maxTotalTimeoutMs: number;
  /** Aborts when the client is closed. */
  readonly closed: AbortSignal;
  readonly random: () => number;
  /** In milliseconds, from any start. */
  readonly now: () => number;
}

/** The methods that change nothing at a server, however often they are sent. */
const READING: ReadonlySet<string> = new Set([
  "server/discover",
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "prompts/get",
  "completion/complete",
]);

/**
 * Sends again what got no answer, as often as its caller allows: reading, and calls of tools that their server calls
 * read-only or idempotent. A hint alone sends nothing twice. Waits longer each time, and at least for as long as a server
 * asks; never beyond the time the call has in all.
 */
export function withRetry(send: Send, catalogue: ToolCatalogue, settings: RetrySettings): Send {
  const mayRepeat = (method: string, { name }: JsonObject): boolean =>
    READING.has(method) ||
    (method === "tools/call" && typeof name === "string" && catalogue.isRepeatable(name));
  return (method, params, options = {}, extras) => {
    const retries = assertRetries(method, options.retries ?? settings.retries);
    if (retries === 0 || !mayRepeat(method, params)) return send(method, params, options, extras);
    const trip: Trip = (left) =>
      send(method, params, { ...options, maxTotalTimeoutMs: left }, extras);
    return insist(trip, retries, options, settings);
  };
}

/** Throws a `RangeError` for a number of retries that is none, or too large. */
export function assertRetries(label: string, retries: number): number {
  if (Number.isInteger(retries) && retries >= 0 && retries <= MAX_RETRIES) return retries;
  throw new RangeError(`${label}: retries must be a whole number from 0 to ${MAX_RETRIES}`);
}

/** One trip, which may take this long. */
type Trip = (leftMs: number) => Promise<Result>;

async function insist(
  trip: Trip,
  retries: number,
  options: CallOptions,
  settings: RetrySettings,
): Promise<Result> {
  const { closed, now } = settings;
  const end = now() + (options.maxTotalTimeoutMs ?? settings.maxTotalTimeoutMs);
  const signals = options.signal === undefined ? [closed] : [options.signal, closed];
  for (let failures = 0; ; failures += 1) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- each try follows the failure of the one before
      return await trip(end - now());
    } catch (error) {
      if (failures === retries || closed.aborted || !isOutage(error)) throw error;
      const waitMs = waitAfter(error, failures, settings.random);
      if (waitMs > MAX_RETRY_WAIT_MS || now() + waitMs >= end) throw error;
      // oxlint-disable-next-line no-await-in-loop -- see above
      await waitFor(waitMs, signals);
    }
  }
}

/** Anything up to twice as long each time, so that those who failed together do not come back together. */
function waitAfter(error: unknown, failures: number, random: () => number): number {
  const longest = Math.min(MAX_RETRY_WAIT_MS, RETRY_WAIT_MS * 2 ** failures);
  return Math.max(random() * longest, retryAfterOf(error));
}

/** What a server asked to wait, where the transport tells. */
function retryAfterOf(error: unknown): number {
  const told: unknown =
    typeof error === "object" && error !== null ? Reflect.get(error, "retryAfterMs") : undefined;
  return typeof told === "number" && told > 0 ? told : 0;
}
