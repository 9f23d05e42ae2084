import { JSON_LIMITS } from "../../base/limits.ts";
import type { MaybePromise } from "../../base/maybe-promise.ts";
import type { JsonValue } from "../../json/value.ts";
import type { Frame } from "./frame.ts";

/** What the function of a step is given. */
export interface StepContext {
  /** The same in every round of a conversation: an idempotency key for the other side. */
  readonly id: string;
}

/** One pass's steps: each runs once on the path a client follows, and is known from then on. */
export class Steps {
  readonly #known: Map<string, JsonValue | undefined>;
  readonly #used = new Set<string>();
  readonly #running = new Set<string>();
  readonly #conversation: string;

  constructor(conversation: string, known: readonly (readonly [string, JsonValue?])[]) {
    this.#conversation = conversation;
    this.#known = new Map(known.map(([name, value]) => [name, value]));
  }

  /** Names of those that have not come to an end. */
  get running(): readonly string[] {
    return [...this.#running];
  }

  entries(): readonly (readonly [string, JsonValue?])[] {
    return [...this.#known].map(([name, value]) => (value === undefined ? [name] : [name, value]));
  }

  /** Takes a name for this pass. Throws a `TypeError` for one that is no name or was taken before. */
  take(name: unknown): asserts name is string {
    if (typeof name !== "string" || name === "") throw new TypeError("step: the name is empty");
    if (this.#used.has(name)) {
      throw new TypeError(`step: the name ${JSON.stringify(name)} is used twice in one pass`);
    }
    this.#used.add(name);
  }

  isKnown(name: string): boolean {
    return this.#known.has(name);
  }

  /** A copy, so that no pass can change what the next one sees. */
  recall(name: string): JsonValue | undefined {
    const value = this.#known.get(name);
    return value === undefined ? undefined : copyJson(value);
  }

  async run(
    name: string,
    work: (step: StepContext) => MaybePromise<unknown>,
    frame: Frame,
  ): Promise<JsonValue | undefined> {
    this.#running.add(name);
    try {
      const value = await enter(name, work, frame, `${this.#conversation}:${name}`);
      if (value !== undefined) assertJson(value, `step ${JSON.stringify(name)}`);
      this.#known.set(name, value === undefined ? undefined : copyJson(value));
      return this.recall(name);
    } finally {
      this.#running.delete(name);
    }
  }
}

function enter(
  name: string,
  work: (step: StepContext) => MaybePromise<unknown>,
  frame: Frame,
  id: string,
): MaybePromise<unknown> {
  frame.enteredStep = name;
  try {
    return work({ id });
  } finally {
    frame.enteredStep = undefined;
  }
}

function copyJson(value: JsonValue): JsonValue {
  const copy: JsonValue = JSON.parse(JSON.stringify(value));
  return copy;
}

/** Throws a `TypeError` for a value that would not come back from JSON as it was. */
export function assertJson(value: unknown, where: string): asserts value is JsonValue {
  assertInside(value, where, []);
}

function assertInside(value: unknown, where: string, around: readonly object[]): void {
  if (value === null || typeof value === "string" || typeof value === "boolean") return;
  if (typeof value === "number" && Number.isFinite(value)) return;
  if (typeof value !== "object") {
    throw new TypeError(`${where}: ${describe(value)} is not kept by JSON`);
  }
  if (around.includes(value)) throw new TypeError(`${where}: the value holds itself`);
  if (around.length === JSON_LIMITS.maxJsonDepth) throw new TypeError(`${where}: nested too deep`);
  const inner = [...around, value];
  if (Array.isArray(value)) {
    // `Array.from` reads holes, too.
    Array.from(value, (item: unknown, index) => assertInside(item, `${where}[${index}]`, inner));
    return;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) {
    throw new TypeError(`${where}: ${describe(value)} is not kept by JSON: return plain data`);
  }
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) assertInside(member, `${where}.${name}`, inner);
  }
}

function describe(value: unknown): string {
  if (typeof value === "object" && value !== null)
    return `an instance of ${value.constructor.name}`;
  return typeof value === "number" || value === undefined ? String(value) : `a ${typeof value}`;
}
