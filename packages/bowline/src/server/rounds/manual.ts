import { LimitError } from "../../base/errors.ts";
import { MAX_QUESTIONS, MAX_ROUNDS } from "../../base/limits.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json/value.ts";
import type { ClientCapabilities } from "../../protocol/capabilities.ts";
import { missingCapability } from "../../protocol/errors.ts";
import type {
  InputRequest,
  InputRequests,
  InputResponses,
} from "../../protocol/input/input-rounds.ts";
import type { ElicitFormParams, ElicitUrlParams } from "../../protocol/input/elicitation.ts";
import type { FormCache } from "../../schema/form/form-cache.ts";
import { missingCapabilities } from "../call/requires.ts";
import { formQuestion, urlQuestion } from "./elicitation.ts";
import type { Question } from "./question.ts";
import { rootsQuestion } from "./roots.ts";
import { sampleQuestion } from "./sampling.ts";
import type { RoundState } from "./state.ts";
import { assertJson } from "./steps.ts";

/** What `inputRequired()` is given. */
export interface InputRequiredOptions {
  /** The requests by keys of your choice. Without any, the client comes back at once. */
  readonly inputRequests?: InputRequests | undefined;
  /** Comes back as `ctx.state` with the answers, sealed on the way. */
  readonly state?: JsonValue | undefined;
}

/** A round of questions that a handler writes itself, to be returned by it. */
export interface InputRequired extends InputRequiredOptions {
  readonly resultType: "input_required";
}

export const notBoth = (): TypeError =>
  new TypeError("a handler either asks or returns inputRequired(), not both");

/** The rounds of a handler that writes them itself. */
export class ManualRound {
  /** The answers that fit, under the keys they were asked with. */
  readonly responses: InputResponses;
  readonly state: JsonValue | undefined;
  readonly #before: RoundState;

  constructor(before: RoundState, fitting: JsonObject) {
    this.#before = before;
    this.state = before.manual?.state;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each was checked against its question
    this.responses = fitting as unknown as InputResponses;
  }

  /** Throws where the round is none, or asks for more than the client can do. */
  next(
    { inputRequests = {}, state }: InputRequired,
    declared: ClientCapabilities,
    forms: FormCache,
  ): Omit<RoundState, "expiresAt"> {
    const { id, round } = this.#before;
    if (round >= MAX_ROUNDS) {
      throw new LimitError("rounds", MAX_ROUNDS, `more than ${MAX_ROUNDS} rounds of questions`);
    }
    const requests = Object.values(inputRequests);
    if (requests.length > MAX_QUESTIONS) {
      const message = `inputRequired: more than ${MAX_QUESTIONS} questions`;
      throw new LimitError("questions", MAX_QUESTIONS, message);
    }
    if (state !== undefined) assertJson(state, "inputRequired: state");
    for (const request of requests) {
      const missing = missingCapabilities(toQuestion(request, forms).requires, declared);
      if (missing !== undefined) throw missingCapability(missing);
    }
    const manual = { inputRequests, state };
    return { id, round: round + 1, counter: 0, answers: [], open: [], steps: [], manual };
  }
}

/** The answers that fit what the handler asked for itself. */
export async function fittingResponses(
  { manual }: RoundState,
  responses: JsonObject,
  forms: FormCache,
): Promise<JsonObject> {
  const fitting: [string, JsonValue | undefined][] = [];
  for (const [key, request] of Object.entries(manual?.inputRequests ?? {})) {
    if (!Object.hasOwn(responses, key)) continue;
    const check = await toQuestion(request, forms).check(responses[key]);
    if (check.ok) fitting.push([key, responses[key]]);
  }
  return Object.fromEntries(fitting);
}

function toElicitation(params: ElicitFormParams | ElicitUrlParams, forms: FormCache): Question {
  if (params.mode === "url") return urlQuestion(params.message, params.url, {});
  const { message, mode = "form", requestedSchema } = params;
  if (mode !== "form") throw new TypeError('inputRequired: mode is neither "form" nor "url"');
  const { requestedSchema: sent } = forms.compile(requestedSchema, "inputRequired");
  if (JSON.stringify(sent) !== JSON.stringify(requestedSchema)) {
    throw new TypeError("inputRequired: requestedSchema says more than a form can");
  }
  return formQuestion(message, requestedSchema, {}, forms);
}

function toQuestion(request: InputRequest, forms: FormCache): Question {
  const { method, params }: JsonObject = isJsonObject(request) ? request : {};
  switch (request.method) {
    case "elicitation/create":
      return toElicitation(request.params, forms);
    case "sampling/createMessage":
      return sampleQuestion(request.params, {});
    case "roots/list":
      return rootsQuestion();
    default:
      throw new TypeError(
        `inputRequired: ${JSON.stringify(method)} with ${JSON.stringify(params)} is no input request`,
      );
  }
}
