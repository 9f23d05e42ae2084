import { LimitError } from "../../base/errors.ts";
import {
  MAX_QUESTIONS,
  MAX_QUOTED_CHARS,
  MAX_ROUNDS,
  QUESTION_ATTEMPTS,
  STEP_BESIDE_QUESTION_MS,
} from "../../base/limits.ts";
import type { MaybePromise } from "../../base/maybe-promise.ts";
import { unrefTimer } from "../../base/timer.ts";
import type { JsonObject, JsonValue } from "../../json/value.ts";
import { invalidParams, missingCapability } from "../../protocol/errors.ts";
import type { InputRequest, InputRequiredResult } from "../../protocol/input/input-rounds.ts";
import type { Issue } from "../../schema/issues.ts";
import { missingCapabilities } from "../call/requires.ts";
import { describeIssues } from "../../schema/issues.ts";
import type { Frame } from "./frame.ts";
import { notBoth } from "./manual.ts";
import type { ConversationTools, RoundEvent } from "./conversation-tools.ts";
import { assertAskOptions, digestOf, type Question } from "./question.ts";
import { type Put, type Settlers, tooLate } from "./put-question.ts";
import type { AnswerRecord, OpenQuestion, RoundState } from "./state.ts";
import { Steps, type StepContext } from "./steps.ts";
import { Stillness } from "./stillness.ts";
import { wireKey } from "./wire-key.ts";

/** For whoever waits after a pause: nothing of ours wakes it. */
const never = (): Promise<never> => new Promise(() => {});

/**
 * One pass of a handler over what is already answered.
 *
 * A question whose answer is known gets it; any other is open, and once nothing else of the pass can move, the pass
 * ends for good with all open questions as one round.
 */
export class Conversation {
  readonly #tools: ConversationTools;
  readonly #frame: Frame;
  readonly #before: RoundState;
  readonly #responses: JsonObject;
  readonly #steps: Steps;
  readonly #stillness: Stillness;
  /** What was open when the last pass ended, by identity. */
  readonly #asked: ReadonlyMap<string, OpenQuestion>;
  readonly #answers: Map<string, AnswerRecord>;
  readonly #occurrences = new Map<string, number>();
  readonly #met = new Set<string>();
  readonly #used = new Set<string>();
  #open: Put[] = [];
  #counter: number;
  #order: Promise<unknown> = Promise.resolve();
  #hasAsked = false;
  /** What steps rejected with: after a pause nobody is there to see it. */
  readonly #failed: unknown[] = [];
  #stall: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  #isDecided = false;
  readonly #onAbort = (): void => this.#abort();

