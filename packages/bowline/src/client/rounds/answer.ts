import type { JsonObject } from "../../json/value.ts";
import type { Root } from "../../protocol/deprecated/roots.ts";
import type { ElicitResult } from "../../protocol/input/elicitation.ts";
import type { RequestedSchema } from "../../schema/form/requested-schema.ts";
import type { InputContext, InputHandlers } from "./handlers.ts";
import type { Question } from "./question.ts";

/** The answer of the handler, ready to be sent. Throws a `TypeError` for one the server could not use. */
export async function answerOf(
  question: Question,
  handlers: InputHandlers,
  context: InputContext,
): Promise<JsonObject> {
  switch (question.kind) {
    case "form": {
      const { onElicit = missing("onElicit") } = handlers;
      return formAnswer(await onElicit(question.params, context), question);
    }
    case "url": {
      const { onElicitUrl = missing("onElicitUrl") } = handlers;
      return { action: actionOf("onElicitUrl", await onElicitUrl(question.params, context)) };
    }
    case "sample": {
      const { onSample = missing("onSample") } = handlers;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON by its type
      return (await onSample(question.params, context)) as never;
    }
    case "roots": {
      const { roots = missing("roots") } = handlers;
      const given = typeof roots === "function" ? await roots(context) : roots;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON by its type
      return { roots: given.map(assertRoot) } as never;
    }
    default:
      return question satisfies never;
  }
}

function missing(option: string): never {
  throw new TypeError(
    `the capability is declared, but ${option} is missing: give it to the client`,
  );
}

type FormQuestion = Extract<Question, { readonly kind: "form" }>;

async function formAnswer(answer: ElicitResult, question: FormQuestion): Promise<JsonObject> {
  const action = actionOf("onElicit", answer);
  if (action !== "accept") return { action };
  const content = { ...defaultsOf(question.form.requestedSchema), ...answer.content };
  const checked = await question.form.check(content);
  if (checked.ok) return { action, content };
  const issues = checked.issues.map(({ path, message }) => `${path || "(root)"} ${message}`);
  throw new TypeError(`onElicit: the answer does not fit what was asked: ${issues.join("; ")}`);
}

function defaultsOf({ properties }: RequestedSchema): JsonObject {
  const entries = Object.entries(properties).flatMap(([name, { default: value }]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON by its type
  return Object.fromEntries(entries) as never;
}

function actionOf(option: string, answer: ElicitResult): ElicitResult["action"] {
  // JavaScript may give anything.
  const { action }: Partial<ElicitResult> = Object(answer);
  if (action === "accept" || action === "decline" || action === "cancel") return action;
  throw new TypeError(`${option}: the answer's action must be "accept", "decline" or "cancel"`);
}

/** Canonical: what a path leads to must be what it says. */
function assertRoot(root: Root): Root {
  const { uri } = root;
  if (uri.startsWith("file://") && URL.canParse(uri) && new URL(uri).href === uri) return root;
  throw new TypeError(`roots: ${JSON.stringify(uri)} is not a canonical file:// URI`);
}
