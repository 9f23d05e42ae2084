/** A promise that is settled from outside. */
export class Latch<T> {
  readonly promise: Promise<T>;
  #resolve: ((value: T) => void) | undefined;

  constructor() {
    this.promise = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  open(value: T): void {
    this.#resolve?.(value);
  }
}
