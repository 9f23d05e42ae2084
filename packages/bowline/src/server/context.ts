import type { MaybePromise } from "../base/maybe-promise.ts";
import type { JsonValue } from "../json/value.ts";
import { mirroredArgument } from "../protocol/header-parameters.ts";
import type { Call } from "../protocol/call.ts";
import type { ClientCapabilities } from "../protocol/capabilities.ts";
import type { LoggingLevel } from "../protocol/deprecated/logging.ts";
import type { CallContext, Principal } from "../protocol/exchange.ts";
import type { HeaderParameter } from "../protocol/header-parameters.ts";
import type { Implementation } from "../protocol/implementation.ts";
import type { InputResponses } from "../protocol/input/input-rounds.ts";
import type { Meta } from "../protocol/meta.ts";
import type { ServerNotification } from "../protocol/notifications.ts";
import type { Result } from "../protocol/result.ts";
import {
  assertLogMessage,
  createLogger,
  type LogData,
  LogReporter,
  type Logger,
} from "./call/logger.ts";
import type { Outlet } from "./call/outlet.ts";
import { assertProgress, ProgressReporter } from "./call/progress.ts";
import type { Runtime } from "./call/runtime.ts";
import type { Frame } from "./rounds/frame.ts";
import type { InputRequired } from "./rounds/manual.ts";
import type { Questions } from "./rounds/questions.ts";
import type { Beginning } from "./rounds/rounds.ts";

/** What one request says of the client that sent it. */
export interface ClientOfCall {
  /** Unverified: for display, logs and debugging only. */
  readonly info: Implementation | undefined;
  readonly capabilities: ClientCapabilities;
}

/**
 * What belongs to one call. Members can be taken out: `({ city }, { progress, log }) => …`.
 *
 * Once the call is over, or nobody waits for it any more, `progress` and `log` do nothing.
 */
export interface Context extends Questions {
  /** Aborts when nobody waits for the answer, when the handler runs for too long, and when the server closes. */
  readonly signal: AbortSignal;
  /** Who asks, from verified credentials; undefined without authorization. */
  readonly principal: Principal | undefined;
  readonly client: ClientOfCall;
  /** The request's `_meta`: the trace context, and under `raw` the keys of others. */
  readonly meta: Meta;
  readonly call: Call;
  /** How often the client has answered questions of this call: 0 on the first pass. */
  readonly round: number;
  /** The answers that fit what this handler asked for by `inputRequired`. */
  readonly responses: InputResponses;
  /** What this handler kept by `inputRequired`. */
  readonly state: JsonValue | undefined;
  /**
   * Registers a function that runs when the pass is over, by a question as well, where `finally` does not run. The one
   * registered last runs first. What they throw is reported.
   */
  readonly defer: (cleanup: () => MaybePromise<void>) => void;
  /**
   * Tells the client how far the work is, if it wants to know. Values must grow: others are reported to
   * `onError` and not sent. Fast ones are held back, the latest replacing the one before, so that not
   * every value arrives but the last one does. Throws a `TypeError` for a value that is not finite.
   */
  readonly progress: (progress: number, total?: number, message?: string) => Promise<void>;
  /** Tells the client what happens, if it asked for messages of that level. Keep secrets out. */
  readonly log: Logger;
  /**
   * The argument that clients mirror in the header `Mcp-Param-<name>`, as text, whatever the transport;
   * undefined where it was not sent or the tool has no such parameter.
   */
  readonly header: (name: string) => string | undefined;
}

const NONE: readonly HeaderParameter[] = [];
const NO_RESPONSES: InputResponses = {};
/** All others have to be answered in one go. */
export const ASKING_METHODS: ReadonlySet<string> = new Set([
  "tools/call",
  "prompts/get",
  "resources/read",
]);

/** The context of one call. Everything that costs something is made when it is first read. */
export class HandlerContext implements Context, Outlet, Frame {
  readonly call: Call;
  /** Given the answer where the handler will not give one, because it waits for the client. */
  onPause: ((answer: Promise<Result>) => void) | undefined = undefined;
  enteredStep: string | undefined = undefined;
  /** What was called: `tool "x"`. */
  subject: string | undefined = undefined;
  readonly #runtime: Runtime;
  readonly #transport: CallContext;
  readonly #headers: readonly HeaderParameter[];
  /** Whether the pass ended by a question: what the handler still does is nobody's answer. */
  isPaused = false;
  #isOver = false;
  #isDecided = false;
  #isMuted = false;
  #beginning: Promise<Beginning> | undefined = undefined;
  #begun: Beginning | undefined = undefined;
  #deferred: (() => MaybePromise<void>)[] | undefined = undefined;
  #ended: { readonly reason: unknown } | undefined = undefined;
  #controller: AbortController | undefined = undefined;
  #onAbort: (() => void) | undefined = undefined;
  #client: ClientOfCall | undefined = undefined;
  #progress: Context["progress"] | undefined = undefined;
  #progressReporter: ProgressReporter | undefined = undefined;
  #log: Logger | undefined = undefined;
  #logReporter: LogReporter | undefined = undefined;
  #header: Context["header"] | undefined = undefined;

