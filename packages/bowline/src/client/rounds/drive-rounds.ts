import { LimitError } from "../../base/errors.ts";
import { MAX_ROUNDS, MAX_STATE_WAIT_MS, MIN_STATE_WAIT_MS } from "../../base/limits.ts";
import { waitFor } from "../../base/timer.ts";
import type { JsonObject } from "../../json/value.ts";
import type { Result } from "../../protocol/result.ts";
import { answerOf } from "./answer.ts";
import type { RoundsOptions } from "./handlers.ts";
import { decodeRound, type Question } from "./question.ts";

/** One call that is asked about. */
export interface AskedCall extends RoundsOptions {
  readonly method: string;
  readonly name: string;
  readonly signal: AbortSignal | undefined;
  /** Sends the call again, under a new id. */
  readonly again: (more: JsonObject) => Promise<Result>;
}

/**
 * The final result. Rejects with a `LimitError` after ten rounds, with a `DecodeError` for what no server may ask, and
 * with what a handler throws.
 */
export async function driveRounds(first: Result, call: AskedCall): Promise<Result> {
  let result = first;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { questions, requestState } = decodeRound(result, call.capabilities);
    const isWaiting = questions.length === 0;
    // oxlint-disable-next-line no-await-in-loop -- a round follows from the one before
    const answers = isWaiting ? undefined : await answersTo(questions, round, call);
    // oxlint-disable-next-line no-await-in-loop -- the server asked for nothing but to come back
    if (isWaiting) await waitFor(stateWaitMs(round), signalsOf(call));
    // oxlint-disable-next-line no-await-in-loop -- see above
    result = await call.again({
      ...(answers === undefined ? {} : { inputResponses: answers }),
      ...(requestState === undefined ? {} : { requestState }),
    });
    if (result.resultType !== "input_required") return result;
  }
  const message = `${call.method}: the server still asks after ${MAX_ROUNDS} rounds`;
  throw new LimitError("maxRounds", MAX_ROUNDS, message);
}

const stateWaitMs = (round: number): number =>
  Math.min(MIN_STATE_WAIT_MS * 2 ** round, MAX_STATE_WAIT_MS);

const signalsOf = ({ signal, closed }: AskedCall): readonly AbortSignal[] =>
  signal === undefined ? [closed] : [signal, closed];

/** All questions of a round are put at once. The first that fails ends the others. */
async function answersTo(
  questions: readonly Question[],
  round: number,
  call: AskedCall,
): Promise<JsonObject> {
  const controller = new AbortController();
  const { signal } = controller;
  const sources = signalsOf(call);
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => undefined);
  const onAbort = (): void => controller.abort(sources.find((one) => one.aborted)?.reason);
  for (const source of sources) source.addEventListener("abort", onAbort, { once: true });
  if (sources.some((source) => source.aborted)) onAbort();
  try {
    const { method, name } = call;
    const answers = Promise.all(
      questions.map(async (question) => {
        const context = { signal, method, name, key: question.key, round };
        return [question.key, await answerOf(question, call.handlers, context)] as const;
      }),
    );
    return Object.fromEntries(await Promise.race([answers, aborted]));
  } catch (error) {
    controller.abort(error);
    throw error;
  } finally {
    for (const source of sources) source.removeEventListener("abort", onAbort);
  }
}
