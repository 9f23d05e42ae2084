import { DecodeError, LimitError } from "../../base/errors.ts";
import { MAX_QUESTIONS } from "../../base/limits.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json/value.ts";
import type { ClientCapabilities } from "../../protocol/capabilities.ts";
import type { CreateMessageParams } from "../../protocol/deprecated/sampling.ts";
import type { ElicitFormParams, ElicitUrlParams } from "../../protocol/input/elicitation.ts";
import type { Result } from "../../protocol/result.ts";
import { compileForm, type CompiledForm } from "../../schema/form/compile-form.ts";
import type { FormJsonSchema } from "../../schema/form/form-schema.ts";
import { quoted } from "../printable.ts";

/** One thing a server asks, checked. */
export type Question = { readonly key: string } & (
  | { readonly kind: "form"; readonly params: ElicitFormParams; readonly form: CompiledForm }
  | { readonly kind: "url"; readonly params: ElicitUrlParams }
  | { readonly kind: "sample"; readonly params: CreateMessageParams }
  | { readonly kind: "roots" }
);

export interface Round {
  readonly questions: readonly Question[];
  /** To the letter; nobody here looks into it. */
  readonly requestState: string | undefined;
}

/** What a server asks in one round. Throws a `DecodeError` for what it may not ask, and a `LimitError` for too much. */
export function decodeRound(result: Result, capabilities: ClientCapabilities): Round {
  const { inputRequests, requestState } = result;
  if (requestState !== undefined && typeof requestState !== "string") {
    throw fault("/requestState", "requestState is not a string", "a string");
  }
  if (inputRequests !== undefined && !isJsonObject(inputRequests)) {
    throw fault("/inputRequests", "inputRequests is not an object", "an object");
  }
  const entries = Object.entries(inputRequests ?? {});
  if (entries.length === 0 && requestState === undefined) {
    throw fault("", "an input_required result asks for nothing and has no state", "either");
  }
  if (entries.length > MAX_QUESTIONS) {
    const message = `the server asks ${entries.length} questions at once`;
    throw new LimitError("maxQuestions", MAX_QUESTIONS, message);
  }
  const questions = entries.map(([key, request]) => decodeQuestion(key, request, capabilities));
  return { questions, requestState };
}

function decodeQuestion(
  key: string,
  request: JsonValue | undefined,
  declared: ClientCapabilities,
): Question {
  const { method: given, params = {} } = isJsonObject(request) ? request : {};
  const method = typeof given === "string" ? given : "";
  if (!isJsonObject(params)) throw asks(key, "asks with params that are no object");
  switch (method) {
    case "elicitation/create":
      return params["mode"] === "url"
        ? urlQuestion(key, params, declared)
        : formQuestion(key, params, declared);
    case "sampling/createMessage":
      return samplingQuestion(key, params, declared);
    case "roots/list":
      assertDeclared(key, "roots", declared.roots);
      return { key, kind: "roots" };
    default:
      throw asks(key, `sends ${quoted(method)}, which is no question`);
  }
}

function formQuestion(key: string, params: JsonObject, declared: ClientCapabilities): Question {
  const { message, mode = "form", requestedSchema } = params;
  if (mode !== "form") throw asks(key, "asks in a mode that is neither form nor url");
  const { elicitation } = declared;
  // A client that says nothing of modes takes forms.
  const isBare = elicitation !== undefined && Object.keys(elicitation).length === 0;
  assertDeclared(key, "elicitation.form", isBare ? elicitation : elicitation?.form);
  if (typeof message !== "string") throw asks(key, "asks without a message");
  if (!isJsonObject(requestedSchema)) throw asks(key, "asks without a requestedSchema");
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- looked at member by member
    const shown = compileForm(requestedSchema as unknown as FormJsonSchema, "requestedSchema");
    // Compiled once more as what is shown: the rest, such as regular expressions, is not the server's to run here.
    const form = compileForm({ ...shown.requestedSchema }, "requestedSchema");
    const { requestedSchema: fields } = form;
    return {
      key,
      kind: "form",
      form,
      params: { ...params, mode, message, requestedSchema: fields },
    };
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw asks(key, `asks with a form that cannot be shown: ${quoted(cause.message)}`, cause);
  }
}

const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

function urlQuestion(key: string, params: JsonObject, declared: ClientCapabilities): Question {
  const { message, url } = params;
  assertDeclared(key, "elicitation.url", declared.elicitation?.url);
  if (typeof message !== "string") throw asks(key, "asks without a message");
  if (typeof url !== "string" || !URL.canParse(url)) throw asks(key, "asks to open what is no URL");
  const { protocol, hostname, username, password } = new URL(url);
  const isSafe = protocol === "https:" || (protocol === "http:" && LOOPBACK.has(hostname));
  if (!isSafe || username !== "" || password !== "") {
    throw asks(key, `asks to open ${quoted(url)}, which is not https, or carries credentials`);
  }
  return { key, kind: "url", params: { ...params, mode: "url", message, url } };
}

function samplingQuestion(key: string, params: JsonObject, declared: ClientCapabilities): Question {
  const { messages, maxTokens, tools, toolChoice, includeContext = "none" } = params;
  assertDeclared(key, "sampling", declared.sampling);
  if (tools !== undefined || toolChoice !== undefined) {
    assertDeclared(key, "sampling.tools", declared.sampling?.tools);
  }
  if (includeContext !== "none") {
    assertDeclared(key, "sampling.context", declared.sampling?.context);
  }
  if (!Array.isArray(messages) || !messages.every(isMessage)) {
    throw asks(key, "asks the model with messages that have no role or no content");
  }
  if (typeof maxTokens !== "number") throw asks(key, "asks the model without maxTokens");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is read of it is checked
  return { key, kind: "sample", params: params as unknown as CreateMessageParams };
}

const isMessage = (message: JsonValue): boolean =>
  isJsonObject(message) &&
  (message["role"] === "user" || message["role"] === "assistant") &&
  typeof message["content"] === "object" &&
  message["content"] !== null;

function assertDeclared(key: string, name: string, capability: object | undefined): void {
  if (capability !== undefined) return;
  throw asks(key, `asks for ${name}, which this client did not declare`);
}

const asks = (key: string, what: string, cause?: unknown): DecodeError =>
  new DecodeError(`question ${quoted(key)}: the server ${what}`, {
    path: `/inputRequests/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`,
    cause,
  });

const fault = (path: string, message: string, expected: string): DecodeError =>
  new DecodeError(message, { path, expected });
