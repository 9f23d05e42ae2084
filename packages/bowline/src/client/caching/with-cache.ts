import { assertOptions } from "../../base/known-members.ts";
import type { Result } from "../../protocol/result.ts";
import type { SubscriptionNotification } from "../../protocol/subscriptions.ts";
import type { CallOptions } from "../client.ts";
import { CALL_OPTIONS } from "../request.ts";
import type { Send } from "../send.ts";
import { cachedRequest } from "./key.ts";
import { ResultCache, type CacheSettings } from "./result-cache.ts";
import { Trips, type CachedCall } from "./trips.ts";

export interface Caching {
  readonly send: Send;
  /** What it names has changed at the server: nothing that was asked for before is used again. */
  readonly changed: (notification: SubscriptionNotification) => void;
  /** From now on nothing is answered without the server. */
  readonly close: () => void;
}

/**
 * Answers lists, reads and discovery from what was kept, for as long as the server allowed, and lets callers that ask the
 * same wait for one trip. What it gives is frozen: others may hold the same. Does nothing without settings.
 */
export function withCache(send: Send, settings: CacheSettings | undefined): Caching {
  if (settings === undefined) return { send, changed: doNothing, close: doNothing };
  const cache = new ResultCache(settings);
  const trips = new Trips(send, cache, settings);
  const answer = async (call: CachedCall): Promise<Result> => {
    const { method, params, options, extras } = call;
    assertOptions(method, options, CALL_OPTIONS);
    assertMode(method, options.cache);
    options.signal?.throwIfAborted();
    if (!cache.isOpen || options.cache === "no-store" || asksForMore(options)) {
      return send(method, params, options, extras);
    }
    return hearsOfTrip(options) ? trips.alone(call) : trips.shared(call);
  };
  return {
    send: (method, params, options = {}, extras) => {
      const cached = cachedRequest(settings.partition, method, params);
      return cached === undefined
        ? send(method, params, options, extras)
        : answer({ method, params, options, extras, cached });
    },
    changed: (notification) => cache.changed(notification),
    close: () => cache.close(),
  };
}

const doNothing = (): void => {};

const MODES: ReadonlySet<unknown> = new Set(["default", "reload", "no-store", undefined]);

function assertMode(method: string, mode: CallOptions["cache"]): void {
  if (MODES.has(mode)) return;
  throw new TypeError(
    `${method}: cache must be "default", "reload" or "no-store", not ${JSON.stringify(mode)}`,
  );
}

/** What is sent with every request of a traced program, and changes no result. */
const TRACES: ReadonlySet<string> = new Set(["traceparent", "tracestate", "baggage"]);

/** Further members of `_meta` may change the result, and are no part of its key. */
const asksForMore = ({ meta = {} }: CallOptions): boolean =>
  Object.keys(meta).some((name) => !TRACES.has(name));

/** Progress and log messages are those of one request. */
const hearsOfTrip = ({ onProgress, onLog, logLevel }: CallOptions): boolean =>
  onProgress !== undefined || onLog !== undefined || logLevel !== undefined;
