import type { InputRequiredResult } from "../../protocol/input/input-rounds.ts";
import type { Frame } from "./frame.ts";
import type { RoundState } from "./state.ts";
import type { Schedule } from "./stillness.ts";

/** What happened to questions and answers that did not meet; harmless, but worth a look. */
export interface RoundEvent {
  /**
   * `question-dropped`: the handler came to its end without waiting for the answer. `question-changed`: it was not
   * put again, as where its text holds a clock; see `step`. `answer-unused`: nobody had asked, or not for that.
   */
  readonly type: "question-dropped" | "question-changed" | "answer-unused";
  readonly method: string;
  /** The question's key on the wire. */
  readonly key: string;
}

/** What all conversations of one server share. */
export interface ConversationTools {
  /** `setTimeout`, as it was when the server was made. */
  readonly schedule: Schedule;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly onEvent: (event: RoundEvent) => void;
  readonly finish: (
    state: Omit<RoundState, "expiresAt">,
    frame: Frame,
  ) => Promise<Pick<InputRequiredResult, "requestState" | "_meta">>;
}
