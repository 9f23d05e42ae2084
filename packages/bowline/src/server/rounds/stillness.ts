/** `setTimeout`, or what stands for it. */
export type Schedule = (callback: () => void, ms: number) => ReturnType<typeof setTimeout>;

interface StillnessOptions {
  readonly schedule: Schedule;
  /** Whether anyone wants to know at the moment. */
  readonly isAwaited: () => boolean;
  readonly onStill: () => void;
}

/**
 * Finds out that a pass can move no further: nothing of ours is under way, and one macrotask has passed without
 * change. Whatever waits for settled promises alone, however many, has gone on by then.
 */
export class Stillness {
  readonly #options: StillnessOptions;
  #pending = 0;
  #changes = 0;
  #isWatching = false;

  constructor(options: StillnessOptions) {
    this.#options = options;
  }

  /** Counts as movement for as long as it lasts. */
  during<T>(work: Promise<T>): Promise<T> {
    this.#pending += 1;
    this.#changes += 1;
    return work.finally(() => {
      this.#pending -= 1;
      this.#changes += 1;
      this.#watch();
    });
  }

  #watch(): void {
    const { isAwaited, onStill, schedule } = this.#options;
    if (this.#isWatching || this.#pending > 0 || !isAwaited()) return;
    const seen = this.#changes;
    this.#isWatching = true;
    schedule(() => {
      this.#isWatching = false;
      if (!isAwaited()) return;
      if (this.#changes === seen) onStill();
      else this.#watch();
    }, 0);
  }
}
