import type { JsonObject, JsonValue } from "../json/value.ts";
import type { ClientCapabilities } from "../protocol/capabilities.ts";
import {
  type CallContext,
  type ExchangeSource,
  type Principal,
  toExchangeHolder,
} from "../protocol/exchange.ts";
import type { InputRequest } from "../protocol/input/input-rounds.ts";
import type { Result } from "../protocol/result.ts";
import { PROTOCOL_VERSION } from "../protocol/versioning.ts";
import { createResourceWatch } from "./resources.ts";

/** A question of a handler, as a client gets it. */
export interface Question {
  readonly key: string;
  readonly request: InputRequest;
  /** 0 for the first questions of a call. */
  readonly round: number;
}

export interface RehearseOptions {
  /** What the client answers: a result for the question's method, or nothing to leave it out. */
  readonly answer?: ((question: Question) => JsonValue | undefined) | undefined;
  /** Default: everything that can be asked for. */
  readonly clientCapabilities?: ClientCapabilities | undefined;
  readonly principal?: Principal | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface RehearsedRound {
  readonly inputRequests: { readonly [key: string]: InputRequest };
}

export interface Rehearsal {
  /** What the call came to. */
  readonly result: Result;
  readonly rounds: readonly RehearsedRound[];
  /** What the rules for handlers that ask forbid, in words; empty for a handler that keeps them. */
  readonly problems: readonly string[];
}

const EVERYTHING: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: {},
};
/** More than a server allows: what it answers then is the result of the test. */
const MAX_ROUNDS = 20;

/**
 * Makes a call in memory and answers what its handler asks, as a client would. Each round is put to the handler a second
 * time without answers: it has to ask the very same then, and may leave nothing running at its pause.
 *
 * Rejects with the error that the call is answered with.
 *
 * @example
 * const { result, problems } = await rehearse(server, "tools/call", { name: "order", arguments: {} }, {
 *   answer: () => ({ action: "accept" }),
 * });
 * expect(problems).toEqual([]);
 */
export async function rehearse(
  server: ExchangeSource,
  method: "tools/call" | "prompts/get" | "resources/read",
  params: JsonObject,
  options: RehearseOptions = {},
): Promise<Rehearsal> {
  const { answer = () => undefined } = options;
  const rounds: RehearsedRound[] = [];
  const problems: string[] = [];
  const watch = createResourceWatch();
  const call = (more: JsonObject): Promise<Result> =>
    watch.run(() => send(server, { method, params: { ...params, ...more } }, options));
  try {
    let result = await call({});
    while (isRound(result) && rounds.length < MAX_ROUNDS) {
      const { inputRequests = {}, requestState } = result;
      const round = rounds.length;
      rounds.push({ inputRequests });
      // oxlint-disable-next-line no-await-in-loop -- rounds follow each other
      problems.push(...(await watch.left()).map((what) => `round ${round + 1}: ${what}`));
      const inputResponses = answersTo(inputRequests, round, answer);
      // oxlint-disable-next-line no-await-in-loop -- as above
      result = await call({ requestState, inputResponses });
      // oxlint-disable-next-line no-await-in-loop -- as above
      const again = await call({ requestState, inputResponses: {} }).catch(noSecondLook);
      // oxlint-disable-next-line no-await-in-loop -- as above: the same things once more are no news
      await watch.left();
      if (again !== undefined) problems.push(...compare(round, inputRequests, again));
    }
    return { result, rounds, problems };
  } finally {
    watch.close();
  }
}

function answersTo(
  inputRequests: RehearsedRound["inputRequests"],
  round: number,
  answer: NonNullable<RehearseOptions["answer"]>,
): JsonObject {
  const answers = Object.entries(inputRequests).map(
    ([key, request]) => [key, answer({ key, request, round })] as const,
  );
  return Object.fromEntries(answers.filter(([, given]) => given !== undefined));
}

interface Round extends Result {
  readonly inputRequests?: RehearsedRound["inputRequests"];
  readonly requestState?: string;
}

const isRound = (result: Result): result is Round => result.resultType === "input_required";

function send(
  server: ExchangeSource,
  { method, params }: { readonly method: string; readonly params: JsonObject },
  { clientCapabilities = EVERYTHING, principal, signal }: RehearseOptions,
): Promise<Result> {
  const context: CallContext = {
    id: 1,
    signal: signal ?? new AbortController().signal,
    notify: () => Promise.resolve(),
    principal,
  };
  const meta = { protocolVersion: PROTOCOL_VERSION, clientCapabilities, raw: {} };
  return toExchangeHolder(server, "rehearse").exchange({ method, params, meta }, context);
}

/** A state may be used once, or the rounds are used up: then there is nothing to compare. */
const noSecondLook = (): undefined => undefined;

function compare(
  round: number,
  first: RehearsedRound["inputRequests"],
  again: Result,
): readonly string[] {
  const second = (isRound(again) ? again.inputRequests : undefined) ?? {};
  const advice = "put what changes into ctx.step()";
  return [...new Set([...Object.keys(first), ...Object.keys(second)])].flatMap((key) => {
    const request = first[key] ?? second[key];
    if (request === undefined || textOf(first[key]) === textOf(second[key])) return [];
    const words = JSON.stringify(wordsOf(request));
    return `round ${round + 1}: the question ${key}, ${words}, is another one when it is asked again: ${advice}`;
  });
}

const textOf = (request: InputRequest | undefined): string => JSON.stringify(request ?? null);

function wordsOf(request: InputRequest): string {
  return request.method === "elicitation/create" ? request.params.message : request.method;
}
