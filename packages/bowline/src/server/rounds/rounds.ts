import { fitsBytes } from "../../base/bytes.ts";
import { MAX_STATE_BYTES } from "../../base/limits.ts";
import { encodeBase64Url } from "../../base/base64.ts";
import { isJsonObject, type JsonObject } from "../../json/value.ts";
import { invalidParams } from "../../protocol/errors.ts";
import { principalKey } from "../../protocol/exchange.ts";
import type { InputRequiredResult } from "../../protocol/input/input-rounds.ts";
import { FormCache } from "../../schema/form/form-cache.ts";
import type { KeyRing } from "../seal/key-ring.ts";
import { Seal } from "../seal/seal.ts";
import { Conversation } from "./conversation.ts";
import type { ConversationTools, RoundEvent } from "./conversation-tools.ts";
import type { Frame } from "./frame.ts";
import { fittingResponses, type InputRequired, ManualRound, notBoth } from "./manual.ts";
import { PassQuestions } from "./questions.ts";
import { canonicalText, decodeState, encodeState, type RoundState } from "./state.ts";

/** What consumes states that may be used once; an `Engine` has it. */
export interface UsedStates {
  readonly kv: {
    put(
      key: string,
      value: true,
      options: { readonly expected: "absent"; readonly ttlMs: number },
    ): Promise<string | undefined>;
  };
}

export interface RoundsOptions {
  readonly ring: KeyRing;
  readonly ttlMs: number;
  readonly used: UsedStates | undefined;
  readonly meta: JsonObject | undefined;
  readonly schedule: ConversationTools["schedule"];
  readonly onEvent: (event: RoundEvent) => void;
}

/** Where a pass begins: what the client sent with it, and what is known from the rounds before. */
export interface Beginning {
  readonly rounds: Rounds;
  readonly conversation: Conversation;
  readonly questions: PassQuestions;
  readonly round: number;
  readonly manual: ManualRound;
}

const ID_BYTES = 16;
const CLOCK_SKEW_MS = 60_000;

/** The input rounds of one server. Loaded with the first call that needs them. */
export class Rounds {
  readonly #forms: FormCache = new FormCache();
  readonly #options: RoundsOptions;
  readonly #seal: Seal;
  readonly #tools: ConversationTools;
  #hasToldOfForeign = false;

  constructor(options: RoundsOptions) {
    this.#options = options;
    this.#seal = new Seal(options.ring, "request state");
    this.#tools = {
      schedule: options.schedule,
      now: () => Date.now(),
      onEvent: options.onEvent,
      finish: (state, frame) => this.#finish(state, frame),
    };
  }

  /** A pass of a call that brings nothing from earlier rounds. */
  begin(frame: Frame): Beginning {
    return this.#beginning(frame, firstState(), {}, {});
  }

  /**
   * A pass of a call that brings `inputResponses`, `requestState` or both. Rejects with invalid params, for every cause
   * alike, where the state is not of this call, this caller and these keys, is too old, or was used and may not be.
   */
  async resume(frame: Frame, isOnce: boolean): Promise<Beginning> {
    const { inputResponses, requestState } = frame.call.params;
    if (inputResponses !== undefined && !isJsonObject(inputResponses)) {
      throw invalidParams("params.inputResponses is not an object");
    }
    const state = requestState === undefined ? firstState() : await this.#open(requestState, frame);
    // Silent is what repeats an earlier pass; a handler that writes its own rounds repeats nothing.
    if (requestState === undefined || state.manual !== undefined) frame.unmute();
    if (isOnce && requestState !== undefined) await this.#consume(state, frame);
    // What may happen once needs a state that can be used up.
    const responses = isOnce && requestState === undefined ? {} : (inputResponses ?? {});
    return this.#beginning(
      frame,
      state,
      responses,
      await fittingResponses(state, responses, this.#forms),
    );
  }

  /** The answer of a handler that writes its rounds itself. Rejects where it asks as well. */
  async answerManually(
    frame: Frame,
    round: InputRequired,
    { conversation, manual }: Beginning,
  ): Promise<InputRequiredResult> {
    if (conversation.hasAsked) throw notBoth();
    const state = manual.next(round, frame.call.meta.clientCapabilities, this.#forms);
    const sealed = await this.#finish({ ...state, steps: conversation.steps }, frame);
    const { inputRequests } = round;
    return {
      resultType: "input_required",
      ...(inputRequests === undefined ? {} : { inputRequests }),
      ...sealed,
    };
  }

  #beginning(
    frame: Frame,
    state: RoundState,
    responses: JsonObject,
    fitting: JsonObject,
  ): Beginning {
    const conversation = new Conversation(this.#tools, frame, state, responses);
    return {
      rounds: this,
      conversation,
      questions: new PassQuestions(conversation, this.#forms),
      round: state.round,
      manual: new ManualRound(state, fitting),
    };
  }

  async #finish(
    state: Omit<RoundState, "expiresAt">,
    frame: Frame,
  ): Promise<Pick<InputRequiredResult, "requestState" | "_meta">> {
    const { meta, ttlMs } = this.#options;
    const plain = encodeState({ ...state, expiresAt: Date.now() + ttlMs });
    const requestState = await this.#seal.seal(plain, boundTo(frame));
    return meta === undefined ? { requestState } : { requestState, _meta: meta };
  }

  async #open(text: unknown, frame: Frame): Promise<RoundState> {
    if (typeof text !== "string" || !fitsBytes(text, MAX_STATE_BYTES)) throw badState();
    const opened = await this.#seal.open(text, boundTo(frame));
    if (opened === "foreign") this.#tellOfForeign(frame);
    if (!(opened instanceof Uint8Array)) throw badState();
    const state = decodeState(opened);
    if (Date.now() >= state.expiresAt) throw badState();
    return state;
  }

  /** A store that is down cannot say that a state was not used: it is refused like one that was. */
  async #consume({ expiresAt, id, round }: RoundState, frame: Frame): Promise<void> {
    const { used } = this.#options;
    if (used === undefined) throw new TypeError("once needs the option `engine`");
    // Longer than the state lives: the clock of the store is another one.
    const ttlMs = expiresAt - Date.now() + CLOCK_SKEW_MS;
    const key = `bowline:used-state:${id}:${round}`;
    const revision = await used.kv
      .put(key, true, { expected: "absent", ttlMs })
      .catch((error: unknown) => {
        frame.report(error);
        return undefined;
      });
    if (revision === undefined) throw badState();
  }

  /** Once: whoever sends garbage must not fill a log. */
  #tellOfForeign(frame: Frame): void {
    if (this.#hasToldOfForeign) return;
    this.#hasToldOfForeign = true;
    const what = "a requestState came that was sealed with none of this server's keys";
    const advice = this.#options.ring.isRandom
      ? "this process made up its key: with several replicas, or over restarts, set stateKeys or BOWLINE_STATE_KEY"
      : "replicas have to share stateKeys, and old keys have to stay in the list while their states live";
    frame.report(new Error(`${what}; ${advice}`));
  }
}

const badState = (): Error => invalidParams("Invalid or expired requestState");

function firstState(): RoundState {
  const id = encodeBase64Url(crypto.getRandomValues(new Uint8Array(ID_BYTES)));
  return { id, round: 0, expiresAt: 0, counter: 0, answers: [], open: [], steps: [] };
}

/** The very call and caller: whatever differs, the state does not open. */
function boundTo({ call, principal }: Frame): string {
  const own = new Set(["inputResponses", "requestState"]);
  const params = Object.entries(call.params).filter(([name]) => !own.has(name));
  return canonicalText([call.method, Object.fromEntries(params), principalKey(principal)]);
}
