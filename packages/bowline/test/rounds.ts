/** Drives the input rounds of a call, as a client would, on an exchange without a transport. */
import { isJsonObject, type JsonObject } from "../src/json/value.ts";
import type { Exchange } from "../src/protocol/exchange.ts";
import type { InputRequest } from "../src/protocol/input/input-rounds.ts";
import { type CallSettings, send } from "./calls.ts";

export type Responder = (request: InputRequest, key: string, round: number) => unknown;

export interface Round {
  readonly inputRequests: Readonly<Record<string, InputRequest>>;
  readonly requestState: string;
}

export interface Talk {
  readonly result: Record<string, unknown>;
  readonly rounds: readonly Round[];
}

/** What a client can do that can do everything. */
export const EVERYTHING = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: {},
} as const;

const MAX_ROUNDS = 20;

export interface Asked {
  readonly method: string;
  readonly params: JsonObject;
}

/** Sends a call and its retries until it is finished. A responder that gives nothing leaves a question out. */
export async function converse(
  servers: { readonly exchange: Exchange } | readonly { readonly exchange: Exchange }[],
  { method, params }: Asked,
  respond: Responder,
  settings: CallSettings = {},
): Promise<Talk> {
  const replicas = "exchange" in servers ? [servers] : servers;
  const rounds: Round[] = [];
  let more: JsonObject = {};
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const server = replicas[round % replicas.length];
    if (server === undefined) throw new Error("there is no server");
    const result = await send(server, method, { ...params, ...more }, able(settings));
    if (result["resultType"] !== "input_required") return { result, rounds };
    const asked = toRound(result);
    rounds.push(asked);
    more = { requestState: asked.requestState, inputResponses: answersOf(asked, respond, round) };
  }
  throw new Error(`not finished after ${MAX_ROUNDS} rounds`);
}

export function able(settings: CallSettings): CallSettings {
  return { ...settings, meta: { clientCapabilities: EVERYTHING, ...settings.meta } };
}

export function toRound(result: Record<string, unknown>): Round {
  const { inputRequests = {}, requestState } = result as Partial<Round>;
  if (requestState === undefined) throw new Error("there is no state");
  return { inputRequests, requestState };
}

export function answersOf(asked: Round, respond: Responder, round = 0): JsonObject {
  const answers = Object.entries(asked.inputRequests).map(
    ([key, request]) => [key, respond(request, key, round)] as const,
  );
  const given = answers.filter(([, answer]) => answer !== undefined);
  const text = JSON.stringify(Object.fromEntries(given));
  const responses: JsonObject = JSON.parse(text);
  return responses;
}

/** One whole call of a tool, and its text. */
export async function textOf(
  servers: Parameters<typeof converse>[0],
  params: JsonObject,
  respond: Responder,
  settings: CallSettings = {},
): Promise<string> {
  const { result } = await converse(servers, { method: "tools/call", params }, respond, settings);
  const content: unknown = result["content"];
  const block: unknown = Array.isArray(content) ? content[0] : undefined;
  if (!isJsonObject(block) || typeof block["text"] !== "string")
    throw new Error("there is no text");
  return block["text"];
}
