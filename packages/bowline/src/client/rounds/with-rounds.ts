import type { JsonObject } from "../../json/value.ts";
import type { Send } from "../send.ts";
import type { RoundsOptions } from "./handlers.ts";

/** The requests a server may answer by asking, and the parameter that names what they are about. */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
]);
const INPUT_REQUIRED = "input_required";

/** Answers what a server asks while it works on a call, and sends the call again, until it is done. */
export function withRounds(send: Send, rounds: RoundsOptions): Send {
  return async (method, params, options, extras) => {
    const name = params[NAMED_BY.get(method) ?? ""];
    if (typeof name !== "string") return send(method, params, options, extras);
    const again = (more: JsonObject): ReturnType<Send> =>
      send(method, { ...params, ...more }, options, { ...extras, resultTypes: [INPUT_REQUIRED] });
    const result = await again({});
    if (result.resultType !== INPUT_REQUIRED) return result;
    const { driveRounds } = await import("./drive-rounds.ts");
    return driveRounds(result, { ...rounds, method, name, again, signal: options?.signal });
  };
}
