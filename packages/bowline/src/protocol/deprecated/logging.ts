import type { JsonObject, JsonValue } from "../../json/value.ts";

/** Rising severity. @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging */
export const LOGGING_LEVELS: readonly LoggingLevel[] = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
];

export type LoggingLevel =
  | "debug"
  | "info"
  | "notice"
  | "warning"
  | "error"
  | "critical"
  | "alert"
  | "emergency";

export interface LoggingMessageNotification {
  readonly method: "notifications/message";
  readonly params: {
    readonly level: LoggingLevel;
    readonly data: JsonValue;
    readonly logger?: string;
    readonly _meta?: JsonObject;
  };
}
