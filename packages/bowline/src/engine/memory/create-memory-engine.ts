import { TransportError } from "../../base/errors.ts";
import { createFaultReport, type OnError } from "../../base/fault-report.ts";
import { MEMORY_ENGINE_LIMITS, type MemoryEngineLimits } from "../../base/limits.ts";
import type { Engine, EngineCallOptions, Lease, TopicSubscription } from "../contract.ts";
import { MemoryCounters } from "./counters.ts";
import { MemoryValues } from "./key-value.ts";
import { MemoryQueues, type MemoryLease } from "./queues.ts";
import { Room } from "./room.ts";
import { MemoryTopics } from "./topics.ts";

export interface MemoryEngineOptions {
  readonly limits?: Partial<MemoryEngineLimits> | undefined;
  /** Milliseconds of a clock that only goes forward. Default: `performance.now`. */
  readonly now?: (() => number) | undefined;
  /** Hears of listeners that fail. Default: the console. */
  readonly onError?: OnError | undefined;
}

/** An engine in memory. What it holds is gone when no engine on its store is left. */
export interface MemoryEngine extends Engine {
  /**
   * Another engine on the same store, with the limits, clock and `onError` of this one, as another
   * replica would have it. It is closed on its own. Throws after `close`.
   */
  share(): MemoryEngine;
}

/**
 * The engine of a server that runs as one process: it shares with nobody, and forgets everything when
 * the process ends.
 *
 * Starts no timer and keeps no process alive: what is past its time is cleared away by the calls that
 * come after. A store that is full refuses to hold more, with a `LimitError` that names the limit.
 *
 * Throws a `RangeError` for a limit that is none.
 */
export function createMemoryEngine(options: MemoryEngineOptions = {}): MemoryEngine {
  const limits = resolveLimits(options.limits);
  const room = new Room(limits, options.now ?? (() => performance.now()));
  return openEngine({
    values: new MemoryValues(room),
    counters: new MemoryCounters(room),
    queues: new MemoryQueues(room),
    topics: new MemoryTopics(
      limits.maxSubscriptions,
      createFaultReport({ onError: options.onError }),
    ),
  });
}

interface MemoryStore {
  readonly values: MemoryValues;
  readonly counters: MemoryCounters;
  readonly queues: MemoryQueues;
  readonly topics: MemoryTopics;
}

/** Runs one call to its end within this turn, so that calls do not mix; anything it throws is a rejection. */
type Run = <T>(options: EngineCallOptions | undefined, work: () => T) => Promise<T>;

function openEngine(store: MemoryStore): MemoryEngine {
  let isClosed = false;
  const endings = new Set<() => void>();
  const assertOpen = (): void => {
    if (!isClosed) return;
    throw new TransportError("the engine is closed", { code: "ERR_MCP_TRANSPORT_CLOSED" });
  };
  const run: Run = async (options, work) => {
    options?.signal?.throwIfAborted();
    assertOpen();
    return work();
  };
  const close = async (): Promise<void> => {
    isClosed = true;
    for (const end of endings) end();
    endings.clear();
  };
  return {
    ...storeMembers(store, run),
    pubsub: pubsubOf(store.topics, run, endings),
    share: () => {
      assertOpen();
      return openEngine(store);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function storeMembers(
  { values, counters, queues }: MemoryStore,
  run: Run,
): Pick<Engine, "kv" | "queue" | "counter"> {
  return {
    kv: {
      get: (key, options) => run(options, () => values.get(key)),
      put: (key, value, options = {}) => run(options, () => values.put(key, value, options)),
      delete: (key, options = {}) => run(options, () => values.delete(key, options)),
    },
    queue: {
      push: (queue, item, options = {}) => run(options, () => queues.push(queue, item, options)),
      take: (queue, leaseMs, options) =>
        run(options, () => {
          const lease = queues.take(queue, leaseMs);
          return lease && leaseOf(lease, run);
        }),
    },
    counter: {
      add: (name, by, options = {}) => run(options, () => counters.add(name, by, options)),
    },
  };
}

function leaseOf(lease: MemoryLease, run: Run): Lease {
  const { id, item, attempts } = lease;
  return {
    id,
    item,
    attempts,
    extend: (leaseMs, options) => run(options, () => lease.extend(leaseMs)),
    done: (options) => run(options, () => lease.done()),
    release: (options = {}) => run(options, () => lease.release(options)),
  };
}

function pubsubOf(topics: MemoryTopics, run: Run, endings: Set<() => void>): Engine["pubsub"] {
  return {
    publish: (topic, message, options) => run(options, () => topics.publish(topic, message)),
    subscribe: (topic, listener, options) =>
      run(options, (): TopicSubscription => {
        const end = topics.subscribe(topic, listener);
        endings.add(end);
        const close = async (): Promise<void> => {
          end();
          endings.delete(end);
        };
        return { close, [Symbol.asyncDispose]: close };
      }),
  };
}

function resolveLimits(wanted: Partial<MemoryEngineLimits> = {}): MemoryEngineLimits {
  for (const [name, value] of Object.entries(wanted)) {
    if (!Object.hasOwn(MEMORY_ENGINE_LIMITS, name)) {
      throw new RangeError(`limits: there is no ${name}`);
    }
    if (!(Number.isInteger(value) && value >= 1)) {
      throw new RangeError(`limits.${name}: ${String(value)} is no limit`);
    }
  }
  return { ...MEMORY_ENGINE_LIMITS, ...wanted };
}
