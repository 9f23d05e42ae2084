import type { MaybePromise } from "../../base/maybe-promise.ts";
import { isJsonObject } from "../../json/value.ts";
import type { InputRequest } from "../../protocol/input/input-rounds.ts";
import type { Check } from "../../schema/compile.ts";
import type { Issue } from "../../schema/issues.ts";
import type { FormCache } from "../../schema/form/form-cache.ts";
import type { FormSchema } from "../../schema/form/form-schema.ts";
import { describeIssues } from "../../schema/issues.ts";
import type { AskOptions, Question } from "./question.ts";
import { assertNoSecret } from "./secrets.ts";

const NO_FIELDS = { type: "object", properties: {} } as const;

/** A question that is a form, or without a schema a mere "yes or no". Throws a `TypeError` for what no client can show. */
export function formQuestion(
  message: string,
  schema: FormSchema | undefined,
  options: AskOptions,
  forms: FormCache,
): Question {
  assertMessage(message);
  const form = schema === undefined ? undefined : forms.compile(schema, "elicit: schema");
  const requestedSchema = form?.requestedSchema ?? NO_FIELDS;
  assertNoSecret(requestedSchema);
  const ask = (text: string): InputRequest => ({
    method: "elicitation/create",
    params: { mode: "form", message: text, requestedSchema },
  });
  return {
    kind: "elicit",
    request: ask(message),
    options,
    requires: { elicitation: { form: {} } },
    check: (response) =>
      checkAnswer(response, (content) =>
        form === undefined ? { ok: true, value: undefined } : form.check(content),
      ),
    again: (issues) => ask(`${message}\n\n${describeIssues(issues)}`),
  };
}

/** A question that is answered on a page of the server's own. Throws a `TypeError` for a URL nobody should open. */
export function urlQuestion(message: string, url: string | URL, options: AskOptions): Question {
  assertMessage(message);
  const request: InputRequest = {
    method: "elicitation/create",
    params: { mode: "url", message, url: checkedUrl(url) },
  };
  return {
    kind: "elicit",
    request,
    options,
    requires: { elicitation: { url: {} } },
    check: (response) => checkAnswer(response, () => ({ ok: true, value: undefined })),
    again: () => request,
  };
}

function assertMessage(message: unknown): asserts message is string {
  if (typeof message === "string" && message !== "") return;
  throw new TypeError("elicit: the message is empty or not a string");
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

function checkedUrl(given: string | URL): string {
  const text = String(given);
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) {
    throw new TypeError(`elicitUrl: ${JSON.stringify(text)} is not an absolute URL`);
  }
  const { protocol, hostname, username, password } = new URL(text);
  if (protocol !== "https:" && !(protocol === "http:" && LOOPBACK.test(hostname))) {
    throw new TypeError("elicitUrl: the URL has to be https:, or http: of this very machine");
  }
  if (username !== "" || password !== "") {
    throw new TypeError("elicitUrl: a URL with user name or password gives them away");
  }
  return text;
}

async function checkAnswer(
  response: unknown,
  checkContent: (content: unknown) => MaybePromise<Check>,
): Promise<Check> {
  const { action, content }: { action?: unknown; content?: unknown } = isJsonObject(response)
    ? response
    : {};
  if (action === "decline" || action === "cancel") return { ok: true, value: { action } };
  if (action !== "accept") return refused("action", "is none of accept, decline and cancel");
  const checked = await checkContent(content ?? {});
  if (!checked.ok) return checked;
  const value = checked.value === undefined ? { action } : { action, content: checked.value };
  return { ok: true, value };
}

function refused(path: string, message: string): Check {
  const issue: Issue = { path: `/${path}`, message };
  return { ok: false, issues: [issue] };
}
