import type { Rate } from "./call/bucket.ts";
import type { OnError } from "../base/fault-report.ts";
import { assertOptions, type Known } from "../base/known-members.ts";
import {
  CLOSE_GRACE_MS,
  COMPLETION_BURST,
  COMPLETIONS_PER_SECOND,
  DEFAULT_PAGE_SIZE,
  HANDLER_TIMEOUT_MS,
  MAX_HANDLER_TIMEOUT_MS,
  MAX_LISTEN_STREAMS,
  MAX_LISTEN_STREAMS_PER_PRINCIPAL,
  STATE_TTL_MS,
} from "../base/limits.ts";
import type { CacheHints } from "../protocol/caching.ts";
import type { Implementation } from "../protocol/implementation.ts";
import type { ChangeHub } from "./listening/fan-out.ts";
import type { RoundEvent } from "./rounds/conversation-tools.ts";
import type { UsedStates } from "./rounds/rounds.ts";
import { DEFAULT_HINTS, withHints } from "./results/cache-hints.ts";

/** Who a server says it is, and what a model should know to use it well. */
export interface ServerInfo extends Implementation {
  readonly instructions?: string | undefined;
}

/** The answers that carry caching hints of their own. */
export type CachedAnswer = "discover" | "tools" | "prompts" | "resources" | "resourceTemplates";

/** The part of an `Engine` that a server uses. */
export interface ServerEngine extends UsedStates {
  /** Carries changes to the listeners of other replicas. */
  readonly pubsub?: ChangeHub | undefined;
}

export interface ServerOptions {
  /**
   * Told of every fault that a peer only sees as a reference, and of what was dropped on the way. Without
   * it, or where it throws itself, they are written to the console.
   */
  readonly onError?: OnError | undefined;
  /** Entries of one page of a list; default 100. */
  readonly pageSize?: number | undefined;
  /** Default: stale at once, private. Lists with entries that not everyone sees are always private. */
  readonly cacheHints?:
    | { readonly [X in CachedAnswer]?: Partial<CacheHints> | undefined }
    | undefined;
  /**
   * Seal request states and list cursors: 32 bytes or more each, as bytes or as Base64, the same on all replicas. The
   * first one seals, all of them open, so that keys can be replaced. Default: those in the environment variable
   * `BOWLINE_STATE_KEY`, with commas between them, or else a random one.
   */
  readonly stateKeys?: readonly (Uint8Array | string)[] | undefined;
  /** How long a client may take to come back with answers, in milliseconds; default 10 minutes. */
  readonly stateTtlMs?: number | undefined;
  /**
   * What all replicas share, servers of the same name being replicas: states that may be used once, and changes that
   * listeners are told of. See `bowline/engine`. The caller closes it.
   */
  readonly engine?: ServerEngine | undefined;
  /** Told of questions and answers that did not meet. */
  readonly onEvent?: ((event: RoundEvent) => void) | undefined;
  /** Longest time for one handler, in milliseconds; default 5 minutes. */
  readonly handlerTimeoutMs?: number | undefined;
  /** How long `close()` waits for running handlers before it aborts their signals; default 5 seconds. */
  readonly closeGraceMs?: number | undefined;
  /** Open subscriptions, all transports together; default 1,024. */
  readonly maxListenStreams?: number | undefined;
  /** Of one principal; default 16. Callers without credentials are only bounded all together. */
  readonly maxListenStreamsPerPrincipal?: number | undefined;
  /** `false` keeps the server's name and version out of results. */
  readonly serverInfo?: boolean | undefined;
  /** Per principal; callers without credentials share one. Default: 10 completions a second, any number of tool calls. */
  readonly rates?:
    | { readonly toolCalls?: Rate | undefined; readonly completions?: Rate | undefined }
    | undefined;
}

