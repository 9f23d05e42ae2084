import { NOTIFICATION_BURST, NOTIFICATIONS_PER_SECOND } from "../../base/limits.ts";
import { unrefTimer } from "../../base/timer.ts";
import type { ProgressNotification, ProgressToken } from "../../protocol/progress.ts";
import { Bucket } from "./bucket.ts";
import type { Outlet } from "./outlet.ts";

const RATE = { burst: NOTIFICATION_BURST, perSecond: NOTIFICATIONS_PER_SECOND };

/**
 * Reports the progress of one call: ten values at once, then ten a second. What comes faster is held
 * back, the latest value replacing the one before, and goes out in time or right before the result.
 */
export class ProgressReporter {
  readonly #token: ProgressToken;
  readonly #outlet: Outlet;
  readonly #bucket: Bucket;
  #highest = Number.NEGATIVE_INFINITY;
  #held: ProgressNotification | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(token: ProgressToken, outlet: Outlet) {
    this.#token = token;
    this.#outlet = outlet;
    this.#bucket = new Bucket(RATE, outlet.now());
  }

  report(progress: number, total: number | undefined, message: string | undefined): Promise<void> {
    if (progress <= this.#highest) {
      const values = `${progress} after ${this.#highest}`;
      this.#outlet.drop(new RangeError(`progress must grow, not reported: ${values}`));
      return Promise.resolve();
    }
    this.#highest = progress;
    const notification: ProgressNotification = {
      method: "notifications/progress",
      params: {
        progressToken: this.#token,
        progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message }),
      },
    };
    if (this.#held === undefined && this.#bucket.take(this.#outlet.now())) {
      return this.#outlet.send(notification);
    }
    this.#held = notification;
    this.#timer ??= this.#startTimer();
    return Promise.resolve();
  }

  /** Sends what is held back; a promise only if there is something to wait for. */
  flush(): Promise<void> | undefined {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const held = this.#held;
    this.#held = undefined;
    return held === undefined ? undefined : this.#outlet.send(held);
  }

  #startTimer(): ReturnType<typeof setTimeout> {
    const timer = setTimeout(() => {
      // The wait was for one token, so this takes it.
      this.#bucket.take(this.#outlet.now());
      void this.flush();
    }, this.#bucket.waitMs(this.#outlet.now()));
    unrefTimer(timer);
    return timer;
  }
}

/** Throws where a value could not be told to a client. */
export function assertProgress(progress: unknown, total: unknown, message: unknown): void {
  if (!Number.isFinite(progress)) throw new TypeError("progress: the value is not a finite number");
  if (total !== undefined && !Number.isFinite(total)) {
    throw new TypeError("progress: the total is not a finite number");
  }
  if (message !== undefined && typeof message !== "string") {
    throw new TypeError("progress: the message is not a string");
  }
}
