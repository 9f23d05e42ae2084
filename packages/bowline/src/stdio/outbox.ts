import { TAKEN } from "../protocol/exchange.ts";

/** Where an outbox puts its text, with the little it needs to know of a stream. */
export interface TextSink {
  /** False if the other side is behind: nothing more is written until `drained` is called. */
  write(text: string): boolean;
  /** Runs once the current turn's promise chains have run. */
  schedule(run: () => void): void;
  /** The other side fell behind, or caught up again. */
  onBlocked?(blocked: boolean): void;
}

/**
 * Collects the lines of one turn and writes them at once. While the other side is behind, lines
 * gather here and go out together when it has caught up.
 */
export class Outbox {
  readonly #sink: TextSink;
  readonly #maxQueueLength: number;
  #pending = "";
  #scheduled = false;
  #blocked = false;
  #closed = false;
  #waiting: (() => void)[] = [];

  constructor(sink: TextSink, maxQueueLength: number) {
    this.#sink = sink;
    this.#maxQueueLength = maxQueueLength;
  }

  /** Characters not handed to the stream yet. */
  get length(): number {
    return this.#pending.length;
  }

  send(line: string): void {
    if (this.#closed) return;
    this.#pending += `${line}\n`;
    if (this.#scheduled || this.#blocked) return;
    this.#scheduled = true;
    this.#sink.schedule(this.#flushScheduled);
  }

  /** Settles when a sender that can wait may go on: at once, unless the other side is behind or this much waits. */
  ready(maxLength: number = this.#maxQueueLength): Promise<void> {
    if (this.#closed || (!this.#blocked && this.#pending.length < maxLength)) return TAKEN;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  flush(): void {
    if (this.#pending === "" || this.#blocked || this.#closed) return;
    const text = this.#pending;
    this.#pending = "";
    if (this.#sink.write(text)) {
      this.#release();
      return;
    }
    this.#blocked = true;
    this.#sink.onBlocked?.(true);
  }

  /** The stream takes more. */
  drained(): void {
    if (!this.#blocked) return;
    this.#blocked = false;
    this.flush();
    if (this.#blocked) return;
    this.#sink.onBlocked?.(false);
    this.#release();
  }

  /** Nothing more is written; whoever waits goes on. */
  close(): void {
    this.#closed = true;
    this.#pending = "";
    this.#release();
  }

  readonly #flushScheduled = (): void => {
    this.#scheduled = false;
    this.flush();
  };

  #release(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
