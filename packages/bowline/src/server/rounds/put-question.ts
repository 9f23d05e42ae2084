import type { InputRequest } from "../../protocol/input/input-rounds.ts";
import type { Question } from "./question.ts";
import type { OpenQuestion } from "./state.ts";

/** How the promise of a question is settled. */
export interface Settlers {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** A question that is put in this pass. */
export interface Put extends OpenQuestion {
  readonly request: InputRequest;
  readonly reject: Settlers["reject"];
}

export function tooLate({ options }: Question): DOMException {
  return new DOMException(`no answer within ${options.timeoutMs} ms`, "TimeoutError");
}
