import type { MaybePromise } from "../../base/maybe-promise.ts";
import type { Result } from "../../protocol/result.ts";
import type { HandlerContext } from "../context.ts";
import { isInputRequired } from "../rounds/input-required.ts";
import { toAnswer, toHandlerAnswer } from "./fault.ts";
import type { Runtime } from "./runtime.ts";

/** What is done around the handlers of one kind of thing. */
export interface Work<Entry, Input> {
  /** Checks the input and calls the handler. */
  start(entry: Entry, input: Input, context: HandlerContext): unknown;
  /** Makes the result of what the handler returned; throws where that is none. */
  convert(entry: Entry, value: unknown, context: HandlerContext): MaybePromise<Result>;
  /** The result that an error stands for, if any. */
  recover?(error: unknown): Result | undefined;
}

export interface Scope {
  readonly runtime: Runtime;
  readonly context: HandlerContext;
  /** Whether what the client brings from an earlier round may be used a single time. */
  readonly isOnce?: boolean;
}

/**
 * Runs a handler and gives its result. A handler that is not asynchronous is answered without a promise;
 * another one is under the server's limit of time.
 */
export function run<Entry, Input>(
  work: Work<Entry, Input>,
  entry: Entry,
  input: Input,
  scope: Scope,
): Result | Promise<Result> {
  const { context, isOnce = false, runtime } = scope;
  const toResult = (value: unknown): MaybePromise<Result> => {
    context.decide();
    if (isInputRequired(value)) return context.answerManually(value);
    return convert(work, entry, value, context);
  };
  let result: MaybePromise<Result>;
  try {
    const resumed = context.resume(isOnce);
    const value =
      resumed === undefined
        ? work.start(entry, input, context)
        : resumed.then(() => work.start(entry, input, context));
    result = isPromiseLike(value) ? Promise.resolve(value).then(toResult) : toResult(value);
  } catch (error) {
    result = Promise.reject<Result>(error);
  }
  if (isPromiseLike(result)) return runLater(work, result, context, runtime);
  const flushed = context.finish();
  const settled = result;
  return flushed === undefined ? settled : flushed.then(() => settled);
}

/** What a handler must not return is told with the name of the handler. */
function convert<Entry, Input>(
  work: Work<Entry, Input>,
  entry: Entry,
  value: unknown,
  context: HandlerContext,
): MaybePromise<Result> {
  const refuse = (cause: unknown): never => {
    if (!(cause instanceof TypeError)) throw cause;
    throw new TypeError(`${context.subject ?? context.call.method}: ${cause.message}`, { cause });
  };
  try {
    const result = work.convert(entry, value, context);
    return isPromiseLike(result) ? result.then(undefined, refuse) : result;
  } catch (error) {
    return refuse(error);
  }
}

function runLater<Entry, Input>(
  work: Work<Entry, Input>,
  result: PromiseLike<Result>,
  context: HandlerContext,
  runtime: Runtime,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const running = runtime.running.add((reason) => {
      context.end(reason);
      void context.finish();
      reject(toAnswer(reason, runtime, context.call.method, context.subject));
    });
    const answerWith = (answer: Promise<Result>): void =>
      void answer.then(resolve, reject).then(() => runtime.running.remove(running));
    context.onPause = (answer) => {
      answerWith(
        answer.catch((error: unknown) => {
          throw toHandlerAnswer(error, runtime, context);
        }),
      );
    };
    answerWith(settle(work, result, context, runtime));
  });
}

async function settle<Entry, Input>(
  work: Work<Entry, Input>,
  result: PromiseLike<Result>,
  context: HandlerContext,
  runtime: Runtime,
): Promise<Result> {
  let settled: Result | undefined;
  let answer: unknown;
  try {
    settled = await result;
  } catch (error) {
    if (context.isPaused) context.drop(error);
    else {
      settled = work.recover?.(error);
      if (settled === undefined) answer = toHandlerAnswer(error, runtime, context);
    }
  }
  // Something else woke the handler after its pause, and the answer to that is on its way.
  if (context.isPaused) return new Promise(() => {});
  const flushed = context.finish();
  if (flushed !== undefined) await flushed;
  if (settled === undefined) throw answer;
  return settled;
}

export function isPromiseLike<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return (
    typeof value === "object" &&
    value !== null &&
    "then" in value &&
    typeof value.then === "function"
  );
}
