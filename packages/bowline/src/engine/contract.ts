import type { MaybePromise } from "../base/maybe-promise.ts";
import type { JsonValue } from "../json/value.ts";

/**
 * What the replicas of one server share, and nothing else. Each replica opens an engine of its own on
 * a store they have in common.
 *
 * Keys, topics, names of queues and names of counters are four spaces of names that do not meet. A
 * name is 1 to 512 bytes of well-formed UTF-8 without U+0000, compared byte by byte. A store that is
 * used for other things as well is parted by an option of its adapter, not by names.
 *
 * Values, items and messages are JSON, copied before a call returns its promise, and copied on the way
 * out: nothing is shared by reference. A value or an item may take 1 MiB as JSON text, a message 16 KiB, and all of them may nest
 * 100 levels deep.
 *
 * All durations are whole milliseconds, from 1 to ten years, measured by the one clock of the store. Something
 * that lasts for `n` milliseconds is there until just before they have passed.
 *
 * Every method answers with a promise and throws nothing at once. All of them reject with:
 *
 * - `TypeError` or `RangeError` for an argument that is none;
 * - `LimitError` for a name or value over its size, and for a store that is full: nothing that still
 *   counts is ever thrown out to make room;
 * - `TransportError` if the store is not to be had, with the code `ERR_MCP_TRANSPORT_CLOSED` after
 *   `close`. What was asked for may have been done all the same;
 * - the reason of `signal`, once it aborts. That ends the waiting and takes nothing back.
 *
 * Whoever opened an engine closes it; what it is handed to does not.
 */
export interface Engine extends AsyncDisposable {
  readonly kv: KeyValueStore;
  readonly pubsub: PubSub;
  readonly queue: LeaseQueue;
  readonly counter: Counter;
  /**
   * Ends the subscriptions of this engine and lets go of its connections; what is stored stays. Leases
   * that are held run out by themselves. Closing twice is the same as once.
   */
  close(): Promise<void>;
}

export interface EngineCallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Values by key. Each method is atomic: replicas see all of it or nothing, in one order. */
export interface KeyValueStore {
  /** What stands at a key; `undefined` where there is nothing, or nothing any more. */
  get(key: string, options?: EngineCallOptions): Promise<Versioned | undefined>;
  /**
   * Resolves to the new revision; to `undefined`, with nothing changed, if `expected` was given and is
   * not what stands there.
   */
  put(key: string, value: JsonValue, options?: PutOptions): Promise<Revision | undefined>;
  /** Resolves to whether there was something to delete and, if `expected` is given, it was that. */
  delete(key: string, options?: DeleteOptions): Promise<boolean>;
}

/**
 * Names one write to one key. Never given twice to a key, not even after it was deleted, and never the
 * text `"absent"`. Revisions are only ever compared for equality.
 */
export type Revision = string;

export interface Versioned {
  readonly value: JsonValue;
  readonly revision: Revision;
}

export interface PutOptions extends EngineCallOptions {
  /**
   * The revision to replace, or the text `"absent"` to write only where nothing stands. Leave it out to
   * write in any case; a member that is there and `undefined` is refused, because it would overwrite unasked.
   */
  readonly expected?: Revision;
  /** Until the value vanishes. Without it the value stays, whatever was said of the one before. */
  readonly ttlMs?: number | undefined;
}

export interface DeleteOptions extends EngineCallOptions {
  /** The revision to delete. Leave it out to delete in any case; `undefined` is refused. */
  readonly expected?: Revision;
}

/**
 * Hints that something has changed. Each message arrives at most once, and the truth is elsewhere: a
 * subscriber reads it after `onGap`, and when it has just subscribed.
 */
export interface PubSub {
  /** Resolves when the store has taken the message, not when subscribers have seen it. */
  publish(topic: string, message: JsonValue, options?: EngineCallOptions): Promise<void>;
  /**
   * Resolves once messages published from now on are heard, those of this engine included. They come in
   * the order in which one engine published them, and never within the call that published them.
   */
  subscribe(
    topic: string,
    listener: TopicListener,
    options?: EngineCallOptions,
  ): Promise<TopicSubscription>;
}

/**
 * A listener that throws, or whose promise rejects, is reported to the `onError` of the adapter and goes
 * on listening. Promises are not waited for.
 */
export interface TopicListener {
  onMessage(message: JsonValue): MaybePromise<void>;
  /** Messages may have been missed: the connection was lost and is back, or they came too fast. */
  onGap?(): MaybePromise<void>;
}

export interface TopicSubscription extends AsyncDisposable {
  /** The listener hears nothing more from the moment this is called. Closing twice is the same as once. */
  close(): Promise<void>;
}

/**
 * Work to be done at least once. An item is in the hands of one taker at a time, as long as its lease
 * lasts; what is not done by then is handed out again.
 */
export interface LeaseQueue {
  /** Resolves to the id of the item, which no other item of the store has or had. */
  push(queue: string, item: JsonValue, options?: PushOptions): Promise<string>;
  /**
   * The item that has been available for longest, which is handed out to nobody else for `leaseMs`;
   * `undefined` if none is available now. Of items that became available in the same millisecond, any.
   *
   * Does not wait for an item. Ask again in intervals, and at once on a hint of yours over `pubsub`.
   */
  take(queue: string, leaseMs: number, options?: EngineCallOptions): Promise<Lease | undefined>;
}

export interface PushOptions extends EngineCallOptions {
  /** Until the item is first available. Without it, at once. */
  readonly delayMs?: number | undefined;
}

/**
 * An item in hand. Once the lease has run out, or after `done` or `release`, each method resolves to
 * `false` and changes nothing: whoever hears `false` no longer owns the item.
 */
export interface Lease {
  /** Of the item, the same each time it is handed out. */
  readonly id: string;
  readonly item: JsonValue;
  /** How often the item has been handed out, this time included. When that is too often is for the taker to say. */
  readonly attempts: number;
  /** The lease ends `leaseMs` from now, whether that is later or sooner than before. */
  extend(leaseMs: number, options?: EngineCallOptions): Promise<boolean>;
  /** Removes the item from the queue. */
  done(options?: EngineCallOptions): Promise<boolean>;
  /** Gives the item back before its time, behind those that are available already. */
  release(options?: ReleaseOptions): Promise<boolean>;
}

export interface ReleaseOptions extends EngineCallOptions {
  /** Until the item is available again. Without it, at once. */
  readonly delayMs?: number | undefined;
}

/** Numbers that replicas count up and down together. */
export interface Counter {
  /**
   * Adds a whole number, which may be negative or 0, and resolves to the sum: no addition is lost or seen
   * twice. A counter that comes to 0 is gone, as if it had never been, so that adding 0 only reads.
   *
   * Rejects with a `RangeError`, and adds nothing, if the sum would lie beyond ±(2⁵³ − 1).
   */
  add(name: string, by: number, options?: AddOptions): Promise<number>;
}

export interface AddOptions extends EngineCallOptions {
  /** Until the counter is gone. Counts from the addition that begins it; later ones do not prolong it. */
  readonly ttlMs?: number | undefined;
}