  constructor(tools: ConversationTools, frame: Frame, before: RoundState, responses: JsonObject) {
    this.#tools = tools;
    this.#frame = frame;
    this.#before = before;
    this.#responses = responses;
    this.#counter = before.counter;
    this.#steps = new Steps(before.id, before.steps);
    this.#stillness = new Stillness({
      schedule: tools.schedule,
      isAwaited: () => !this.#isClosed && this.#open.length > 0,
      onStill: () => {
        this.#carryOver();
        this.#pause(this.#outcome());
      },
    });
    this.#asked = new Map(before.open.map((question) => [question.identity, question]));
    this.#answers = new Map(before.answers.map((answer) => [answer.identity, answer]));
  }

  /** In this pass or in an earlier one. */
  get hasAsked(): boolean {
    return this.#hasAsked || this.#before.answers.length + this.#before.open.length > 0;
  }

  get steps(): RoundState["steps"] {
    return this.#steps.entries();
  }

  /** The answer to a question; after a pause, nothing. */
  ask(question: Question): Promise<unknown> {
    const { clientCapabilities } = this.#frame.call.meta;
    const missing = missingCapabilities(question.requires, clientCapabilities);
    // Known at once: a handler may write a round by itself before this question is even looked at.
    if (missing === undefined) this.#hasAsked = true;
    if (this.#isClosed) return this.#drop(question);
    assertAskOptions(question);
    if (this.#before.manual !== undefined) return Promise.reject(notBoth());
    if (missing !== undefined) return Promise.reject(missingCapability(missing));
    return new Promise((resolve, reject) => {
      const identified = this.#order.then(() => this.#identify(question));
      this.#order = identified;
      const settled = identified.then((identity) =>
        this.#settle(question, identity, { resolve, reject }),
      );
      void this.#stillness.during(settled).catch(reject);
    });
  }

  /** Runs a step, or gives what it returned before. */
  async step(name: string, work: (step: StepContext) => MaybePromise<unknown>): Promise<unknown> {
    if (this.#isClosed) return never();
    this.#steps.take(name);
    if (this.#steps.isKnown(name)) return this.#steps.recall(name);
    this.#frame.unmute();
    const run = this.#stillness.during(this.#steps.run(name, work, this.#frame));
    if (this.#open.length > 0) this.#watchSteps();
    const value = await run.catch((error: unknown) => {
      if (this.#isClosed) return this.#frame.report(error);
      this.#failed.push(error);
      throw error;
    });
    return this.#isClosed ? never() : value;
  }

  /** The handler came to its end by itself: what is open is dropped. */
  close(): void {
    if (this.#isClosed) return;
    this.#isDecided = true;
    for (const { key } of this.#open) this.#tell("question-dropped", key);
    this.#end();
  }

  #drop({ kind, options }: Question): Promise<never> {
    if (this.#isDecided) this.#tell("question-dropped", options.key ?? kind);
    return never();
  }

  #end(): void {
    this.#isClosed = true;
    clearTimeout(this.#stall);
    if (this.#open.length > 0) this.#frame.signal.removeEventListener("abort", this.#onAbort);
    const byHand = this.#before.manual?.inputRequests ?? {};
    // A client decides how many there are: no more of them are told than could be asked for.
    for (const key of Object.keys(this.#responses).slice(0, MAX_QUESTIONS)) {
      const isWanted = this.#used.has(key) || Object.hasOwn(byHand, key);
      if (!isWanted) this.#tell("answer-unused", key);
    }
    for (const { identity, key } of this.#before.open) {
      if (!this.#met.has(identity)) this.#tell("question-changed", key);
    }
  }

  #tell(type: RoundEvent["type"], key: string): void {
    const { method } = this.#frame.call;
    try {
      this.#tools.onEvent({ type, method, key: key.slice(0, MAX_QUOTED_CHARS) });
    } catch (error) {
      this.#frame.report(error);
    }
  }

  /** What a user sees, and how often it was put before. */
  async #identify(question: Question): Promise<string> {
    const base = await digestOf(question);
    const occurrence = this.#occurrences.get(base) ?? 0;
    this.#occurrences.set(base, occurrence + 1);
    return occurrence === 0 ? base : `${base}.${occurrence}`;
  }

  async #settle(question: Question, identity: string, settlers: Settlers): Promise<void> {
    if (this.#isClosed) return void this.#drop(question);
    const asked = this.#asked.get(identity);
    const known = this.#answers.get(identity);
    if (asked !== undefined) this.#met.add(identity);
    if (known === undefined && asked !== undefined && this.#isLate(asked)) {
      this.#keep({ identity });
      return settlers.reject(tooLate(question));
    }
    if (known !== undefined && known.response === undefined) {
      return settlers.reject(tooLate(question));
    }
    const response = known?.response ?? this.#responseTo(question, identity, asked);
    if (response === undefined) return this.#put(question, identity, asked, settlers);
    const check = await question.check(response);
    if (this.#isClosed) return;
    if (!check.ok) {
      return this.#refuse(question, { identity, response }, check.issues, settlers);
    }
    if (known === undefined) this.#keep({ identity, response });
    settlers.resolve(check.value);
  }

  #isLate({ deadline }: OpenQuestion): boolean {
    return deadline !== undefined && this.#tools.now() > deadline;
  }

  /** By the key it was asked with; one that has a name may be answered before it is ever asked. */
  #responseTo(
    { options }: Question,
    identity: string,
    asked: OpenQuestion | undefined,
  ): JsonValue | undefined {
    const isFirst = this.#before.round === 0 && !identity.includes(".");
    const key = asked?.key ?? (isFirst ? options.key : undefined);
    // Given once, it is for one question.
    if (asked === undefined && key !== undefined && this.#used.has(key)) return undefined;
    if (key === undefined || !Object.hasOwn(this.#responses, key)) return undefined;
    this.#used.add(key);
    return this.#responses[key];
  }

  #keep(answer: AnswerRecord): void {
    this.#answers.set(answer.identity, answer);
    this.#frame.unmute();
  }

  #refuse(
    question: Question,
    refused: AnswerRecord,
    issues: readonly Issue[],
    settlers: Settlers,
  ): void {
    const { identity } = refused;
    const before = this.#answers.get(identity) ?? this.#asked.get(identity);
    const { attempt = 1 } = before ?? {};
    if (attempt >= (question.options.attempts ?? QUESTION_ATTEMPTS)) {
      // Kept, so that a handler that goes another way goes it again in the next pass.
      if (!this.#answers.has(identity)) this.#keep({ ...refused, attempt });
      const message = `no fitting answer after ${attempt} attempts\n${describeIssues(issues)}`;
      return settlers.reject(invalidParams(message, { issues }));
    }
    this.#frame.unmute();
    this.#answers.delete(identity);
    const deadline = this.#asked.get(identity)?.deadline;
    this.#openUp(
      {
        key: this.#keyFor(question, attempt + 1),
        identity,
        attempt: attempt + 1,
        deadline,
        issues,
      },
      question.again(issues),
      settlers,
    );
  }

  #put(
    question: Question,
    identity: string,
    asked: OpenQuestion | undefined,
    settlers: Settlers,
  ): void {
    const { timeoutMs } = question.options;
    if (asked === undefined) this.#frame.unmute();
    const put: OpenQuestion = asked ?? {
      key: this.#keyFor(question, 1 + Number(identity.split(".")[1] ?? 0)),
      identity,
      attempt: 1,
      deadline: timeoutMs === undefined ? undefined : this.#tools.now() + timeoutMs,
    };
    const { issues } = put;
    this.#openUp(put, issues === undefined ? question.request : question.again(issues), settlers);
  }

  #openUp(question: OpenQuestion, request: InputRequest, { reject }: Settlers): void {
    const { signal } = this.#frame;
    if (signal.aborted) return reject(signal.reason);
    if (this.#open.length === MAX_QUESTIONS) {
      const message = `more than ${MAX_QUESTIONS} questions are open at a time`;
      return reject(new LimitError("questions", MAX_QUESTIONS, message));
    }
    if (this.#open.length === 0) signal.addEventListener("abort", this.#onAbort, { once: true });
    this.#open.push({ ...question, request, reject });
    this.#watchSteps();
  }

  /** A key that no other question of this round or the last one has. */
  #keyFor(question: Question, times: number): string {
    const taken = new Set([...this.#before.open, ...this.#open].map(({ key }) => key));
    return wireKey(question, times, taken, () => ++this.#counter);
  }

  #abort(): void {
    const { reason } = this.#frame.signal;
    const open = this.#open;
    this.#open = [];
    for (const { reject } of open) reject(reason);
  }

  /** A question waits for the steps beside it, but not for ever. */
  #watchSteps(): void {
    if (this.#stall !== undefined || this.#steps.running.length === 0) return;
    this.#stall = this.#tools.schedule(() => {
      this.#stall = undefined;
      const [step] = this.#steps.running;
      const [question] = this.#open;
      if (this.#isClosed || step === undefined || question === undefined) return;
      const names = `steps, ${JSON.stringify(step)} among them, keep the question ${question.key} waiting`;
      this.#pause(Promise.reject(new Error(`${names} for ${STEP_BESIDE_QUESTION_MS} ms`)));
    }, STEP_BESIDE_QUESTION_MS);
    unrefTimer(this.#stall);
  }

  #pause(outcome: Promise<InputRequiredResult>): void {
    for (const error of this.#failed) this.#frame.report(error);
    this.#end();
    this.#frame.pause(outcome);
  }

  /** Answers to questions that this pass had no time to put again: nobody is asked the same twice. */
  #carryOver(): void {
    for (const { identity, key } of this.#before.open) {
      const response = this.#responses[key];
      if (this.#met.has(identity) || !Object.hasOwn(this.#responses, key)) continue;
      this.#answers.set(identity, { identity, response });
    }
  }

  async #outcome(): Promise<InputRequiredResult> {
    const { id, round } = this.#before;
    if (round >= MAX_ROUNDS) {
      const hint = "a question that changes in every round belongs into a step";
      const message = `more than ${MAX_ROUNDS} rounds of questions: ${hint}`;
      throw new LimitError("rounds", MAX_ROUNDS, message);
    }
    const inputRequests = Object.fromEntries(this.#open.map(({ key, request }) => [key, request]));
    const sealed = await this.#tools.finish(
      {
        id,
        round: round + 1,
        counter: this.#counter,
        answers: [...this.#answers.values()],
        open: this.#open.map(({ attempt, deadline, identity, issues, key }) => ({
          key,
          identity,
          attempt,
          deadline,
          issues,
        })),
        steps: this.steps,
      },
      this.#frame,
    );
    return { resultType: "input_required", inputRequests, ...sealed };
  }
}
