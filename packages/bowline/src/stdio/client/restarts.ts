import { assertOptions, kindOf, type Known } from "../../base/known-members.ts";
import {
  MAX_CHILD_RESTARTS,
  MAX_RESTART_DELAY_MS,
  MIN_RESTART_DELAY_MS,
  MOST_CHILD_RESTARTS,
  RESTART_WINDOW_MS,
} from "../../base/limits.ts";
import type { RestartOptions } from "../target.ts";

const OPTIONS: Known<RestartOptions> = {
  maxRestarts: "number",
  windowMs: "number",
  minDelayMs: "number",
  maxDelayMs: "number",
  random: "function",
  now: "function",
  after: "function",
};

/**
 * When a server that ended may be started again: after a random wait that grows with every restart, and not more
 * often than the window allows.
 *
 * Throws a `TypeError` or `RangeError` for options that mean nothing.
 */
export class Restarts {
  readonly after: (ms: number, run: () => void) => () => void;
  readonly #maxRestarts: number;
  readonly #windowMs: number;
  readonly #minDelayMs: number;
  readonly #maxDelayMs: number;
  readonly #random: () => number;
  readonly #now: () => number;
  /** When the last restarts were, the newest at the end. */
  #times: readonly number[] = [];
  #notBefore = 0;

  constructor(options: RestartOptions) {
    assertOptions("connect: restart", options, OPTIONS);
    this.#maxRestarts = wholeNumber("maxRestarts", options.maxRestarts ?? MAX_CHILD_RESTARTS);
    if (this.#maxRestarts > MOST_CHILD_RESTARTS) {
      throw new RangeError(`restart.maxRestarts: more than ${MOST_CHILD_RESTARTS} are no limit`);
    }
    this.#windowMs = wholeNumber("windowMs", options.windowMs ?? RESTART_WINDOW_MS);
    this.#minDelayMs = wholeNumber("minDelayMs", options.minDelayMs ?? MIN_RESTART_DELAY_MS);
    this.#maxDelayMs = wholeNumber("maxDelayMs", options.maxDelayMs ?? MAX_RESTART_DELAY_MS);
    this.#random = options.random ?? Math.random;
    this.#now = options.now ?? (() => performance.now());
    this.after = options.after ?? after;
  }

  /** The server ended: draws how long the next one has to wait. */
  drawDelay(): void {
    const longest = Math.min(this.#maxDelayMs, this.#minDelayMs * 2 ** this.#recent().length);
    this.#notBefore = this.#now() + this.#random() * longest;
  }

  get delayMs(): number {
    return Math.max(0, this.#notBefore - this.#now());
  }

  /** How long none is allowed because there were too many; 0 where one is. */
  get closedForMs(): number {
    const oldest = this.#recent().at(-this.#maxRestarts);
    return oldest === undefined ? 0 : Math.ceil(oldest + this.#windowMs - this.#now());
  }

  started(): void {
    this.#times = [...this.#recent(), this.#now()];
  }

  #recent(): readonly number[] {
    const since = this.#now() - this.#windowMs;
    return this.#times.filter((time) => time > since);
  }
}

/** Those that an option of `connect` asks for, if any. Throws as `Restarts` does. */
export function restartsOf(restart: boolean | RestartOptions): Restarts | undefined {
  if (restart === false) return undefined;
  if (restart === true) return new Restarts({});
  // JavaScript may give anything.
  const given: unknown = restart;
  if (typeof given === "object" && given !== null) return new Restarts(restart);
  throw new TypeError(`connect: restart must be a boolean or an object, not ${kindOf(given)}`);
}

function wholeNumber(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new RangeError(`restart.${name}: ${value} is not a whole number from 1`);
}

/** Waits only while a call does: then the process has to stay, as it does for an answer. */
function after(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}
