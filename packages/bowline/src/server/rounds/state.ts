import { utf8Length } from "../../base/bytes.ts";
import { LimitError } from "../../base/errors.ts";
import { MAX_STATE_BYTES } from "../../base/limits.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json/value.ts";
import type { Issue } from "../../schema/issues.ts";
import type { InputRequests } from "../../protocol/input/input-rounds.ts";

/** A question that was put and not yet answered as it should be. */
export interface OpenQuestion {
  /** Its name on the wire. */
  readonly key: string;
  readonly identity: string;
  /** How often it has been put. */
  readonly attempt: number;
  /** Milliseconds since 1970 after which its answer comes too late. */
  readonly deadline?: number | undefined;
  /** What was wrong with the last answer. */
  readonly issues?: readonly Issue[] | undefined;
}

/** What a client answered; without `response` it came too late. */
export interface AnswerRecord {
  readonly identity: string;
  readonly response?: JsonValue | undefined;
  /** How often the question had been put, where the answer did not fit and was the last one it could get. */
  readonly attempt?: number | undefined;
}

/** What one round hands to the next: all that is known of a call, since nothing is kept on the server. */
export interface RoundState {
  /** The conversation: the same in all of its rounds. */
  readonly id: string;
  /** How often the client has been asked. */
  readonly round: number;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** Numbers the keys that are made up. */
  readonly counter: number;
  readonly answers: readonly AnswerRecord[];
  readonly open: readonly OpenQuestion[];
  /** A step that returned nothing has a name alone. */
  readonly steps: readonly (readonly [name: string, value?: JsonValue])[];
  /** What a handler that writes its own rounds asked for and kept. */
  readonly manual?: ManualState | undefined;
}

export interface ManualState {
  readonly inputRequests: InputRequests;
  readonly state?: JsonValue | undefined;
}

/** Throws a `LimitError` that names the largest part. */
export function encodeState(state: RoundState): Uint8Array<ArrayBuffer> {
  const text = JSON.stringify(state);
  // Sealing adds a third for Base64, and a few bytes.
  if (utf8Length(text) * 1.34 + 64 <= MAX_STATE_BYTES) return new TextEncoder().encode(text);
  const message = `the state of this call passes ${MAX_STATE_BYTES} bytes; the largest part is ${largestPart(state)}`;
  throw new LimitError("stateBytes", MAX_STATE_BYTES, message);
}

/** What this server sealed needs no second look. */
export function decodeState(bytes: Uint8Array): RoundState {
  const state: RoundState = JSON.parse(new TextDecoder().decode(bytes));
  return state;
}

function largestPart({ answers, manual, steps }: RoundState): string {
  const parts: readonly (readonly [string, unknown])[] = [
    ...answers.map((answer, index) => [`answer ${index + 1}`, answer] as const),
    ...steps.map((step) => [`step ${JSON.stringify(step[0])}`, step] as const),
    ["the handler's own state", manual ?? null],
  ];
  const sized = parts.map(([name, value]) => ({ name, size: JSON.stringify(value).length }));
  const largest = sized.reduce((one, other) => (other.size > one.size ? other : one));
  return `${largest.name} with ${largest.size} characters`;
}

/** The same text for the same value, however the members are ordered. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    isJsonObject(inner) ? sorted(inner) : inner,
  );
}

function sorted(value: JsonObject): JsonObject {
  const names = Object.keys(value).toSorted();
  // `Object.fromEntries` defines a member called `__proto__` like any other.
  return Object.fromEntries(names.map((name) => [name, value[name]]));
}
