import type { ServerNotification } from "../../protocol/notifications.ts";

/** The way of one call's notifications to the client. */
export interface Outlet {
  /** Settles when the transport took it, and never rejects: what fails is reported. Nothing goes out after the call. */
  send(notification: ServerNotification): Promise<void>;
  /** Tells the author what was not sent, and why. */
  drop(error: unknown): void;
  now(): number;
}
