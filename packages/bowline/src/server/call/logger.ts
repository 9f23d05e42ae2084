import { NOTIFICATION_BURST, NOTIFICATIONS_PER_SECOND } from "../../base/limits.ts";
import type { JsonValue } from "../../json/value.ts";
import { LOGGING_LEVELS, type LoggingLevel } from "../../protocol/deprecated/logging.ts";
import { Bucket } from "./bucket.ts";
import type { Outlet } from "./outlet.ts";

const RATE = { burst: NOTIFICATION_BURST, perSecond: NOTIFICATIONS_PER_SECOND };

const WARNING = LOGGING_LEVELS.indexOf("warning");

/** What can be logged: JSON, or an object that becomes JSON. Not an `Error`, of which nothing would be left. */
export type LogData = JsonValue | (object & { readonly stack?: never });

/** Tells the client of this call; settles when the transport took the message or nobody asked for it. */
export type LogFunction = (data: LogData, logger?: string) => Promise<void>;

/** One function for each level. */
export type Logger = { readonly [L in LoggingLevel]: LogFunction };

/** The log messages of one call, for a client that asked for them: ten at once, then ten a second. */
export class LogReporter {
  readonly #threshold: number;
  readonly #outlet: Outlet;
  readonly #bucket: Bucket;
  #dropped = 0;

  constructor(level: LoggingLevel, outlet: Outlet) {
    this.#threshold = LOGGING_LEVELS.indexOf(level);
    this.#outlet = outlet;
    this.#bucket = new Bucket(RATE, outlet.now());
  }

  report(level: LoggingLevel, data: LogData, logger: string | undefined): Promise<void> {
    if (LOGGING_LEVELS.indexOf(level) < this.#threshold) return Promise.resolve();
    if (!this.#bucket.take(this.#outlet.now())) {
      this.#dropped += 1;
      return Promise.resolve();
    }
    return this.#send(level, data, logger);
  }

  /** Says how many messages were too fast; a promise only if there were any. */
  flush(): Promise<void> | undefined {
    if (this.#dropped === 0) return undefined;
    const dropped = this.#dropped;
    this.#dropped = 0;
    // Never below what was asked for.
    const level = LOGGING_LEVELS[Math.max(this.#threshold, WARNING)] ?? "warning";
    return this.#send(level, { droppedLogMessages: dropped }, undefined);
  }

  #send(level: LoggingLevel, data: LogData, logger: string | undefined): Promise<void> {
    const params = { level, data, ...(logger === undefined ? {} : { logger }) };
    return this.#outlet.send({ method: "notifications/message", params });
  }
}

type Report = (level: LoggingLevel, data: LogData, logger: string | undefined) => Promise<void>;

/** The logger of a context; its functions need no `this`. */
export function createLogger(report: Report): Logger {
  return {
    debug: (data, logger) => report("debug", data, logger),
    info: (data, logger) => report("info", data, logger),
    notice: (data, logger) => report("notice", data, logger),
    warning: (data, logger) => report("warning", data, logger),
    error: (data, logger) => report("error", data, logger),
    critical: (data, logger) => report("critical", data, logger),
    alert: (data, logger) => report("alert", data, logger),
    emergency: (data, logger) => report("emergency", data, logger),
  };
}

/** Throws where a message could not be told to a client. */
export function assertLogMessage(data: unknown, logger: unknown): void {
  if (JSON.stringify(data) === undefined) throw new TypeError("log: the data is not JSON");
  if (logger !== undefined && typeof logger !== "string") {
    throw new TypeError("log: the logger's name is not a string");
  }
}