/** The options with every default filled in, and checked. */
export interface Settings {
  readonly pageSize: number;
  readonly hints: { readonly [X in CachedAnswer]: CacheHints };
  readonly handlerTimeoutMs: number;
  readonly closeGraceMs: number;
  readonly stateTtlMs: number;
  readonly maxListenStreams: number;
  readonly maxListenStreamsPerPrincipal: number;
  readonly rates: { readonly completions: Rate; readonly toolCalls: Rate | undefined };
}

const INFO: Known<ServerInfo> = {
  name: "any",
  version: "any",
  title: "any",
  description: "any",
  websiteUrl: "string",
  icons: "any",
  instructions: "string",
};

/** Throws a `TypeError` for what says nothing of a server, or something nobody reads. */
export function assertInfo(info: ServerInfo): void {
  assertOptions(LABEL, info, INFO, { what: "the first argument, { name, version }," });
}

const LABEL = "createServer";
const OPTIONS: Known<ServerOptions> = {
  onError: "function",
  pageSize: "any",
  cacheHints: "object",
  stateKeys: "object",
  stateTtlMs: "any",
  engine: "object",
  onEvent: "function",
  maxListenStreams: "any",
  maxListenStreamsPerPrincipal: "any",
  handlerTimeoutMs: "any",
  closeGraceMs: "any",
  serverInfo: "boolean",
  rates: "object",
};
const HINTS: Known<{ readonly [X in CachedAnswer]: unknown }> = {
  discover: "object",
  tools: "object",
  prompts: "object",
  resources: "object",
  resourceTemplates: "object",
};
const RATES: Known<Settings["rates"]> = { toolCalls: "object", completions: "object" };

/**
 * Throws a `RangeError` that names the option for a value out of range, and a `TypeError` for an option that
 * is none.
 */
export function createSettings(options: ServerOptions): Settings {
  assertOptions(LABEL, options, OPTIONS);
  const { cacheHints = {}, rates = {} } = options;
  assertOptions(`${LABEL}: cacheHints`, cacheHints, HINTS);
  assertOptions(`${LABEL}: rates`, rates, RATES);
  return {
    pageSize: inRange("pageSize", options.pageSize ?? DEFAULT_PAGE_SIZE, 1, 10_000),
    hints: {
      discover: withHints(DEFAULT_HINTS, cacheHints.discover),
      tools: withHints(DEFAULT_HINTS, cacheHints.tools),
      prompts: withHints(DEFAULT_HINTS, cacheHints.prompts),
      resources: withHints(DEFAULT_HINTS, cacheHints.resources),
      resourceTemplates: withHints(DEFAULT_HINTS, cacheHints.resourceTemplates),
    },
    handlerTimeoutMs: inRange(
      "handlerTimeoutMs",
      options.handlerTimeoutMs ?? HANDLER_TIMEOUT_MS,
      1,
      MAX_HANDLER_TIMEOUT_MS,
    ),
    closeGraceMs: inRange(
      "closeGraceMs",
      options.closeGraceMs ?? CLOSE_GRACE_MS,
      0,
      MAX_HANDLER_TIMEOUT_MS,
    ),
    maxListenStreams: inRange(
      "maxListenStreams",
      options.maxListenStreams ?? MAX_LISTEN_STREAMS,
      0,
      1_000_000,
    ),
    maxListenStreamsPerPrincipal: inRange(
      "maxListenStreamsPerPrincipal",
      options.maxListenStreamsPerPrincipal ?? MAX_LISTEN_STREAMS_PER_PRINCIPAL,
      0,
      1_000_000,
    ),
    stateTtlMs: inRange(
      "stateTtlMs",
      options.stateTtlMs ?? STATE_TTL_MS,
      1,
      MAX_HANDLER_TIMEOUT_MS,
    ),
    rates: {
      completions: rates.completions ?? {
        burst: COMPLETION_BURST,
        perSecond: COMPLETIONS_PER_SECOND,
      },
      toolCalls: rates.toolCalls,
    },
  };
}

function inRange(name: string, value: number, min: number, max: number): number {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw new RangeError(`${name}: ${value} is not a whole number from ${min} to ${max}`);
}
