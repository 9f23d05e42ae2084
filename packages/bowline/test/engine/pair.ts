import type { Engine, TopicListener } from "../../src/engine/contract.ts";
import { LimitError, McpError } from "../../src/base/errors.ts";
import type { JsonValue } from "../../src/json/value.ts";

/** Two engines on one store that is empty, as two replicas have them. The suite closes both. */
export interface EnginePair {
  readonly one: Engine;
  readonly other: Engine;
  /** Lets the clock of the store go on: at once where it is a test's own, by waiting where it is not. */
  readonly advance: (ms: number) => Promise<void>;
}

export type OpenPair = () => Promise<EnginePair>;

/** Runs a body with a pair of its own. */
export const withPair =
  (open: OpenPair) => (body: (pair: EnginePair) => Promise<void>) => async (): Promise<void> => {
    const pair = await open();
    try {
      await body(pair);
    } finally {
      await Promise.all([pair.one.close(), pair.other.close()]);
    }
  };

/** A value where its type forbids it. */
export function wrong(value: unknown): never {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- callers without types pass what they like
  return value as never;
}

/** How a promise rejects: the kind of error and what tells it from others of the kind. */
export async function failureOf(promise: Promise<unknown>): Promise<string> {
  try {
    return `resolved to ${JSON.stringify(await promise)}`;
  } catch (error) {
    if (LimitError.is(error)) return `LimitError ${error.limit} ${error.max}`;
    if (McpError.is(error)) return error.code;
    return error instanceof Error ? error.name : String(error);
  }
}

/** A listener that keeps what it hears. */
export interface Recorder extends TopicListener {
  readonly heard: JsonValue[];
  /** Resolves when `message` has been heard. */
  until(message: JsonValue): Promise<void>;
}

export function createRecorder(): Recorder {
  const heard: JsonValue[] = [];
  const waiting: { readonly text: string; readonly resolve: () => void }[] = [];
  const settle = (): void => {
    const texts = new Set(heard.map((message) => JSON.stringify(message)));
    for (const { text, resolve } of waiting) if (texts.has(text)) resolve();
  };
  return {
    heard,
    onMessage: (message) => {
      heard.push(message);
      settle();
    },
    until: (message) =>
      new Promise((resolve) => {
        waiting.push({ text: JSON.stringify(message), resolve });
        settle();
      }),
  };
}