  constructor(
    runtime: Runtime,
    call: Call,
    transport: CallContext,
    headers: readonly HeaderParameter[] = NONE,
  ) {
    this.call = call;
    this.#runtime = runtime;
    this.#transport = transport;
    this.#headers = headers;
    runtime.extensions.addMembers(this, call, transport);
  }

  get meta(): Meta {
    return this.call.meta;
  }

  get principal(): Principal | undefined {
    return this.#transport.principal;
  }

  get client(): ClientOfCall {
    const { clientInfo: info, clientCapabilities: capabilities } = this.call.meta;
    return (this.#client ??= { info, capabilities });
  }

  get signal(): AbortSignal {
    return (this.#controller ??= this.#createController()).signal;
  }

  get progress(): Context["progress"] {
    return (this.#progress ??= (progress, total, message) =>
      this.#reportProgress(progress, total, message));
  }

  get log(): Logger {
    return (this.#log ??= createLogger((level, data, logger) =>
      this.#reportLog(level, data, logger),
    ));
  }

  get header(): Context["header"] {
    return (this.#header ??= (name) => this.#readHeader(name));
  }

  get round(): number {
    return this.#begun?.round ?? 0;
  }

  get responses(): InputResponses {
    return this.#begun?.manual.responses ?? NO_RESPONSES;
  }

  get state(): JsonValue | undefined {
    return this.#begun?.manual.state;
  }

  get elicit(): Context["elicit"] {
    return this.#question("elicit");
  }

  get elicitUrl(): Context["elicitUrl"] {
    return this.#question("elicitUrl");
  }

  get sample(): Context["sample"] {
    return this.#question("sample");
  }

  get roots(): Context["roots"] {
    return this.#question("roots");
  }

  get step(): Context["step"] {
    return this.#question("step");
  }

  get defer(): Context["defer"] {
    return (cleanup) => void (this.#deferred ??= []).push(cleanup);
  }

  /** The transport waits for nothing more of this call, or it was ended by the server. */
  get isAbandoned(): boolean {
    return this.#ended !== undefined || this.#transport.signal.aborted;
  }

  /** Ends the call from this side: the signal aborts with `reason`, and nothing more is sent. */
  end(reason: unknown): void {
    this.#ended ??= { reason };
    this.#controller?.abort(reason);
  }

  /**
   * Opens what the client brings from earlier rounds, if it does; a promise only then. Rejects where it is not what
   * this server gave it.
   */
  resume(isOnce: boolean): Promise<void> | undefined {
    const { inputResponses, requestState } = this.call.params;
    if (inputResponses === undefined && requestState === undefined) return undefined;
    if (!ASKING_METHODS.has(this.call.method)) return undefined;
    this.#isMuted = true;
    this.#beginning = this.#runtime.rounds().then((rounds) => rounds.resume(this, isOnce));
    return this.#take(this.#beginning);
  }

  unmute(): void {
    this.#isMuted = false;
  }

  /** The handler came to its end by itself: what it asked meanwhile is dropped. */
  decide(): void {
    this.#isDecided = true;
    this.#begun?.conversation.close();
  }

  /** Ends the pass: the handler waits for ever, and this is the answer. */
  pause(answer: Promise<Result>): void {
    this.isPaused = true;
    // It may fail while deferred functions still run, and nobody looks at it until they are done.
    answer.catch(() => undefined);
    const finished = this.finish();
    this.onPause?.(finished === undefined ? answer : finished.then(() => answer));
  }

  /** The answer of a handler that wrote its round itself. */
  async answerManually(round: InputRequired): Promise<Result> {
    const { method } = this.call;
    if (!ASKING_METHODS.has(method)) throw new TypeError(`inputRequired: ${method} cannot ask`);
    const beginning = await this.#begin();
    return beginning.rounds.answerManually(this, round, beginning);
  }

  /** Sends what was held back, then closes the call; a promise only if there is something to wait for. */
  finish(): Promise<unknown> | undefined {
    const progress = this.#progressReporter?.flush();
    const log = this.#logReporter?.flush();
    this.#isOver = true;
    this.#begun?.conversation.close();
    if (this.#onAbort !== undefined) {
      this.#transport.signal.removeEventListener("abort", this.#onAbort);
      this.#onAbort = undefined;
    }
    const deferred = this.#deferred;
    this.#deferred = undefined;
    if (deferred !== undefined) {
      const done = import("./rounds/deferred.ts").then(({ runDeferred }) =>
        runDeferred(deferred, (error) => this.report(error)),
      );
      return Promise.all([progress, log, done]);
    }
    if (progress === undefined) return log;
    return log === undefined ? progress : progress.then(() => log);
  }

  send(notification: ServerNotification): Promise<void> {
    if (this.#isOver || this.isAbandoned) return Promise.resolve();
    try {
      return this.#transport
        .notify(notification)
        .then(undefined, (error: unknown) => this.#failedToSend(error));
    } catch (error) {
      this.#failedToSend(error);
      return Promise.resolve();
    }
  }

  /** Tells the author of a fault that nobody waits for any more. */
  report(error: unknown): void {
    this.#runtime.report(error, this.call.method, { subject: this.subject });
  }

  drop(error: unknown): void {
    this.#runtime.report(error, this.call.method, { subject: this.subject, dropped: true });
  }

  now(): number {
    return this.#runtime.now();
  }

  /** Questions are put in the order of the calls: all of them wait for the same promise. */
  #question<N extends keyof Questions>(name: N): Questions[N] {
    const ask = (...input: readonly unknown[]): Promise<unknown> => {
      if (this.enteredStep !== undefined) {
        const step = JSON.stringify(this.enteredStep);
        throw new TypeError(`${name}: step ${step} cannot ask`);
      }
      if (name !== "step" && !ASKING_METHODS.has(this.call.method)) {
        throw new TypeError(`${name}: ${this.call.method} cannot ask`);
      }
      // Messages are taken as they are now.
      const taken = name === "sample" ? structuredClone(input) : input;
      const asked = this.#begin().then(({ questions }): unknown =>
        Reflect.apply(questions[name], questions, taken),
      );
      // Awaited late, or never after a pause: it must not end the process, and who awaits it still gets the error.
      asked.catch(() => undefined);
      return asked;
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the class behind it knows nothing of the types of answers
    return ask as unknown as Questions[N];
  }

  async #take(beginning: Promise<Beginning>): Promise<void> {
    this.#begun = await beginning;
  }

  #begin(): Promise<Beginning> {
    return (this.#beginning ??= this.#runtime.rounds().then((rounds) => {
      this.#begun = rounds.begin(this);
      if (this.#isOver || this.#isDecided) this.#begun.conversation.close();
      return this.#begun;
    }));
  }

  #failedToSend(error: unknown): void {
    // A client that left is no fault; its handler learns of it from the signal.
    if (!this.isAbandoned) this.drop(error);
  }

  #createController(): AbortController {
    const controller = new AbortController();
    const { signal } = this.#transport;
    if (this.#ended !== undefined) controller.abort(this.#ended.reason);
    else if (signal.aborted) controller.abort(signal.reason);
    else if (!this.#isOver) {
      this.#onAbort = () => controller.abort(signal.reason);
      signal.addEventListener("abort", this.#onAbort, { once: true });
    }
    return controller;
  }

  #reportProgress(progress: number, total?: number, message?: string): Promise<void> {
    assertProgress(progress, total, message);
    const { progressToken } = this.call.meta;
    if (progressToken === undefined || this.#isOver || this.#isMuted) return Promise.resolve();
    this.#progressReporter ??= new ProgressReporter(progressToken, this);
    return this.#progressReporter.report(progress, total, message);
  }

  #reportLog(level: LoggingLevel, data: LogData, logger?: string): Promise<void> {
    const { logLevel } = this.call.meta;
    if (logLevel === undefined || this.#isOver || this.#isMuted) return Promise.resolve();
    assertLogMessage(data, logger);
    this.#logReporter ??= new LogReporter(logLevel, this);
    return this.#logReporter.report(level, data, logger);
  }

  #readHeader(name: string): string | undefined {
    const wanted = name.toLowerCase();
    const parameter = this.#headers.find((candidate) => candidate.name.toLowerCase() === wanted);
    if (parameter === undefined) return undefined;
    const value = mirroredArgument(parameter, this.call.params["arguments"]);
    return value === undefined || typeof value === "object" ? undefined : String(value);
  }
}
