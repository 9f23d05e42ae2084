/** What ending a connection consists of. */
export interface EndingSteps {
  /** Stops reading. */
  readonly stop: () => void;
  /** Settles when the calls in flight are answered. */
  readonly answered: () => Promise<void>;
  /** Aborts the calls still in flight. */
  readonly abort: () => void;
  /** Settles when what was sent has left. */
  readonly flushed: () => Promise<void>;
  /** Gives back the streams. */
  readonly release: () => void;
  /** Ends the process, where that is ours to do. */
  readonly exit?: ((code: number) => void) | undefined;
}

/** The end of a serving connection, which comes once, whatever comes first. */
export class Ending {
  readonly closed: Promise<void>;
  readonly #steps: EndingSteps;
  readonly #graceMs: number;
  readonly #cut: Promise<void>;
  #cutShort: () => void = () => undefined;
  #markClosed: () => void = () => undefined;
  #isEnding = false;
  #exits = false;
  #exitCode = 0;

  constructor(steps: EndingSteps, graceMs: number) {
    this.#steps = steps;
    this.#graceMs = graceMs;
    this.closed = new Promise((resolve) => (this.#markClosed = resolve));
    this.#cut = new Promise((resolve) => (this.#cutShort = resolve));
  }

  /** The input is over: calls in flight have the grace to finish. */
  endOfInput(): void {
    this.#exits = true;
    void this.#run();
  }

  /** There is no going on: calls in flight are aborted at once. */
  giveUp(exitCode: number): void {
    this.#exits = true;
    this.#exitCode = exitCode;
    this.#cutShort();
    void this.#run();
  }

  /** Ends as `endOfInput` does and leaves the process alone. */
  close(): Promise<void> {
    void this.#run();
    return this.closed;
  }

  async #run(): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    const { stop, answered, abort, flushed, release, exit } = this.#steps;
    stop();
    await this.#withinGrace(Promise.race([answered(), this.#cut]));
    abort();
    await this.#withinGrace(flushed());
    release();
    this.#markClosed();
    if (this.#exits) exit?.(this.#exitCode);
  }

  /** Waits for a step that never rejects, but not longer than the grace. */
  async #withinGrace(step: Promise<void>): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, this.#graceMs)));
    await Promise.race([step, late]);
    clearTimeout(timer);
  }
}
