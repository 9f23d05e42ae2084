import { encodeBase64Url } from "../../base/base64.ts";
import { assertOptions, type Known } from "../../base/known-members.ts";
import { MAX_QUESTION_ATTEMPTS } from "../../base/limits.ts";
import type { MaybePromise } from "../../base/maybe-promise.ts";
import type { ClientCapabilities } from "../../protocol/capabilities.ts";
import type { InputRequest } from "../../protocol/input/input-rounds.ts";
import type { Check } from "../../schema/compile.ts";
import type { Issue } from "../../schema/issues.ts";

/** How one question is put. */
export interface AskOptions {
  /**
   * The question's name on the wire, for hosts and tests; default `elicit-1`, `sample-2`, … A client that knows
   * the name may answer with the first request, before it is asked; the answer is checked like any other.
   */
  readonly key?: string | undefined;
  /** How often it is put in all while the answers do not match; default 3. */
  readonly attempts?: number | undefined;
  /** Rejects with a `TimeoutError` where the answer comes later than this many milliseconds after it was first put. */
  readonly timeoutMs?: number | undefined;
}

/** A question of a handler, ready to be put. */
export interface Question {
  /** Starts the keys that are made up for it. */
  readonly kind: "elicit" | "sample" | "roots";
  readonly request: InputRequest;
  readonly options: AskOptions;
  /** What the client has to be able to do. */
  readonly requires: ClientCapabilities;
  /** Checks what a client answered; the value is what the handler gets. */
  check(response: unknown): MaybePromise<Check>;
  /** The question put once more, with what was wrong. */
  again(issues: readonly Issue[]): InputRequest;
}

const KEY = /^[A-Za-z][\w.-]{0,63}$/;
const OPTIONS: Known<AskOptions> = { key: "string", attempts: "any", timeoutMs: "any" };

/** Throws for options that are none, and for values out of range. */
export function assertAskOptions({ kind, options }: Question): void {
  assertOptions(kind, options, OPTIONS);
  const { attempts, key, timeoutMs } = options;
  if (key !== undefined && !KEY.test(key)) {
    throw new TypeError(`${kind}: key is not a letter and up to 63 of A-Z a-z 0-9 _ . -`);
  }
  assertWhole(`${kind}: attempts`, attempts, MAX_QUESTION_ATTEMPTS);
  assertWhole(`${kind}: timeoutMs`, timeoutMs, Number.MAX_SAFE_INTEGER);
}

function assertWhole(what: string, value: number | undefined, max: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 1 && value <= max)) return;
  throw new RangeError(`${what} is not a whole number from 1 to ${max}`);
}

const DIGEST_BYTES = 12;

/** The kind, the key and the very words of a question, as a short text. */
export async function digestOf({ kind, options, request }: Question): Promise<string> {
  const text = JSON.stringify([kind, options.key ?? "", request]);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return encodeBase64Url(new Uint8Array(digest, 0, DIGEST_BYTES));
}
