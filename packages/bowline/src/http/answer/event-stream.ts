import { TAKEN } from "../../protocol/exchange.ts";
import { encodeEvent, KEEP_ALIVE } from "../../sse/encode.ts";
import { EVENT_STREAM_HEADERS, type Outlet } from "../respond.ts";
import type { Ticker, Ticking } from "./ticker.ts";

export interface EventStreamOptions {
  readonly outlet: Outlet;
  readonly ticker: Ticker;
  /** What may wait for the client before `send` does. */
  readonly maxQueueBytes: number;
  readonly keepAliveMs: number;
}

/**
 * The event stream of one call. Events are gathered until the promises of the moment have run their
 * course and leave in one write; if the last one is there by then, the answer leaves in one piece.
 */
export class EventStream implements Ticking {
  readonly #options: EventStreamOptions;
  #pending = "";
  #isOpen = false;
  #isFlushDue = false;
  #isBlocked = false;
  #isClosed = false;
  #lastWriteMs = 0;
  #room: Promise<void> | undefined;
  #makeRoom: (() => void) | undefined;

  constructor(options: EventStreamOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Bytes that wait for the client; beyond the backlog limit nobody should go on. */
  get backlog(): number {
    return this.#pending.length + this.#options.outlet.queued;
  }

  /** Adds an event; settles when there is room for more. */
  send(message: string): Promise<void> {
    this.#pending += encodeEvent(message);
    if (!this.#isFlushDue && !this.#isBlocked) {
      this.#isFlushDue = true;
      this.#options.outlet.defer();
    }
    return this.#hasRoom() ? TAKEN : this.#untilRoom();
  }

  flush(): void {
    this.#isFlushDue = false;
    if (this.#isClosed || this.#isBlocked || this.#pending === "") return;
    if (this.#isOpen) this.#write(this.#takePending());
    else this.#open(this.#takePending());
    if (this.#hasRoom()) this.#makeRoom?.();
  }

  drained(): void {
    this.#isBlocked = false;
    this.flush();
    if (this.#hasRoom()) this.#makeRoom?.();
  }

  /** The last event: ends the stream. */
  finish(message: string): void {
    const { outlet } = this.#options;
    const rest = this.#takePending() + encodeEvent(message);
    const wasOpen = this.#isOpen;
    this.close();
    if (wasOpen) outlet.end(rest);
    else outlet.send({ status: 200, headers: EVENT_STREAM_HEADERS, body: rest, close: false });
  }

  /** Writes nothing more, and lets those go on who wait. */
  close(): void {
    this.#isClosed = true;
    this.#pending = "";
    this.#options.ticker.delete(this);
    this.#makeRoom?.();
  }

  tick(nowMs: number): void {
    if (this.#isBlocked || nowMs - this.#lastWriteMs < this.#options.keepAliveMs) return;
    this.#write(KEEP_ALIVE);
  }

  #open(text: string): void {
    const { outlet, ticker } = this.#options;
    this.#isOpen = true;
    ticker.add(this);
    this.#lastWriteMs = ticker.nowMs;
    this.#isBlocked = !outlet.open(200, EVENT_STREAM_HEADERS, text);
  }

  #write(text: string): void {
    this.#lastWriteMs = this.#options.ticker.nowMs;
    this.#isBlocked = !this.#options.outlet.write(text);
  }

  #takePending(): string {
    const text = this.#pending;
    this.#pending = "";
    return text;
  }

  #hasRoom(): boolean {
    // While the client keeps up, less is on its way than is worth asking for.
    const waiting = this.#isBlocked ? this.backlog : this.#pending.length;
    return this.#isClosed || waiting < this.#options.maxQueueBytes;
  }

  #untilRoom(): Promise<void> {
    this.#room ??= new Promise((resolve) => {
      this.#makeRoom = () => {
        this.#room = undefined;
        this.#makeRoom = undefined;
        resolve();
      };
    });
    return this.#room;
  }
}
