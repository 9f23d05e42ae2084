import type { JsonObject } from "../json/value.ts";

/** Chosen by the client, unique among its active requests. */
export type ProgressToken = string | number;

/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress */
export interface ProgressNotification {
  readonly method: "notifications/progress";
  readonly params: {
    readonly progressToken: ProgressToken;
    /** Larger than in the notification before. */
    readonly progress: number;
    readonly total?: number;
    readonly message?: string;
    readonly _meta?: JsonObject;
  };
}
